import { expect, test } from "bun:test"
import { parseWith } from "../../test/rule.ts"

/** What a rule's first condition asks for, or "broken"; then each problem with its place. */
function outcome(frontmatter: string): readonly string[] {
  const parsed = parseWith(frontmatter)
  const problems = parsed.kind === "rule" ? parsed.problems : parsed.rule.problems
  const details = parsed.kind === "rule" ? (parsed.rule.conditions[0]?.details ?? parsed.rule.activation) : "broken"
  return [
    details,
    ...problems.map(({ severity, code, line, column, field, reason, remedy }) => {
      return `${severity} ${code} ${line}:${column} ${field}: ${reason}. ${remedy}`
    }),
  ]
}

const COMMENT = "; text after ` #` is a comment unless it is in quotes"
const KEYWORDS = "Write for example `keywords: [deploy, release]`"
const FROM_ROOT = "Write it from the project's root, begin it with `**/`, or write an absolute path"
const CONTAINS = 'Write for example `fileContains: "unsafe {"`'

test.each<[frontmatter: string, ...expected: string[]]>([
  ["keywords: [a, a , b, 'a']", 'prompt has one of "a", "b"'],
  ["keywords: a\u00a0, b", 'prompt has one of "a", "b"'],
  [`keywords: "'a', 'b', c'"`, `prompt has one of "a", "b", "c'"`],
  [`keywords: "'a' "`, `prompt has one of "'a'"`],
  [`keywords: ["'a', 'b'"]`, `prompt has one of "'a', 'b'"`],
  [`keywords: '"a", " b ", "'`, `prompt has one of "a", "b", """`],
  ['keywords: "a\\nb"', 'prompt has one of "a", "b"'],
  ['keywords: ["a\\nb"]', 'prompt has one of "a\\nb"'],
  ["keywords: [5, 1.50, No]", 'prompt has one of "5", "1.50", "No"'],
  ["keywords: 5", 'prompt has one of "5"'],
  ["keywords: [null, NULL]", 'prompt has one of "null", "NULL"'],
  ["keywords: null", "broken", `error empty-value 2:11 keywords: is empty. ${KEYWORDS}${COMMENT}`],
  [
    "keywords: [null, ~, b, ' ']",
    'prompt has one of "null", "b"',
    `warning dropped-entry 2:18 keywords: this entry is empty, so it is left out. ${KEYWORDS}`,
  ],
  [
    "keywords: [a, [b], '', { c: d }]",
    'prompt has one of "a"',
    `warning dropped-entry 2:15 keywords: a list in the list is not text, so it is left out. ${KEYWORDS}`,
    `warning dropped-entry 2:24 keywords: a mapping is not text, so it is left out. ${KEYWORDS}`,
    `warning dropped-entry 2:20 keywords: this entry is empty, so it is left out. ${KEYWORDS}`,
  ],
  ["keywords: [[b]]", "broken", `error wrong-type 2:12 keywords: a list in the list is not text. ${KEYWORDS}`],
  [
    "keywords: { a: b }",
    "broken",
    `error wrong-type 2:11 keywords: is a mapping, but takes text or a list of texts. ${KEYWORDS}`,
  ],
  ["fileContains: a, b", 'contains "a, b"'],
  ['fileContains: "a\\nb"', 'contains "a\\nb"'],
  ["fileContains:\n  -a b\n  -c", 'contains "-a b -c"'],
  ["fileContains: null", "broken", `error empty-value 2:15 fileContains: is empty. ${CONTAINS}${COMMENT}`],
  ["fileContains: ['', null]", "broken", `error empty-value 2:15 fileContains: is empty. ${CONTAINS}${COMMENT}`],
  ["fileContains: # x", "broken", `error empty-value 2:15 fileContains: is empty. ${CONTAINS}${COMMENT}`],
  ["fileContains:", "broken", `error empty-value 2:14 fileContains: is empty. ${CONTAINS}${COMMENT}`],
  [
    "fileContains: [x, 1.10]",
    'contains "x"',
    'warning dropped-entry 2:19 fileContains: 1.10 is not text, so it is left out. Put it in quotes: `"1.10"`',
  ],
  ["fileContains: 42", "broken", 'error wrong-type 2:15 fileContains: 42 is not text. Put it in quotes: `"42"`'],
  [
    "fileContains: \u200B'a'",
    "contains \"'a'\"",
    "warning invisible-character 2:15 fileContains: an invisible character around \"\\u200b'a'\" is ignored. Remove it",
  ],
  [
    'keywords: [b, "a\u2060"]',
    'prompt has one of "b", "a"',
    'warning invisible-character 2:15 keywords: an invisible character around "a\\u2060" is ignored. Remove it',
  ],
  ["keywords:\n  -a b\n  -c", 'prompt has one of "a b", "c"'],
  ["keywords: -a", 'prompt has one of "-a"'],
  ["keywords: ' a , , b '", 'prompt has one of "a", "b"'],
  ["model: 'A, b'", "model is one of A, b"],
  [
    "os: BeOS, linux",
    "os is one of linux",
    'warning dropped-entry 2:5 os: "beos" is not one of linux, darwin, win32, so it is left out. Write for example `os: [linux, darwin]`',
  ],
  [
    "globs: ['*.a', '{b', '*.c', '{d']",
    "broken",
    'error bad-glob 2:16 globs: the pattern "{b" does not compile: Missing closing: "}" - use "\\\\}" to match literal characters. Close its brackets and braces, escape literal ones with a backslash, or write several simpler patterns',
  ],
  [
    "globs:\n  - '!a'\n  - '!b'",
    "broken",
    'error only-exclusions 3:5 globs: has exclusions only, so it matches nothing. Add what to include, for example "**/*"',
  ],
  [
    "globs: [../a, '*.b', ../c, ~/d]",
    "../a, *.b, ../c, ~/d",
    `warning odd-pattern 2:28 globs: the pattern "~/d" begins with \`~\`, which is not replaced by a home folder. Write the absolute path`,
    ...['2:9 globs: the pattern "../a"', '2:22 globs: the pattern "../c"'].map(
      (place) => `warning dead-pattern ${place} has \`..\` in it, and paths are compared without. ${FROM_ROOT}`,
    ),
  ],
  [
    "globs: [../a, '!b']\nfileContains: x",
    "broken",
    `error dead-pattern 2:9 globs: the pattern "../a" has \`..\` in it, and paths are compared without. ${FROM_ROOT}`,
  ],
  ["project: [Go, GO, rust]", "project is one of go, rust"],
  [
    "os: [linux, macOS, Windows, amiga, constructor]",
    "os is one of linux",
    'warning dropped-entry 2:13 os: "macos" is not one of linux, darwin, win32, so it is left out. macOS is `darwin`',
    'warning dropped-entry 2:20 os: "windows" is not one of linux, darwin, win32, so it is left out. Windows is `win32`',
    'warning dropped-entry 2:29 os: "amiga" is not one of linux, darwin, win32, so it is left out. Write for example `os: [linux, darwin]`',
    'warning dropped-entry 2:36 os: "constructor" is not one of linux, darwin, win32, so it is left out. Write for example `os: [linux, darwin]`',
  ],
  ...["mac", "osx"].map((name): [string, ...string[]] => [
    `os: ${name}`,
    "broken",
    `error wrong-type 2:5 os: "${name}" is not one of linux, darwin, win32. macOS is \`darwin\``,
  ]),
  ["os: win", "broken", 'error wrong-type 2:5 os: "win" is not one of linux, darwin, win32. Windows is `win32`'],
  ["globs: |\n  *.a\n  *.b", "*.a, *.b"],
  [
    "globs: >\n  *.a\n  *.b",
    "*.a *.b",
    'warning odd-pattern 2:8 globs: the pattern "*.a *.b" has several patterns with only whitespace between them. Separate them with commas, or write a list',
  ],
  ["branch: |\n  a\n  b", "branch is one of a, b"],
  ["applyTo: [a, b]\nglobs: [b, c]\npaths: d", "b, c, d, a"],
  [
    "globs: ''\npaths: a",
    "broken",
    'error empty-value 2:8 globs: is empty. Write for example `globs: ["src/**/*.rs", "!**/generated/**"]`; text after ` #` is a comment unless it is in quotes',
  ],
  ["ci: YES", "running in CI"],
  ["ci: 'off'", "not running in CI"],
  ["ci:", "broken", "error wrong-type 2:4 ci: is neither true nor false. Write `ci: true` or `ci: false`"],
  ["ci: [true]", "broken", "error wrong-type 2:5 ci: is neither true nor false. Write `ci: true` or `ci: false`"],
])("%j asks for %s", (frontmatter, ...expected) => {
  expect(outcome(frontmatter)).toEqual(expected)
})
