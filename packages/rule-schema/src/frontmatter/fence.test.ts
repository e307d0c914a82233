import { describe, expect, test } from "bun:test"
import { KEY_TESTS } from "../known-keys.ts"
import { cutFrontmatter } from "./fence.ts"

describe("cutFrontmatter", () => {
  for (const [name, text, source, body] of [
    ["plain", "---\nglobs: a\n---\nBody\n", "globs: a\n", "Body"],
    ["byte-order mark", "\uFEFF---\nglobs: a\n---\nBody", "globs: a\n", "Body"],
    ["CRLF", "---\r\nglobs: a\r\n---\r\n\r\nOne\r\nTwo\r\n", "globs: a\r\n", "One\nTwo"],
    ["lone CR", "---\rglobs: a\r---\rBody", "globs: a\r", "Body"],
    ["blank lines above", "\n \t\n---\nglobs: a\n---\nBody", "globs: a\n", "Body"],
    ["comment above", "<!-- one\n---\ntwo -->\n\n---\nglobs: a\n---\nBody", "globs: a\n", "Body"],
    ["mark and comment above", "\uFEFF<!-- x -->\n---\nglobs: a\n---\nBody", "globs: a\n", "Body"],
    ["link comment above", "[//]: # (x)\n---\nglobs: a\n---\nBody", "globs: a\n", "Body"],
    ["another link comment above", "[comment]: # (x)\n---\nglobs: a\n---\nBody", "globs: a\n", "Body"],
    ["a heading over a key without a capital", "# T\n---\nreminder: x\n---\nBody", "reminder: x\n", "# T\n\nBody"],
    ["a heading over a blank line", "# T\n---\n\nglobs: a\n---\nBody", "\nglobs: a\n", "# T\n\nBody"],
    ["a heading over a comment", "# T\n---\n# c\nglobs: a\n---\nBody", "# c\nglobs: a\n", "# T\n\nBody"],
    [
      "headings, comments and lines of slashes above",
      "# T\n<!-- c -->\n## U\n\n// v\n/* w */\n---\nglobs: a\n---\nBody",
      "globs: a\n",
      "# T\n<!-- c -->\n## U\n\n// v\n/* w */\n\nBody",
    ],
    [
      "two comments above, of slashes and stars",
      "// x */\n/* a\n*/\n---\nglobs: a\n---\nB",
      "globs: a\n",
      "// x */\n/* a\n*/\n\nB",
    ],
    [
      "a block comment over lines with blanks behind it",
      "/* a\n*/ \n---\nglobs: a\n---\nB",
      "globs: a\n",
      "/* a\n*/\n\nB",
    ],
    [
      "dashes in block texts of items, with signs and comments behind theirs",
      "---\nx:\n  - |-  # c\n    ---\ny: >2\n    ---\n\n  ----\nglobs: a\n---\nBody",
      "x:\n  - |-  # c\n    ---\ny: >2\n    ---\n\n  ----\nglobs: a\n",
      "Body",
    ],
    [
      "several comments in a line above",
      "<!-- a --> <!-- b\n--><!-- c -->\n---\nglobs: a\n---\nBody",
      "globs: a\n",
      "Body",
    ],
    ["a heading above", "# T\n---\nglobs: a\n---\nBody", "globs: a\n", "# T\n\nBody"],
    ["an indented heading above", "  # T\n\t// c\n---\nglobs: a\n---\nBody", "globs: a\n", "  # T\n\t// c\n\nBody"],
    ["a heading over paragraphs", "# x\n---\nx: y\n\nglobs: a\n---\nBody", "x: y\n\nglobs: a\n", "# x\n\nBody"],
    ["a line comment above", "// generated\n\n---\nglobs: a\n---\nBody", "globs: a\n", "// generated\n\nBody"],
    ["a block comment above", "/* a\n b */\n---\nglobs: a\n---\nBody", "globs: a\n", "/* a\n b */\n\nBody"],
    ["an invisible character above", "\u200B\uFEFF---\nglobs: a\n---\nBody", "globs: a\n", "Body"],
    ["whitespace behind the closing fence", "---\nglobs: a\n--- \t\n# T\n---\nBody", "globs: a\n", "# T\n---\nBody"],
    ["blanks behind the opening fence", "--- \t\nglobs: a\n---\nBody", "globs: a\n", "Body"],
    [
      "dashes in a block text",
      "---\nx: |\n  --- \n  ----\nglobs: a\n---\nBody",
      "x: |\n  --- \n  ----\nglobs: a\n",
      "Body",
    ],
    ["a body that begins indented, as code does", "---\na: b\n---\n\n    x\n    y\n", "a: b\n", "    x\n    y"],
    ["an indented body below a heading", "# T\n---\nglobs: a\n---\n \n    x\n", "globs: a\n", "# T\n\n    x"],
    ["nothing below a heading", "# T\n---\nglobs: a\n---\n \n", "globs: a\n", "# T"],
    ["a byte-order mark below", "---\nglobs: a\n---\n \n\uFEFFBody", "globs: a\n", "Body"],
    ["empty", "---\n---\nBody", "", "Body"],
    ["closed at the end", "---\nglobs: a\n---", "globs: a\n", ""],
  ] as const) {
    test(name, () => expect(cutFrontmatter(text, KEY_TESTS)).toMatchObject({ kind: "fenced", source, body }))
  }

  test("without frontmatter, the body has no byte-order mark, and what follows a closing fence has none", () => {
    expect(cutFrontmatter("\uFEFFBody", KEY_TESTS)).toEqual({ kind: "none", body: "Body" })
    expect(cutFrontmatter("---\nglobs: a\n---\uFEFF\nBody", KEY_TESTS)).toMatchObject({ body: "Body" })
  })

  for (const [name, text, kind] of [
    ["no fence", "# Title\n\nBody", "none"],
    ["a heading and a thematic break", "# Title\n---\nSome text\n---\n", "none"],
    ["a heading, a break and prose with a key", "# Title\n---\nSome text\n\nname: x\n\n---\n", "none"],
    ["a thematic break later", "Text\n\n---\nglobs: a\n---\n", "none"],
    ["empty file", "", "none"],
    ["a heading, a break and a sentence that begins with a key", "# T\n---\nReminder: x.\n---\n", "none"],
    ["text behind a comment", "<!-- a --> b\n---\nglobs: a\n---\nBody", "none"],
    ["text behind a comment, with a comment's end", "<!-- a --> b -->\n---\nglobs: a\n---\nBody", "none"],
    ["a comment that does not end", "<!-- a\n---\nglobs: a\n---\nBody", "none"],
    ["a block comment that does not end", "/* a\n---\nglobs: a\n---\nBody", "none"],
    ["closed by two dashes of another kind", "---\nglobs: a\n\u2010\u2010\nBody\n---\n", "bad-fence"],
    ["closed by long dashes", "---\nglobs: a\n\u2015\u2013\u2014 \nBody\n---\n", "bad-fence"],
    ["one long dash", "---\nglobs: a\n\u2014\n---\n", "fenced"],
    ["closed by dots and blanks", "---\nglobs: a\n... \nBody\n---\n", "bad-fence"],
    ["four dots", "---\nglobs: a\n....\n---\n", "fenced"],
    ["closed by plus signs", "---\nglobs: a\n+++\t\nBody\n---\n", "bad-fence"],
    ["four plus signs", "---\nglobs: a\n++++\n---\n", "fenced"],
    ["closed by a line with a tab before it", "---\nglobs: a\n\t----\nBody\n---\n", "bad-fence"],
    ["two dashes with blanks before them", "---\nglobs: a\n  --\n---\n", "fenced"],
    ["never closed", "---\nglobs: a\n\nBody", "unclosed"],
    ["never closed, below a hash comment", "# x\n---\nglobs: a\n\nBody", "unclosed"],
    ["closed by dots", "---\nglobs: a\n...\nBody", "bad-fence"],
    ["closed by a line with text", "---\nglobs: a\n---# T\nBody\n---\nmore", "bad-fence"],
    ["closed by a line with a comment", "---\nglobs: a\n--- # c\nBody\n---\nmore", "bad-fence"],
    ["closed by four dashes", "---\nglobs: a\n----\nBody\n---\nmore", "bad-fence"],
    ["closed by an indented line", "---\nglobs: a\n  ---\nBody\n---\nmore", "bad-fence"],
    ["closed by a line at the margin of an empty block text", "---\na:\n  x: |\n  ---\nBody\n---\nmore", "bad-fence"],
    ["closed by an indented line below a block text", "---\nx: |\n  a\nglobs: a\n  ---\nBody\n---\n", "bad-fence"],
    ["four dashes", "----\nglobs: a\n----\nBody", "bad-fence"],
    ["four dashes behind an invisible character", "\u200B----\nglobs: a\n----\nBody", "bad-fence"],
    ["indented", " ---\nglobs: a\n ---\nBody", "bad-fence"],
    ["TOML", '+++\nglobs = "a"\n+++\nBody', "bad-fence"],
    ["a longer break over prose", "-----\nSome text\n", "none"],
  ] as const) {
    test(name, () => expect(cutFrontmatter(text, KEY_TESTS).kind).toBe(kind))
  }
})
