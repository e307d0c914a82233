import { expect, test } from "bun:test"
import { parseText } from "../../test/rule.ts"

/** A rule's problems in full. */
function problemsOf(text: string): readonly string[] {
  const parsed = parseText(text)
  const problems = parsed.kind === "rule" ? parsed.problems : parsed.rule.problems
  return problems.map(({ severity, code, line, column, field, reason, remedy }) => {
    return `${severity} ${code} ${line}:${column}${field === undefined ? "" : ` ${field}`}: ${reason}. ${remedy}`
  })
}

const NEITHER =
  "this line is neither `key: value` nor part of the value above it. Indent it or put the value in quotes; the rule's text goes below a line that is exactly `---`"
const CLOSE = "Close the frontmatter with a line that is exactly `---`"
const SWALLOWED = `this looks like the rule's text, but stands in the frontmatter. ${CLOSE} above the rule's text`
const OPEN = "Put the value in single quotes, or close the bracket or quote that is open"
const FENCES =
  "these lines look like frontmatter, but are not between fences. Put a line that is exactly `---` above the keys and one below"
const ALMOST = `this line is almost a fence, and does not close the frontmatter. ${CLOSE}`
const part = (key: string) =>
  `this line is read as part of \`${key}\`. Indent it; or, if it is the rule's text, move it below the closing \`---\``
const ownKey = (key: string) =>
  `this line looks like a key of its own, but is read as part of \`${key}\`. Begin the line at the margin, and put a space after its colon`
const noKeys = (what: string) =>
  `the frontmatter is ${what}, not \`key: value\` lines. If these lines are the rule's text, put an empty frontmatter (\`---\` twice) above them`
const MOVE = "move its keys into the frontmatter at the top of the file, or put an example into a code block"

