import { join } from "node:path"
import { compileNamePattern, compilePathPattern } from "../src/glob/compile.ts"
import { nameForm, pathForms } from "../src/glob/path-form.ts"
import { splitPatterns } from "../src/glob/split.ts"
import { describeConditions, summariseConditions } from "../src/index.ts"
import { parseText } from "./rule.ts"

/** Texts of rule files, each of which is damaged in many small ways. */
const rules: readonly string[] = [
  "---\nglobs: '**/*.rs'\nfileContains: \"unsafe {\"\n---\nSay why.\n",
  "---\nname: All\nglobs: [src/**/*.ts, !dist/**]\nkeywords: [deploy, .env]\nmatch: all\n---\nBody.",
  "---\nglobs: *.ts, *.tsx # both\ndescription: What it is: about\nalwaysApply: false\n---\n\nBody.",
  "---\nfileContains:\n  - @ts-ignore\n  - #include\n  - unsafe {, extern\n---\nBody.",
  "---\nkeywords: [#todo, f(a, b), 'don''t', \"x\\ty\"]\nbranch: [main, !\"release/*\"]\n---\nBody.",
  "---\nhooks:\n  - type: PreToolUse\n    tool: bash|edit\n    match: '\\bgit push\\b'\n    block: true\n---\nNever push.",
  "---\nhooks:\n  - { type: PostToolUse, tool: *, match: { command: a, path: 'b$' }, run: make x }\n---\nBody.",
  '---\nos: [linux, darwin]\nci: "true"\nagent: build\nmodel: lab/m1\ntools: [mcp_x, bash]\ncommand: /review\nproject: node\n---\nBody.',
  '---\npaths:\n- src/[id]/**\n- (m)/{a,b}.ts\n\nhold: true\nremind: 5000\nforbid: [eval(, "any "]\nreminder: No eval.\n---\nBody.',
  "---\r\nglobs: a\r\n--- \r\n\r\nOne\r\nTwo\r\n",
  "\uFEFF<!-- c -->\n---\napplyTo: '**/*.md'\n---\nBody.",
  "# Title\n---\nglobs: a\n---\nBody.",
  "// made\n---\nGlobs: a\nalways-apply: true\n---\nBody.",
  "```yaml\n---\nglobs: a\n---\n```\nBody.",
  "Text.\n\n---\nkeywords: [x]\n---\nMore.",
  "---\ninclusion: manual\ndescription: >\n  One\n  two\n---\nBody.",
  "---\ntrigger: always_on\nglobs:\n  - a\n---\nBody.",
  "---\nglobs: |\n  *.a\n  *.b\nkeywords: >-\n  one\n  two\n---\nBody.",
  '---\nx: &a { globs: b }\ny: *a\nglobs: [\n  "a",\n  b\n]\n---\nBody.',
  "---\nrule:\n  globs: a\ntitle: x\nkeyword: deploy\nmatch: ALL\n---\nBody.",
  '---\nfileContains: \'a\', "b"\nglobs: "*.ts", !"**/*.test.ts"\n---\nBody.',
  "---\nname: 'A ''b'''\nbranch: release/*, hotfix-?\nmodel: [a, b/c]\nremind: 2k\n---\nBody.",
  "Only text, with globs: in a sentence.\n",
]

const patterns: readonly string[] = [
  ...["[x[!y].ts", "[!x[:]y].ts", "[a^b].ts"],
  ...["src/**/*.rs", "*.{ts,tsx}", "/src/*.ts", "!dist/**", "app/[id]/page.tsx", "app/(shop)/*.ts", "!(a|b).ts"],
  ...["{src,lib}/**", "v{1..12}.md", "[!a-c]?.ts", "**/test/**", "./a/../b/*.c", "src\\[id]\\*.ts", "\\{a,b\\}.ts"],
  ...[
    "C:/dev/app/*.ts",
    "//host/share/*.ts",
    "@(a|b)/+(c)/*(d)/?(e).ts",
    "[[...rest]]/x",
    "a b/*.ts",
    "*",
    "**",
    "src/",
  ],
  ...[
    '["a.ts", b.ts]',
    "a.ts, 'b,c.ts'; d.ts | e.ts",
    '- "x.ts"',
    "{{slug}}/**",
    "café/*",
    "+page@(app).svelte",
    ".env*",
  ],
]

