import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { pathToFileURL } from "node:url"
import { call, calls, type Lab, say, startLab, subagent } from "../../src/index.ts"
import { arrivals, observe, results, ruleFiles } from "./observations.ts"
import { openPair, playFree } from "./support.ts"

setDefaultTimeout(180_000)

let lab: Lab
beforeAll(async () => {
  lab = await startLab()
})
afterAll(() => lab.stop())

const SECRET = { "src/secret.rs": "unsafe { secret() }\n" }
/** What the host makes of an attachment stands as a text of the prompt. */
const PASTED = "unsafe { pasted"
const RULES = {
  path: "globs: '*.rs'",
  text: "fileContains: unsafe {",
  both: "globs: src/**\nfileContains: [unsafe, secret()]",
}

/** A tool of the project's own whose arguments and result look like those of the host's file tools. */
const lookalike = (name: string) => `{
  description: "shows a file",
  args: {},
  execute: async ({ filePath }) => \`<path>\${filePath}</path>\\n<type>file</type>\\n<content>\\n1: unsafe { ${name}\`,
}`

test("no other tool and no prose is a file source", async () => {
  const files = {
    ...SECRET,
    ".opencode/tool/peek.ts": `export default ${lookalike("tool")}`,
    ".opencode/plugin/look.ts": `export const Look = async () => ({ tool: { look: ${lookalike("plugin")}, patch: ${lookalike("patch")} } })`,
    ".opencode/skill/shown/SKILL.md": "---\nname: shown\ndescription: shown\n---\nsrc/secret.rs: unsafe {\n",
  }
  const prompt = "src/secret.rs has `unsafe {` in it, see @src/secret.rs"
  const patchText = "*** Begin Patch\n*** Add File: src/secret.rs\n+unsafe {\n*** End Patch"
  const todos = [{ content: "unsafe { in src/secret.rs", status: "pending", priority: "high" }]
  const pair = await openPair(lab, { files, rules: {}, mcp: ["docs"] })
  const { arrived, requests } = await observe(pair, { rules: RULES, prompt }, (project) => {
    const read = call("read", { filePath: project.path("src/secret.rs") })
    const like = { filePath: project.path("src/secret.rs"), content: "unsafe {", patchText }
    return [
      {
        ...calls(
          call("bash", { command: "cat src/secret.rs", description: "cat" }),
          call("grep", { pattern: "unsafe", include: "*.rs" }),
          call("peek", like),
          call("look", like),
          call("patch", like),
          call("docs_echo", { ...like, text: "unsafe {" }),
          call("skill", { name: "shown" }),
          call("todowrite", { todos }),
          subagent("read it", [read, say("src/secret.rs has unsafe {")]),
          call("glob", { pattern: "**/*.rs" }),
        ),
        text: "src/secret.rs has unsafe { in it",
      },
      read,
    ]
  })
  const shown = results(requests, 1)
  expect(shown).toHaveLength(10)
  expect(shown.pop()).toContain("src/secret.rs")
  for (const result of shown) expect(result).toContain("unsafe {")
  expect(arrived).toEqual([[], [], ["both", "path", "text"]])
})

test("a failed call is no observation", async () => {
  const files = { ...SECRET, "folder.rs/a.txt": "a\n", "src/denied.rs": "unsafe {\n" }
  const config = { permission: { "*": "allow", read: { "*": "allow", "*denied.rs": "deny" } } }
  const pair = await openPair(lab, { files, rules: {}, config })
  const { arrived, requests } = await observe(pair, { rules: RULES }, (project) => {
    const filePath = project.path("src/secret.rs")
    return [
      calls(
        call("read", { filePath: project.path("src/missing.rs") }),
        call("read", { filePath, offset: 9 }),
        call("read", { path: filePath }),
        call("read", { filePath: project.path("src/denied.rs") }),
        call("write", { filePath: project.path("folder.rs"), content: "unsafe {" }),
        call("edit", { filePath, oldString: "not there", newString: "unsafe {" }),
        call("cat_file", { filePath }),
      ),
      call("edit", { filePath, oldString: "secret()", newString: "unsafe {" }),
    ]
  })
  expect(results(requests, 1)).toEqual([
    expect.stringContaining("File not found"),
    expect.stringContaining("out of range"),
    expect.stringContaining("invalid arguments"),
    expect.stringContaining("rule which prevents you"),
    expect.stringContaining("BadResource"),
    expect.stringContaining("Could not find oldString"),
    expect.stringContaining("unavailable tool"),
  ])
  expect(arrived).toEqual([[], [], ["both", "path", "text"]])
})

test("what the user attaches or runs is no observation, and an attachment's text is no word of the prompt", async () => {
  const rules = ruleFiles({
    ...RULES,
    attached: "keywords: [unsafe, called the read tool]",
    written: "keywords: [please]",
  })
  const requests = await playFree(lab, { files: SECRET, rules, others: [PASTED] }, async (project) => {
    const session = await project.session()
    const file = (url: string, mime = "text/plain") => ({ type: "file" as const, mime, filename: "secret.rs", url })
    await project.client().session.shell({ sessionID: session.id, agent: "build", command: "cat src/secret.rs" })
    const parts = [
      { type: "text" as const, text: "Please look at @src/secret.rs" },
      file(pathToFileURL(project.path("src/secret.rs")).href),
      file(pathToFileURL(project.path("src")).href, "application/x-directory"),
      file(`data:text/plain;base64,${btoa(PASTED)}`),
    ]
    await session.prompt("", { parts, script: [say("seen")] })
    await session.prompt("", { parts: parts.slice(1), script: [say("seen again")] })
    await session.prompt("go on", [call("read", { filePath: project.path("src/secret.rs") }), say("done")])
    return session.requests()
  })
  const sent = requests[0]?.conversation ?? ""
  for (const text of ["Called the Read tool", "1: unsafe { secret() }", PASTED]) expect(sent).toContain(text)
  expect(arrivals(requests)).toEqual([["written"], [], [], ["both", "path", "text"]])
})