test.each<[text: string, ...expected: string[]]>([
  // Fences.
  [
    "---\nglobs: a\n\nBody",
    "error unclosed-fence 1:1: the frontmatter is never closed. Close it with a line that is exactly `---`; a file without frontmatter must not begin with one",
  ],
  ["---\nglobs: a\n----\nBody", `error bad-fence 3:1: ${ALMOST}`],
  ["---\nglobs: a\n\u2014\u2014\nBody\n---\n", `error bad-fence 3:1: ${ALMOST}`],
  [
    "----\nglobs: a\n----\nBody",
    "error bad-fence 1:1: the first line is almost a frontmatter fence. Open the frontmatter with a line that is exactly `---`",
  ],
  // Keys where they are not read.
  [
    "```md\n---\nglobs: a\n---\nBody\n```",
    "error hidden-frontmatter 1:1: the frontmatter is inside a code block, where it is not read. Remove the lines with the code block's fences",
  ],
  ["globs: a\n\nBody", `error hidden-frontmatter 1:1: ${FENCES}`],
  [
    "Text.\n\n---\nglobs: a\n---\nBody",
    `error hidden-frontmatter 3:1: text stands above this frontmatter, which is therefore not read. Move the text below the frontmatter; or ${MOVE}`,
  ],
  [
    "---\nname: x\n---\n---\nglobs: a\n---\nBody",
    `error hidden-frontmatter 4:1: this second block of frontmatter is not read. M${MOVE.slice(1)}`,
  ],
  // Lines that are no keys.
  ["---\nNever log.\n---\nMore.", `error not-a-mapping 2:1: ${noKeys("text")}`],
  ["---\n - a\n - b\n---\nMore.", `error not-a-mapping 2:1: ${noKeys("a list")}`],
  ["---\n[a\n---\nMore.", `error yaml-syntax 3:1: \`[\` is not closed. ${OPEN}`],
  ["---\nNever log.\nglobs: *.ts\n---\nMore.", `error yaml-syntax 2:1: ${NEITHER}`],
  ["---\nglobs: *.ts\nNever log.\n---\nMore.", `error yaml-syntax 3:1 globs: ${NEITHER}`],
  ["---\ntitle: a\n\nNever log.\n---\nMore.", `error yaml-syntax 4:1: ${NEITHER}`],
  ["---\ndescription: a\n- b\n---\nMore.", `error yaml-syntax 3:1: ${NEITHER}`],
  [
    "---\ndescription: a\nb\n c\nd\n---\nMore.",
    ...[3, 5].map((line) => `warning stray-line ${line}:1 description: ${part("description")}`),
  ],
  ["---\ndescription: x\nglobs:a\n---\nMore.", `error yaml-syntax 3:1: ${ownKey("description")}`],
  ["---\nglobs: *.ts\n  keywords: [x]\n---\nMore.", `error yaml-syntax 3:1: ${ownKey("globs")}`],
  ["---\nglobs: a\n\nYou never: log.\n---\nMore.", `error unclosed-fence 4:1: ${SWALLOWED}`],
  ["---\nglobs: a\n\n# Title\nnote: x\n---\nMore."],
  ["---\nglobs: a\n\n# Title\nnote: x!\n---\nMore.", `error unclosed-fence 5:1: ${SWALLOWED}`],
  ["---\nglobs: a\n\n# Title\nNote: x\n---\nMore.", `error unclosed-fence 5:1: ${SWALLOWED}`],
  ["---\nglobs: a\n\nNote: x\n---\nMore."],
  ["---\nglobs: a\n\nNote: x.\n---\nMore.", `error unclosed-fence 4:1: ${SWALLOWED}`],
  ["---\nglobs: a\nNote: x.\n---\nMore."],
  ["---\n\nNote: x.\n---\nMore."],
  ["---\nglobs: a\n\nNote: x.\n  more\n---\nMore.", `error unclosed-fence 4:1: ${SWALLOWED}`],
  ["---\nglobs: a\n\nNote: x\n  more.\n---\nMore."],
  ["---\nglobs: a\n\nNote: x.\n\nAlso this: y.\n---\nMore.", `error unclosed-fence 4:1: ${SWALLOWED}`],
  ["---\nglobs: a\n\nNote: x? \n---\nMore.", `error unclosed-fence 4:1: ${SWALLOWED}`],
  ["---\nglobs: a\n\nnote: x.\n---\nMore."],
  ["---\nglobs: a\n\nyou never: log\n---\nMore.", `error unclosed-fence 4:1: ${SWALLOWED}`],
  ["---\nglobs: a\n\n# Title\nyou never: x\n---\nMore.", `error unclosed-fence 5:1: ${SWALLOWED}`],
  ["---\nglobs: a\n\nNote: x.\nos: linux\n---\nMore."],
  ...["* b", "+ b", "> b", "| b", "~~~", "```", "1. b", "12) b"].map((line): [string, string] => [
    `---\ndescription: a\n${line}\nglobs: x\n---\nMore.`,
    `error yaml-syntax 3:1: ${NEITHER}`,
  ]),
  ...["1.b", "~~ b", "`` b"].map((line): [string, string] => [
    `---\ndescription: a\n${line}\nglobs: x\n---\nMore.`,
    `warning stray-line 3:1 description: ${part("description")}`,
  ]),
  ...["Use it", "Use`x", "Use*x", "f(x", "f)x"].map((key): [string, string] => [
    `---\n${key}: y\nglobs: a\n---\nMore.`,
    "warning stray-line 2:1: this line is read as a key that has no effect. If it is the rule's text, move it below the closing `---`",
  ]),
  [
    "---\nYou never: log\nglobs: a\n---\nMore.",
    "warning stray-line 2:1: this line is read as a key that has no effect. If it is the rule's text, move it below the closing `---`",
  ],
  // Values.
  ['---\nkeywords: "a\n---\nMore.', `error yaml-syntax 2:1 keywords: a quote is not closed. ${OPEN}`],
  ["---\nfileContains: [a, 'b\n---\nMore.", `error yaml-syntax 2:1 fileContains: a quote is not closed. ${OPEN}`],
  ["---\nkeywords: [a, b\n---\nMore.", `error yaml-syntax 2:1 keywords: \`[\` is not closed. ${OPEN}`],
  [
    '---\nname: x\nkeywords: "a\\d"\n---\nMore.',
    "error yaml-syntax 3:13 keywords: a backslash in double quotes begins an escape that does not exist. Use single quotes: backslashes are plain characters there",
  ],
  ["---\nglobs:\n\tkeywords: x\n---\nMore.", `error yaml-syntax 3:1: ${ownKey("globs")}`],
  ["---\n\tglobs: x\n---\nMore.", "error yaml-syntax 2:1: the line is indented with a tab. Indent with spaces"],
  [
    "---\nglobs: a\nname: b\nglobs: *.c\n---\nMore.",
    "error duplicate-key 4:1 globs: the key is declared twice. Keep one of them, with all the values",
  ],
  // The whole of it.
  [
    "---\nglobs: a\u0007b\n---\nMore.",
    "error yaml-syntax 2:9: the frontmatter has a control character in it. Remove it",
  ],
  [
    `---\nglobs: ${"[".repeat(60)}\n---\nMore.`,
    "error yaml-syntax 2:1: the frontmatter is nested or aliased without bound. Write the values out, without nesting or aliases",
  ],
  [
    `---\nglobs: *.ts\nx: ${"y".repeat(256 * 1024)}\n---\nMore.`,
    "error too-large 2:1: the frontmatter is longer than 256 KB. Move text below the closing `---`",
  ],
  [`---\nglobs: a\n#${"y".repeat(256 * 1024 - 11)}\n---\nMore.`],
  // A rule's own parts.
  [
    "---\nname: ''\n---\nMore.",
    "error empty-value 2:1 name: is not text. Write a name, or remove the key: the file's name is used then",
  ],
  [
    "---\nname: [a]\n---\nMore.",
    "error wrong-type 2:1 name: is not text. Write a name, or remove the key: the file's name is used then",
  ],
  [
    "---\nmatch: some\n---\nMore.",
    "error wrong-type 2:8 match: is neither any nor all. Write `match: any` or `match: all`",
  ],
  ["---\nmatch:\n---\nMore.", "error wrong-type 2:7 match: is neither any nor all. Write `match: any` or `match: all`"],
  [
    "---\nglobs: a\n---\n",
    "error empty-body 1:1: the rule has no text. Write what the model should know below the frontmatter",
  ],
  [
    "---\nhooks: { type: PreToolUse, block: true }\n---\n",
    "warning empty-body 1:1: the rule has no text. Write what the model should know below the frontmatter",
  ],
])("%j", (text, ...expected) => {
  expect(problemsOf(text)).toEqual(expected)
})
