import { describe, expect, test } from "bun:test"
import { parseText } from "../../test/rule.ts"

/** `code line:column` of the errors of a broken rule; of one that works, its body. */
function outcome(text: string): string {
  const parsed = parseText(text)
  if (parsed.kind === "rule") return parsed.rule.body
  const errors = parsed.rule.problems.filter(({ severity }) => severity === "error")
  return errors.map(({ code, line, column }) => `${code} ${line}:${column}`).join(", ")
}

const BLOCK = '---\nglobs: "*.ts"\n---\n'

describe("conditions in a place where they are not read break the rule", () => {
  for (const [name, text, place] of [
    ["a second block", `---\ndescription: x\n---\n${BLOCK}Body`, "4:1"],
    ["a second block below blank lines", `---\ndescription: x\n---\n\n\n${BLOCK}Body`, "6:1"],
    ["a second block below an empty one", `---\n---\n${BLOCK}Body`, "3:1"],
    ["a second block, never closed", "---\nname: x\n---\n---\nglobs: a\n\nBody", "4:1"],
    ["a second block below text", `---\nname: x\n---\nText.\n\n${BLOCK}More.`, "6:1"],
    [
      "a second block with another tool's key",
      "---\nname: x\n---\n---\ndescription: y\nalwaysApply: false\n---\nBody",
      "4:1",
    ],
    ["a block below text", `Text.\n\n${BLOCK}Body`, "3:1"],
    ["a block directly below text", `Text.\n${BLOCK}Body`, "2:1"],
    ["a block below a heading in a body", `---\nname: x\n---\n# T\n${BLOCK}Body`, "5:1"],
    ["a block below a heading below text", `Text.\n\n# T\n${BLOCK}Body`, "4:1"],
    ["a block in TOML's fences", '# T\n\n+++\nglobs = "a"\n+++\nBody', "3:1"],
    ["a block with a blank line in it", "Text.\n\n---\nname: x\n\nglobs: a\n---\nBody", "3:1"],
    ["a block that begins with a blank line", "Text.\n\n---\n\nglobs: a\n---\nBody", "3:1"],
    ["a value in braces over lines", "keywords: {\n  a\n}\n\nBody", "1:1"],
    ["a block whose end has an invisible character", "Text.\n\n---\nglobs: a\n\u200B---\nBody", "3:1"],
    ["a block with an invisible character", "Text.\n\n\u200B---\nglobs: a\n---\nBody", "3:1"],
    ["the whole file in a code block", `\`\`\`markdown\n${BLOCK}Body\n\`\`\`\n`, "1:1"],
    ["the whole file in a code block of tildes", `~~~\n${BLOCK}Body\n~~~`, "1:1"],
    ["the whole file in a longer code block", `\`\`\`\`md\n${BLOCK}\`\`\`ts\nx\n\`\`\`\n\`\`\`\``, "1:1"],
    ["the frontmatter in a code block", `\`\`\`yaml\n${BLOCK}\`\`\`\nBody`, "1:1"],
    ["the frontmatter below a blank line in a code block", `\`\`\`yaml\n \n${BLOCK}\`\`\`\nBody`, "1:1"],
    ["a code block below a comment", `<!-- x -->\n\`\`\`markdown\n${BLOCK}Body\n\`\`\``, "2:1"],
    ["keys without fences in a code block", "```md\nglobs: a\n\nBody\n```", "1:1"],
    ["keys without fences", "globs: '*.ts'\nalwaysApply: false\n\n# Body", "1:1"],
    ["keys without fences, as a list", "paths:\n  - a\n  - b\n\nBody", "1:1"],
    ["keys without the first fence", "globs: '*.ts'\n---\nBody", "1:1"],
    ["keys in other fences", "***\nglobs: '*.ts'\n***\nBody", "2:1"],
    ["keys in long dashes", "———\nglobs: '*.ts'\n———\nBody", "2:1"],
    ["keys in two dashes", "--\nglobs: '*.ts'\n--\nBody", "2:1"],
    ["one key without fences", "alwaysApply: false\n\nBody", "1:1"],
    ["keys in another form without fences", "Globs: *.ts\n\nBody", "1:1"],
    ["conditions of ours without fences", "agent: build\nmatch: all\n\nBody", "1:1"],
    ["keys without fences below a frontmatter", "---\nname: x\n---\nglobs: '*.ts'\n\nBody", "4:1"],
    ["keys without fences below a heading", "# Queries\n\nglobs: '*.sql'\n\nBody", "3:1"],
    ["keys without fences directly below a heading", "# Queries\nglobs: '*.sql'\n\nBody", "2:1"],
    ["keys with spaces without fences", "Globs: *.ts, *.tsx\nAlways Apply: false\n\nBody", "1:1"],
    ["JSON without fences", '{"globs": "*.ts"}\n\nBody', "1:1"],
    ["a fence behind a comment in its line", "<!-- a -->---\nglobs: a\n---\nBody", "1:1"],
    ["two code blocks around the frontmatter", `\`\`\`\`md\n\`\`\`yaml\n${BLOCK}\`\`\`\nBody\n\`\`\`\``, "1:1"],
    ["conditions below another key", "---\ncursor:\n  globs: '*.ts'\n---\nBody", "3:3"],
    ["conditions below another key, in braces", "---\nrule: { alwaysApply: false }\n---\nBody", "2:9"],
    ["a value of three words with several blanks between them", "keywords: one  two \t three\n\nBody", "1:1"],
    ["a value of three words", "keywords: one two three, four five six\n\nBody", "1:1"],
    ...["'", '"', "[", "{", "|", ">"].map((sign) => {
      return [
        `a long value that begins with ${sign}`,
        `keywords: ${sign}one two three four five\n\nBody`,
        "1:1",
      ] as const
    }),
    ["a known word in capitals that no sentence has", "AlwaysApply: false\n\nBody", "1:1"],
    ["a key in quotes", '"globs": a\n\nBody', "1:1"],
    ["a key with an equals sign", "globs = a\n\nBody", "1:1"],
    ["a key without a value, and its list", "keywords:\n- a\n-\n  b\n]\n\nBody", "1:1"],
    ["keys below lines of signs", "* * *\nkeywords: a\n\nBody", "2:1"],
    ["keys below six headings' signs", "###### T\nkeywords: a\n\nBody", "2:1"],
    ["keys with a comment among them", "# T\n\nname: x\n# note\nkeywords: a\n\nBody", "3:1"],
    ["a block that is far down", `${"Text.\n".repeat(500)}\n${BLOCK}Body`, "502:1"],
    ["a block with two hundred lines", `Text.\n\n---\n${"a: b\n".repeat(199)}globs: a\n---\nBody`, "3:1"],
    ["a block below a closed code block", `Text.\n\n\`\`\`\nx\n\`\`\`\n\n${BLOCK}Body`, "7:1"],
    ["a block below a code block with a longer close", `Text.\n\n\`\`\`\nx\n\`\`\`\`\n\n${BLOCK}Body`, "7:1"],
    ["a block below an indented code block", `Text.\n\n  \`\`\`\n  x\n   \`\`\` \n\n${BLOCK}Body`, "7:1"],
    ["a block below a code block with a comment's start", `Text.\n\n\`\`\`\n<!--\n\`\`\`\n\n${BLOCK}Body`, "7:1"],
    ["a block with an empty item", "Text.\n\n---\nkeywords:\n-\n  b\n---\nBody", "3:1"],
    ["keys below many headings", `${"# T\n".repeat(201)}globs: a\n\nBody`, "202:1"],
    ["keys of two hundred lines", `${"a: b\n".repeat(199)}globs: a\n\nBody`, "1:1"],
    ["a block below a comment in one line", `Text.\n\n<!-- x -->\n\n${BLOCK}Body`, "5:1"],
    ["a block below a comment over lines", `Text.\n\n<!-- x\n-->\n\n${BLOCK}Body`, "6:1"],
    ["a block of four dashes below text", "Text.\n\n----\nglobs: a\n\nBody", "3:1"],
    ["an indented block below text", "Text.\n\n   ---\nglobs: a\n\nBody", "3:1"],
    ["keys with an invisible character", "\u200Bglobs: '*.ts'\n\nBody", "1:1"],
  ] as const) {
    test(name, () => expect(outcome(text)).toBe(`hidden-frontmatter ${place}`))
  }
})

