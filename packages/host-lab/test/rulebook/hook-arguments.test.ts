import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { join } from "node:path"
import { $ } from "bun"
import { call, type Lab, say, startLab } from "../../src/index.ts"
import { RULEBOOK } from "./support.ts"

setDefaultTimeout(180_000)

let lab: Lab
beforeAll(async () => {
  lab = await startLab()
})
afterAll(() => lab.stop())

/** A rule whose hook names these arguments. */
function naming(tool: string, names: readonly string[]): string {
  const match = names.map((name) => `${name}: x`).join(", ")
  return `---\nhooks: [{ type: PreToolUse, tool: ${tool}, match: { ${match} } }]\n---\nText.`
}

test("check takes every argument that the host's tools have, and reports others", async () => {
  const project = await lab.project({ plugins: [RULEBOOK] })
  const session = await project.session()
  const { requests } = await session.prompt("go", [say("done")])
  const tools = requests[0]?.raw.tools ?? []
  const offered = tools.map(({ function: { name, parameters } }) => ({
    name,
    names: Object.keys(parameters?.properties ?? {}),
  }))
  expect(offered.map(({ name }) => name)).toContain("edit")
  for (const { name, names } of offered)
    await Bun.write(project.path(`.opencode/rules/${name}.md`), naming(name, names))
  const check = () => $`node ${join(RULEBOOK, "dist/cli.js")} check --no-color -C ${project.directory}`.nothrow().text()
  expect(await check()).not.toContain("impossible-hook")
  await Bun.write(project.path(".opencode/rules/edit.md"), naming("edit", ["file_path"]))
  expect(await check()).toContain("impossible-hook")
})

test("a hook that names a file's path as OpenCode 2 does blocks the call on this host", async () => {
  const rules = {
    "keep-out.md":
      "---\nhooks: [{ type: PreToolUse, tool: read, match: { path: '/secret$' }, block: true }]\n---\nKeep out of it.",
  }
  const project = await lab.project({ files: { secret: "x", public: "y" }, rules, plugins: [RULEBOOK] })
  const session = await project.session()
  const { requests } = await session.prompt("go", [
    call("read", { filePath: project.path("secret") }),
    call("read", { filePath: project.path("public") }),
    say("done"),
  ])
  const results =
    requests
      .at(-1)
      ?.messages.filter(({ role }) => role === "tool")
      .map(({ text }) => text) ?? []
  expect(results).toHaveLength(2)
  expect(results[0]).toContain("Keep out of it.")
  expect(results[1]).not.toContain("Keep out of it.")
})
