import { afterEach, expect, test } from "bun:test"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { permissionsOfConfig } from "./merged.ts"

const dataHome = process.env["XDG_DATA_HOME"]
afterEach(() => {
  if (dataHome === undefined) delete process.env["XDG_DATA_HOME"]
  else process.env["XDG_DATA_HOME"] = dataHome
})

test("the rules of a merged configuration are those of its agents, with OpenCode's own around them", () => {
  for (const [data, folder] of [
    ["/data", "/data"],
    ["", "/home/dev/.local/share"],
  ] as const) {
    process.env["XDG_DATA_HOME"] = data
    const config = { permission: "ask", tools: { edit: false }, mode: { own: { permission: { bash: "deny" } } } }
    const { agents, defaultAgent } = permissionsOfConfig(config, "/home/dev")
    expect(defaultAgent).toBe("build")
    expect([...agents.keys()]).toEqual(["build", "plan", "general", "explore", "own"])
    const rules = agents.get("own")?.map((rule) => `${rule.scope} ${rule.permission} ${rule.pattern} ${rule.action}`)
    expect(rules).toEqual([
      "default * * allow",
      "default doom_loop * ask",
      "default external_directory * ask",
      `default external_directory ${folder}/opencode/tool-output/* allow`,
      `default external_directory ${join(tmpdir(), "opencode/*")} allow`,
      "user edit * deny",
      "user * * ask",
      "agent bash * deny",
      `default external_directory ${folder}/opencode/tool-output/* allow`,
    ])
  }
})

test("a configuration of another shape has OpenCode's own agents", () => {
  expect([...permissionsOfConfig(["x"], "/home/dev").agents.keys()]).toEqual(["build", "plan", "general", "explore"])
})