test("of a long text the first 256 K characters are looked at", () => {
  const block = "\n---\nglobs: a\n---"
  const long = (length: number) => `Text.\n${"x".repeat(length - block.length - 6)}${block}`
  expect(outcome(long(256 * 1024))).toBe("hidden-frontmatter 3:1")
  expect(outcome(long(256 * 1024 + 1))).toBe(long(256 * 1024 + 1))
  // What is counted begins at the end of the line of the fence.
  const below = (length: number) => `---\nname: x\n---\n${long(length - 1)}`
  expect(outcome(below(256 * 1024))).toBe("hidden-frontmatter 6:1")
  expect(outcome(below(256 * 1024 + 1))).toBe(long(256 * 1024))
})

describe("a file that means what it says has no finding", () => {
  for (const [name, text] of [
    ["thematic breaks", "# T\n\nOne.\n\n---\n\nTwo.\n\n---\n\nThree.\n"],
    ["thematic breaks around a line with a colon", "One.\n\n---\nNote: this and that\n---\nTwo."],
    [
      "a thematic break over words that are keys too",
      "One.\n\n---\n\nAgent: the one that builds\nModel: any\n\n---\n\nTwo.",
    ],
    ["a sentence with a key in it", "One.\n\n---\n\nglobs: these say which files a rule is for\n"],
    ["a first line with a colon", "project: this repository has three packages\n\nText."],
    ["a heading with a rule under it", "Title\n---\n\nText."],
    ["an example in a code block", "# How rules look\n\n```markdown\n---\nglobs: '*.ts'\n---\nText.\n```\n"],
    ["an example in a code block of YAML", "# How rules look\n\n~~~yaml\nglobs: '*.ts'\n~~~\n"],
    ["a code block that comes first", "```yaml\nglobs: '*.ts'\n```\n\nThat is how a rule begins."],
    ["an example whose first line ends with dashes", "```\nnote ---\nglobs: a\n---\n```\n"],
    ["an example whose first word ends with dashes", "```\nnote---\nglobs: a\n---\n```\n"],
    ["an example that is indented", "# How rules look\n\n    ---\n    globs: '*.ts'\n    ---\n"],
    ["an example below a longer code block's fence", "# T\n\n````\n```\n---\nglobs: a\n---\n```\n````\n"],
    ["keys of nobody's frontmatter", "One.\n\n---\ntitle: x\nauthor: y\n---\nTwo."],
    ["a block of other keys below the frontmatter's place", "Name: x\nVersion: 2\n\nText."],
    ["a block in a comment", "Text.\n\n<!--\n---\nglobs: '*.ts'\n---\n-->\n\nMore."],
    ["a value of four words", "keywords: one, two three four five\n\nText."],
    ["a sentence that begins with a word that is a key", "Agent: build\n\nText."],
    ["a key of a sentence in capitals", "Keywords: deploy\n\nText."],
    ["a key with text behind it that is no key", "keywords: deploy\nand more\n\nText."],
    ["keys further down", "Text.\n\nkeywords: a\n\nMore."],
    ["a block with more than two hundred lines", `Text.\n\n---\n${"a: b\n".repeat(200)}globs: a\n---\nMore.`],
    ["keys of more than two hundred lines", `${"a: b\n".repeat(200)}globs: a\n\nText.`],
    ["a block that is indented as code", "Text.\n\n    ---\n    globs: a\n    ---\nMore."],
    ["a block in tildes", "Text.\n\n~~~\n---\nglobs: '*.ts'\n---\n~~~\n\nMore."],
    ["a block in a code block that other signs do not close", "Text.\n\n```\n~~~\n---\nglobs: a\n---\n```\nMore."],
    ["a block in a code block that a line with text does not close", "Text.\n\n```\n``` x\n---\nglobs: a\n---\n```"],
    ["a block in a comment that closes and opens in a line", "Text.\n\n<!--\n--> <!--\n---\nglobs: a\n---\n-->\n"],
    ["two dashes below text", "Text.\n\n--\nglobs: these are patterns for files\n--\n\nMore."],
    ["a table", "| a |\n| --- |\n| globs: x |\n"],
    ["a commit trailer", "End with:\n\n---\nCo-authored-by: me <a@b.c>\n"],
  ] as const) {
    test(name, () => {
      expect(parseText(text)).toMatchObject({ kind: "rule", problems: [], rule: { activation: "always" } })
      const below = parseText(`---\nglobs: "*.ts"\n---\n${text}`)
      expect(below).toMatchObject({ kind: "rule", problems: [], rule: { body: text.trim() } })
    })
  }
})

