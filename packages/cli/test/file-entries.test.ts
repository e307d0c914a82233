import { expect, test } from "bun:test"
import { testProject } from "./project.ts"

test.each(["file://./plugin", "file://host/share/plugin", "file:///a%2Fb"])(
  "a config file with the plugin entry %p fails no command",
  async (entry) => {
    await using project = await testProject({
      "opencode.json": JSON.stringify({ plugin: [entry] }),
      "rules/a.md": "Text.",
    })
    const { code, out } = await project.run(["doctor", "--json"], { env: { PATH: "/bin" } })
    expect({ code, isJson: Array.isArray(JSON.parse(out).diagnoses) }).toEqual({ code: 1, isJson: true })
    expect(await project.run(["init", "--yes", "--dry-run"])).toMatchObject({ code: 0, err: "" })
  },
)