const paths: readonly string[] = [
  ...["[x[!y].ts", "x.ts", "^.ts", "[a^b].ts"],
  ...["a.ts", "b.ts", "c.ts", "e.ts", "a.tsx", "src/a.rs", "src/x/y/a.rs", "lib/a.ts", "src/[id]/a.ts", "src/i/a.ts"],
  ...[
    "app/[id]/page.tsx",
    "app/i/page.tsx",
    "app/(shop)/x.ts",
    "app/shop/x.ts",
    "dist/a.js",
    "v2.md",
    "v10.md",
    "v13.md",
  ],
  ...[
    "ab.ts",
    "db.ts",
    "x/test/y",
    "test/y",
    "b/x.c",
    "a/b/x.c",
    "{a,b}.ts",
    "a/c/d/e.ts",
    "b/cc/dd/.ts",
    "[[...rest]]/x",
  ],
  ...["a b/c.ts", ".env", "x/.env.local", "{{slug}}/a", "cafe\u0301/a", "x/+page@(app).svelte", "src/a/b", "/etc/x.ts"],
  ...[
    "/home/dev/app/src/a.ts",
    "/home/dev/x/src/a.rs",
    "C:\\dev\\app\\a.ts",
    "\\\\host\\share\\a.ts",
    "../x.ts",
    "b,c.ts",
  ],
]

const TOKENS = [
  ..."-,'\"#:[]{}()!*\\ \n\t&|>`@/.a1",
  "---\n",
  "\r\n",
  "\u200B",
  "\uFEFF",
  "- ",
  ": ",
  " #",
  "[a]",
  "!x",
  "**",
]

/** The same texts for everybody: each is a text with one or two small changes, by a linear congruential generator. */
function damaged(texts: readonly string[], each: number): readonly string[] {
  let state = 1
  const below = (most: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff
    return Math.floor((state / 2 ** 31) * most)
  }
  function change(text: string): string {
    const at = below(text.length + 1)
    const token = TOKENS[below(TOKENS.length)] ?? ""
    const end = at + 1 + below(3)
    const way = below(3)
    return text.slice(0, at) + (way === 0 ? "" : token) + text.slice(way === 1 ? at : end)
  }
  return texts.flatMap((text) => {
    const changed = Array.from({ length: each }, (_, index) => (index % 3 === 0 ? change(change(text)) : change(text)))
    return [text, ...changed]
  })
}

export const ruleTexts: readonly string[] = [...new Set(damaged(rules, 60))]
export const patternTexts: readonly string[] = [...new Set(damaged(patterns, 20))]
export const recordFile = join(import.meta.dir, "readings.jsonl")

/** How a rule file is read: what it asks for in words, what is left of its text, and each problem with its place. */
export function readingOf(text: string): readonly string[] {
  const parsed = parseText(text)
  const problems = parsed.kind === "rule" ? parsed.problems : parsed.rule.problems
  const told = problems.map(({ severity, code, line, column, field }) =>
    [severity[0], code, `${line}:${column}`, field ?? ""].join(" "),
  )
  if (parsed.kind === "broken") return ["broken", parsed.rule.name, ...told]
  const { rule } = parsed
  const { name, match, activation, description, body } = rule
  const facts = [name, match, activation, description ?? "", body.length, summariseConditions(rule)]
  return [facts.join(" / "), ...describeConditions(rule), ...told]
}

/** How a pattern is read, and which of the paths it matches, as a path and as a name: 3 means both. */
export function patternReadingOf(text: string): readonly string[] {
  const form = pathForms({ root: "/home/dev/app", directory: "/home/dev/app/" })
  return splitPatterns(text).map((source) => {
    const asPath = compilePathPattern(source)
    const asName = compileNamePattern(source)
    if (asPath.kind === "bad") return `${source}: ${asPath.reason}`
    const { excludes, folder, endings } = asPath.pattern
    const matches = paths.map((path) => {
      const isName = asName.kind === "pattern" && asName.pattern.matches(nameForm(path))
      return (asPath.pattern.matches(form(path)) ? 1 : 0) + (isName ? 2 : 0)
    })
    const notes = asPath.notes.map((note) => JSON.stringify(note))
    return [source, excludes, folder, endings, matches.join(""), ...notes].join(" ")
  })
}

/** `bun test/readings.ts` records the readings anew, after a change that is meant. */
if (import.meta.main) {
  const lines = [
    ...ruleTexts.map((text) => JSON.stringify(["rule", text, ...readingOf(text)])),
    ...patternTexts.map((text) => JSON.stringify(["pattern", text, ...patternReadingOf(text)])),
  ]
  await Bun.write(recordFile, `${lines.join("\n")}\n`)
}
