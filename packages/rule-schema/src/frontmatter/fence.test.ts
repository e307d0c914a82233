import { describe, expect, test } from "bun:test"
import { cutFrontmatter } from "./fence.ts"

const isKnownKey = (key: string) => key === "globs" || key === "name"

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
    ["hash comment above", "# vim: x\n---\nglobs: a\n---\nBody", "globs: a\n", "Body"],
    ["hash comment over paragraphs", "# x\n---\nx: y\n\nglobs: a\n---\nBody", "x: y\n\nglobs: a\n", "Body"],
    ["blanks behind the opening fence", "--- \t\nglobs: a\n---\nBody", "globs: a\n", "Body"],
    [
      "almost closing lines",
      "---\nx: |\n  --- \n---- \nglobs: a\n---\nBody",
      "x: |\n  --- \n---- \nglobs: a\n",
      "Body",
    ],
    ["empty", "---\n---\nBody", "", "Body"],
    ["closed at the end", "---\nglobs: a\n---", "globs: a\n", ""],
  ] as const) {
    test(name, () => expect(cutFrontmatter(text, isKnownKey)).toMatchObject({ kind: "fenced", source, body }))
  }

  for (const [name, text, kind] of [
    ["no fence", "# Title\n\nBody", "none"],
    ["a heading and a thematic break", "# Title\n---\nSome text\n---\n", "none"],
    ["a heading, a break and prose with a key", "# Title\n---\nSome text\n\nname: x\n\n---\n", "none"],
    ["a thematic break later", "Text\n\n---\nglobs: a\n---\n", "none"],
    ["empty file", "", "none"],
    ["never closed", "---\nglobs: a\n\nBody", "unclosed"],
    ["never closed, below a hash comment", "# x\n---\nglobs: a\n\nBody", "unclosed"],
    ["closed by something else", "---\nglobs: a\n--- \nBody", "unclosed"],
    ["closed by dots", "---\nglobs: a\n...\nBody", "unclosed"],
    ["four dashes", "----\nglobs: a\n----\nBody", "bad-fence"],
    ["indented", " ---\nglobs: a\n ---\nBody", "bad-fence"],
    ["TOML", '+++\nglobs = "a"\n+++\nBody', "bad-fence"],
    ["a longer break over prose", "-----\nSome text\n", "none"],
  ] as const) {
    test(name, () => expect(cutFrontmatter(text, isKnownKey).kind).toBe(kind))
  }
})
