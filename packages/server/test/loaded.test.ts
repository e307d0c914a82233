import { describe, expect, test } from "bun:test"
import { dirname } from "node:path"
import packageJson from "../../opencode-rulebook/package.json" with { type: "json" }
import { hosts } from "./support/host.ts"
import { until } from "./support/until.ts"

const rules = { "a.md": "Text.", "b.md": "Text.", "broken.md": "---\nci: maybe\n---\nText." }

for (const { name, start } of hosts)
  describe(name, () => {
    test("one line says that the plugin is loaded: version, host, folder, rules, and where they are from", async () => {
      await using host = await start({ rules })
      await host.session().prompt("hello", ["done"])
      const said = () => host.log.filter((line) => line.includes("is loaded"))
      // The line is written behind what happens, when the rules are read.
      await until(() => said().length > 0)
      await host.session().prompt("hello again", ["done"])
      expect(said()).toHaveLength(1)
      const [line = ""] = said()
      expect(line).toStartWith("info ")
      expect(line).toContain(
        `version ${packageJson.version} is loaded on OpenCode ${name.includes("v1") ? 1 : 2} for ${dirname(host.path("x"))}`,
      )
      expect(line).toContain("2 rules, 1 broken, from ")
      expect(line).toContain(host.path(".opencode/rules"))
    })

    test("the session's state says which other sources it has, for the sidebar", async () => {
      const toldWith = async (pluginOptions: unknown) => {
        await using host = await start({ rules, pluginOptions })
        const session = host.session()
        await session.prompt("hello", ["done"])
        const { rulesOf, packs } = (await session.state()) ?? {}
        return { rulesOf, packs }
      }
      expect(await toldWith({})).toEqual({ rulesOf: undefined, packs: undefined })
      expect(await toldWith({ rulesOf: ["cursor"] })).toEqual({ rulesOf: ["cursor"], packs: undefined })
      expect(await toldWith({ packs: ["@acme/rules"] })).toEqual({ rulesOf: undefined, packs: ["@acme/rules"] })
    })
  })