describe("a condition that would become part of another value breaks the rule, at its line", () => {
  for (const [frontmatter, place] of [
    ["description: x\n globs: a", "3:1"],
    ["title: x\n  globs: a", "3:1"],
    ["description: x\n 'globs': a", "3:1"],
    ['description: x\n  "globs" : a', "3:1"],
    ["description: x\nglobs:a", "3:1"],
    ["title: x\nglobs=a", "3:1"],
    ["description: x\nglobs：a", "3:1"],
    ["globs: *.ts\n  keywords: [x]", "3:1"],
    ["fileContains: foo\n  agent: x", "3:1"],
  ] as const) {
    test(JSON.stringify(frontmatter), () => {
      expect(outcome(`---\n${frontmatter}\n---\nBody`)).toBe(`yaml-syntax ${place}`)
    })
  }

  test("in a block text it is text", () => {
    expect(outcome("---\nnotes: |\n  globs: a\ndescription: >-\n  keywords: b\n---\nBody")).toBe("Body")
  })
})

describe("text of the rule in the frontmatter breaks the rule, at its line", () => {
  const rest = "# T\nNever log secrets.\n---\nAlso use tabs."
  for (const [name, text, expected] of [
    ["whitespace behind the closing fence", `---\nglobs: a\n--- \n${rest}`, rest],
    ["a tab behind the closing fence", `---\nglobs: a\n---\t\n${rest}`, rest],
    ["dots", `---\nglobs: a\n...\n${rest}`, "bad-fence 3:1"],
    ["a comment behind the fence", `---\nglobs: a\n--- # c\n${rest}`, "bad-fence 3:1"],
    ["a title behind the fence", `---\nglobs: a\n--- Title\n${rest}`, "bad-fence 3:1"],
    ["a heading glued to the fence", `---\nglobs: a\n---# T\n${rest}`, "bad-fence 3:1"],
    ["a heading glued to the only fence", "---\nglobs: a\n---# T\nBody", "bad-fence 3:1"],
    ["four dashes", `---\nglobs: a\n----\n${rest}`, "bad-fence 3:1"],
    ["an indented fence", `---\nglobs: a\n ---\n${rest}`, "bad-fence 3:1"],
    ["an indented fence below a list", `---\nglobs:\n  - a\n  ---\n${rest}`, "bad-fence 4:1"],
    ["an invisible character before the fence", `---\nglobs: a\n\u200B---\n${rest}`, "bad-fence 3:1"],
    ["long dashes", `---\nglobs: a\n———\n${rest}`, "bad-fence 3:1"],
    ["TOML's fence", `---\nglobs: a\n+++\n${rest}`, "bad-fence 3:1"],
    ["a second document", "---\nglobs: a\n--- !!map\nname: x\n---\nBody", "bad-fence 3:1"],
    ["no fence before text", `---\nglobs: a\n\n${rest}`, "yaml-syntax 5:1"],
    ["no fence before a list", "---\nglobs: a\n\n- Never log.\n\n---\nMore.", "yaml-syntax 4:1"],
    [
      "no fence before a list, below a description",
      "---\ndescription: x\n\n- Never log.\n---\nMore.",
      "yaml-syntax 4:1",
    ],
    ["no fence before a line with a colon", "---\nglobs: a\n\n# T\nNote: never log.\n---\nMore.", "unclosed-fence 5:1"],
    ["no fence before a sentence with a colon", "---\nglobs: a\n\nYou never: log.\n---\nMore.", "unclosed-fence 4:1"],
  ] as const) {
    test(name, () => expect(outcome(text)).toBe(expected))
  }
})
