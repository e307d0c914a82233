import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { call, type Lab, say, startLab } from "../../src/index.ts"
import { pluginLog } from "./log.ts"
import { counts, RULEBOOK } from "./support.ts"

setDefaultTimeout(180_000)

let lab: Lab
beforeAll(async () => {
  lab = await startLab()
})
afterAll(() => lab.stop())

const declares = (frontmatter: string) => `---\n${frontmatter}\n---\nBROKEN`

/** Each kind of broken rule: its file, where its warning points, and the reason and the remedy that it gives. */
const BROKEN: Readonly<
  Record<string, readonly [file: string | Uint8Array, place: string, reason: string, remedy: string]>
> = {
  yaml: [declares("keywords: [go"), "2:1 keywords", "`[` is not closed", "Put the value in single quotes"],
  tab: [declares("\tkeywords: go"), "2:1", "indented with a tab", "Indent with spaces"],
  twice: [declares("keywords: go\nkeywords: went"), "3:1 keywords", "declared twice", "Keep one"],
  list: [declares("- keywords"), "2:1", "is a list, not `key: value`", "If these lines are the rule's text"],
  open: ["---\nkeywords: go\nBROKEN", "1:1", "never closed", "Close it with a line that is exactly `---`"],
  fence: ["----\nkeywords: go\n---\nBROKEN", "1:1", "almost", "Open the frontmatter with a line that is exactly `---`"],
  mapping: [declares("keywords: {go: went}"), "2:11 keywords", "is a mapping", "Write for example `keywords: "],
  nothing: [declares("fileContains: ['', ' ']"), "2:15 fileContains", "is empty", "Write for example `fileContains: "],
  number: [declares("globs: 42"), "2:8 globs", "42 is not text, so this rule never matches", "Put it in quotes: `"],
  os: [declares("os: [macos]"), "2:6 os", '"macos" is not one of', "macOS is `darwin`"],
  project: [declares("project: java"), "2:10 project", '"java" is not one of', "Write for example `project: "],
  ci: [declares("ci: maybe"), "2:5 ci", "neither true nor false", "Write `ci: true` or `ci: false`"],
  match: [declares("match: some"), "2:8 match", "neither any nor all", "Write `match: any` or `match: all`"],
  name: [declares("name: [x]"), "2:1 name", "is not text", "Write a name, or remove the key"],
  glob: [declares('globs: "[a"'), "2:8 globs", "does not compile", "Close its brackets"],
  bound: [declares('globs: "{1..1000000}"'), "2:8 globs", "does not compile", "Close its brackets"],
  exclusions: [declares('globs: "!a"'), "2:8 globs", "exclusions only", "Add what to include"],
  regex: [
    declares("hooks:\n  - type: PreToolUse\n    match: '('"),
    "4:12 hooks[0].match",
    "does not compile",
    "Write a JavaScript regular expression",
  ],
  hook: [declares("hooks:\n  - type: Before"), "3:11 hooks[0].type", "is not a hook type", "Write PreToolUse or"],
  empty: ["---\nkeywords: go\n---\n", "1:1", "has no text", "Write what the model should know"],
  latin: [Uint8Array.from([0x42, 0xe9, 0x52]), "1:1", "is not UTF-8 text", "Save it as UTF-8"],
  huge: ["BROKEN".repeat(2_000_000), "1:1", "is larger than 10 MB", "Split it"],
}

test("a broken rule never matches, and one warning says where, why and what to do; the others are unaffected", async () => {
  const broken = Object.entries(BROKEN).map(([name, [file]]) => [`broken/${name}.md`, file] as const)
  const others = {
    "typo.md": "---\nkeyword: [went]\nos: [linux, darwin, win32, macos]\n---\nRule with a typo.",
    "ok.md": "Rule that is well.",
  }
  const rules = { ...others, ...Object.fromEntries(broken) }
  const project = await lab.project({ rules, files: { "a.rs": "" }, plugins: [RULEBOOK] })
  for (const session of [await project.session(), await project.session()]) {
    const { requests } = await session.prompt("go", [call("read", { filePath: project.path("a.rs") }), say("done")])
    expect(counts(requests, "BROKEN")).toEqual([0, 0])
    for (const rule of ["Rule that is well.", "Rule with a typo."]) expect(counts(requests, rule)).toEqual([1, 1])
  }

  const folder = project.path(".opencode/rules/")
  const log = await pluginLog(lab, folder, broken.length + 2)
  expect(log).toHaveLength(broken.length + 2)
  for (const [name, [, place, reason, remedy]] of Object.entries(BROKEN)) {
    const own = log.filter((line) => line.startsWith(`${folder}broken/${name}.md:${place}: `))
    expect(own).toHaveLength(1)
    expect(own[0]).toContain(reason)
    expect(own[0]).toContain(`. ${remedy}`)
  }
  expect(log.filter((line) => line.startsWith(`${folder}typo.md:`))).toEqual([
    expect.stringMatching(/typo\.md:2:1 keyword: is read as `keywords`\. Write `keywords`/),
    expect.stringMatching(/typo\.md:3:28 os: "macos" .+ left out\. /),
  ])
})
