import { describe, expect, test } from "bun:test"
import { mkdir, symlink, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { RuleProblem } from "@opencode-rulebook/rule-schema"
import { ERRORS, type ProblemCode, WARNINGS } from "@opencode-rulebook/rule-schema/reference"
import { LINTS } from "../src/lints/table.ts"
import { rule, testProject } from "./project.ts"

/** A project with the problem, as texts by path, and what cannot be written as a text. */
interface Case {
  readonly files: Readonly<Record<string, string>>
  readonly more?: (directory: string) => Promise<void>
  /** The folder in which the command starts, below the project's. */
  readonly from?: string
}

/** A rule file with this text. */
function text(content: string, path = "rules/a.md"): Case {
  return { files: { [path]: content } }
}

/** A rule with this frontmatter. */
function keys(frontmatter: string, body?: string): Case {
  return text(rule(frontmatter, body))
}

function hook(line: string): Case {
  return keys(`hooks:\n  - type: PreToolUse\n    tool: bash\n    ${line}`)
}

/** A project whose `opencode.json` names a pack, which has these files. */
function pack(files: Readonly<Record<string, string>>): Case {
  const config = JSON.stringify({ plugin: [["opencode-rulebook", { packs: ["@acme/rules"] }]] })
  const inPack = Object.entries(files).map(([path, content]) => [`node_modules/@acme/rules/${path}`, content])
  return { files: { "opencode.json": config, "rules/ok.md": "Fine.", ...Object.fromEntries(inPack) } }
}

function config(options: object): Record<string, string> {
  return { "opencode.json": JSON.stringify(options) }
}

const CASES: Readonly<Record<ProblemCode, Case>> = {
  "yaml-syntax": keys("globs: [a"),
  "not-a-mapping": keys("- a\n- b"),
  "duplicate-key": keys("globs: '*.a'\nglobs: '*.b'"),
  "unknown-key": keys("keywrods: deploy"),
  "unsupported-key": keys("regex: x"),
  "unclosed-fence": text("---\nglobs: '*.ts'\n\nText.\n"),
  "bad-fence": text("---\nglobs: '*.ts'\n----\nText.\n"),
  "hidden-frontmatter": text("globs: '*.ts'\n\nText.\n"),
  "wrong-type": keys("globs: 5"),
  "unknown-value": keys("trigger: sometimes"),
  contradiction: keys("alwaysApply: true\ntrigger: manual"),
  "no-patterns": keys("inclusion: fileMatch"),
  "empty-value": keys("keywords: []"),
  "bad-glob": keys(`globs: "${"{a,b}".repeat(20)}"`),
  "only-exclusions": keys("globs: '!*.ts'"),
  "bad-regex": hook("match: '('"),
  "empty-body": keys("keywords: deploy", ""),
  "too-large": keys(`keywords: [${"deploy, ".repeat(40_000)}]`),
  "not-utf8": { files: {}, more: (directory) => write(directory, "b.md", Uint8Array.from([0x42, 0xe9, 0x52])) },
  unreadable: { files: {}, more: (directory) => link(directory, "nowhere.md", "dangling.md") },
  "bad-directory": text("A file in the folder's place.", ".opencode/rules"),
  "dead-pattern": keys("globs: '../x/*.ts'"),
  "duplicate-id": {
    files: { "rules/web/css.md": "One.", "web/.opencode/rules/css.md": "Two." },
    from: "web",
  },
  "hidden-character": pack({
    "package.json": JSON.stringify({ "opencode-rulebook": { rules: "." } }),
    "a.md": "Use tabs.\u{E0041}",
  }),
  "key-form": keys("glob: '*.ts'"),
  "invisible-character": text("\u200B---\nkeywords: deploy\n---\nText.\n"),
  "stray-line": keys("globs: '*.ts'\nThis is: a sentence"),
  "ignored-condition": keys("alwaysApply: true\nkeywords: deploy"),
  "dropped-entry": keys("os: [linux, macos]"),
  "odd-pattern": keys("globs: 'src/**.ts'"),
  "foreign-key": {
    files: { ".cursor/rules/a.mdc": rule("alwaysApply: true\nkeywords: deploy"), ...rulesOf("cursor") },
  },
  "not-followed": { files: { ".claude/rules/a.md": "Read @docs/style.md first.", ...rulesOf("claude") } },
  "missing-pack": pack({}),
  "bad-pack": pack({ "package.json": "{}" }),
  "outside-link": { files: {}, more: (directory) => link(directory, "/etc/hostname", "linked.md") },
  "not-read": text("Text.", ".opencode/rule/a.md"),
  "also-instructions": { files: { "rules/a.md": "Text.", ...config({ instructions: [".opencode/rules/*.md"] }) } },
  "long-reminder": keys(`remind: 20000\nreminder: ${"word ".repeat(300)}`),
  "useless-block": keys("hooks:\n  - type: PostToolUse\n    block: true"),
  "short-reach": hook("match: '(a)\\1'"),
}

const OF_LINTS: Readonly<Record<string, Case>> = {
  "broad-keyword": keys("keywords: code"),
  "trimmed-literal": keys("fileContains: ' unsafe'"),
  "glob-without-file": keys("globs: 'nowhere/*.ts'"),
  "always-on": keys("ci: false\nkeywords: deploy"),
  "no-description": keys("alwaysApply: false"),
  "impossible-all": keys("match: all\nglobs: ['*.ts', '!**/*']\nkeywords: deploy"),
  "impossible-condition": keys("globs: ['*.ts', '!**/*']"),
  "impossible-hook": hook("match: '^git push'"),
  "unknown-name": keys("agent: nobody"),
  "name-case": keys("agent: Build"),
  "split-literal": keys("forbid: [f(a, b)]"),
  "literal-expression": keys("fileContains: 'TODO|FIXME'"),
  "duplicate-name": { files: { "rules/a.md": rule("name: Same"), "rules/b.md": rule("name: Same") } },
  "large-body": text("word ".repeat(20_000)),
  "always-true-regex": hook("match: '.*'"),
  "idle-hold": keys("hold: true\nkeywords: deploy"),
  "idle-remind": keys("remind: 20000\nagent: build"),
  "costly-remind": keys("remind: 2000", "word ".repeat(4000)),
  "idle-reminder": keys("reminder: Be careful."),
  "broad-literal": keys("forbid: var"),
  "redundant-literal": keys("forbid: [console, console.log]"),
  "required-literal": keys("fileContains: debugger\nforbid: debugger"),
  "forbidden-example": keys("forbid: debugger", "Good:\n\n```js\ndebugger\n```\n"),
}

describe("every code of the reference is one that `check` finds, with what is wrong and what to do", () => {
  for (const [code, each] of Object.entries<Case>({ ...CASES, ...OF_LINTS })) {
    test(code, async () => {
      const found = (await check(each)).filter((finding) => finding.code === code)
      expect(found.map(({ severity }) => severity)).toContain(code in ERRORS ? "error" : "warning")
      for (const { reason, remedy } of found) expect([reason, remedy].every((part) => part.trim() !== "")).toBe(true)
    })
  }

  test("the lints' and the plugin's codes are all there, each once", () => {
    const listed = [...Object.keys(ERRORS), ...Object.keys(WARNINGS), ...LINTS.map(({ code }) => code)]
    expect(Object.keys({ ...CASES, ...OF_LINTS }).toSorted()).toEqual(listed.toSorted())
  })
})

async function check({ files, more, from = "." }: Case): Promise<readonly RuleProblem[]> {
  await using project = await testProject({ "global/other.md": "Text.", ...files }, true)
  await more?.(project.directory)
  const { out } = await project.run(["check", "--json", "-C", from])
  return (JSON.parse(out) as { findings: RuleProblem[] }).findings
}

function rulesOf(tool: string): Record<string, string> {
  return config({ plugin: [["opencode-rulebook", { rulesOf: [tool] }]] })
}

async function write(directory: string, name: string, content: Uint8Array): Promise<void> {
  const path = join(directory, ".opencode/rules", name)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
}

async function link(directory: string, target: string, name: string): Promise<void> {
  const path = join(directory, ".opencode/rules", name)
  await mkdir(dirname(path), { recursive: true })
  await symlink(target, path)
}
