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
    [
      "several comments in a line above",
      "<!-- a --> <!-- b\n--><!-- c -->\n---\nglobs: a\n---\nBody",
      "globs: a\n",
      "Body",
    ],
    ["a heading above", "# T\n---\nglobs: a\n---\nBody", "globs: a\n", "# T\n\nBody"],
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
    ["never closed", "---\nglobs: a\n\nBody", "unclosed"],
    ["never closed, below a hash comment", "# x\n---\nglobs: a\n\nBody", "unclosed"],
    ["closed by dots", "---\nglobs: a\n...\nBody", "bad-fence"],
    ["closed by a line with text", "---\nglobs: a\n---# T\nBody\n---\nmore", "bad-fence"],
    ["closed by a line with a comment", "---\nglobs: a\n--- # c\nBody\n---\nmore", "bad-fence"],
    ["closed by four dashes", "---\nglobs: a\n----\nBody\n---\nmore", "bad-fence"],
    ["closed by an indented line", "---\nglobs: a\n  ---\nBody\n---\nmore", "bad-fence"],
    ["closed by a line at the margin of an empty block text", "---\na:\n  x: |\n  ---\nBody\n---\nmore", "bad-fence"],
    ["four dashes", "----\nglobs: a\n----\nBody", "bad-fence"],
    ["indented", " ---\nglobs: a\n ---\nBody", "bad-fence"],
    ["TOML", '+++\nglobs = "a"\n+++\nBody', "bad-fence"],
    ["a longer break over prose", "-----\nSome text\n", "none"],
  ] as const) {
    test(name, () => expect(cutFrontmatter(text, KEY_TESTS).kind).toBe(kind))
  }
})
