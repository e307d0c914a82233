import { describe, expect, test } from "bun:test"
import { codes, said } from "../../test/linted.ts"

describe("texts that are expressions in an author's mind", () => {
  const reported = (key: string, texts: readonly string[]) =>
    texts.filter((text) => said(`${key}: ${JSON.stringify([text])}`, "literal-expression").length > 0)

  test.each<[what: string, expressions: readonly string[], literals: readonly string[]]>([
    [
      "in slashes",
      ["/a+/", "/a+/gi", "/a\nb+\n/", "/a$/", "/a|b/", "/a\\b/", "/a?b/", "/(a)/", "/[a]/", "/^a/", "/a*/"],
      ["/a+", "a/b+/", "/**/x+/", "/*a+/", "/a+/q", "/ab/"],
    ],
    ["from a line's start", ["^import", "^\\d", "^(a)", "^[a", "^é"], ["^1", "x^import", "^ x", "^.x", "^18.2"]],
    [
      "any characters",
      [".*", ".+", "x .*", "(a).+", "a].*", "a}.*", "^.*"],
      ["x.*", "x.* y", "x..*", "*.*", "x .", "x . *"],
    ],
    [
      "classes, boundaries and groups",
      ["\\d+", "x\\s", "\\w{2}", "\\D?", "\\S*", "\\W", "\\ba", "a\\b", "(?:x", "(?=x", "(?!x", "(?<x", "\\S+x"],
      ["\\dx", "\\b", " \\b ", "(?x", "\\sx", "a\\d(", "\\n+", "C:\\Windows"],
    ],
    [
      "sets",
      ["[a-z]", "[A-Z]x", "[^0-9]", "[a-zA-Z]", "x[a-z_]y"],
      ["[0-9", "[a-y]", "[b-z]", "[^^a-z]", "[ a-z]", "a-z]"],
    ],
    [
      "alternatives",
      ["a|b", "a-b|c_d", "(a|b)", "strings|b", "astring|b"],
      ["a|string", "None|x", "a b|c", "(a)|b", "a||b", "a|b;", "x(a|b)", "|a", "(a|b", "(a\n|b)", "a"],
    ],
  ])("%s", (_what, expressions, literals) => {
    expect(reported("fileContains", [...expressions, ...literals])).toEqual([...expressions])
    expect(reported("forbid", [...expressions, ...literals])).toEqual([...expressions])
  })

  test("alternatives in a keyword may be phrases, and need not be code", () => {
    const phrases = ["a b|c", "string|b", "(roll back|undo it)", "a|b|c d-e"]
    expect(reported("keywords", [...phrases, "a  b|c", "a |", "a|", "c++", "a/b"])).toEqual(phrases)
  })

  test("what the author can write instead", () => {
    const literally = (place: string, text: string, remedy: string) =>
      `${place}: "${text}" looks like a regular expression, but is compared literally. ${remedy}.`
    const plain =
      "Write the text as it stands in the file or the prompt, several in a list; only a hook's `match` takes expressions"
    expect(
      said(
        "fileContains: [ok, (a-b|c)]\nkeywords: 'roll back|undo'\nforbid: [^import|export, '.*']",
        "literal-expression",
      ),
    ).toEqual([
      literally("2:20 fileContains", "(a-b|c)", "Write a list: `[a-b, c]`"),
      literally("3:11 keywords", "roll back|undo", "Write a list: `[roll back, undo]`"),
      literally("4:10 forbid", "^import|export", plain),
      literally("4:26 forbid", ".*", plain),
    ])
  })
})

test("keywords that most prompts have", () => {
  const remedy = "Use words or phrases that only prompts about this rule's subject have."
  expect(said("keywords: [auth, GO, deploy, The, é, ж, 9, é2, ab, the code, constructor]", "broad-keyword")).toEqual([
    `2:12 keywords: "auth" also matches words that begin with it, such as "author", "authentic". ${remedy}`,
    `2:18 keywords: "GO" also matches words that begin with it, such as "good", "going", "google". ${remedy}`,
    `2:30 keywords: "The" is in nearly every prompt. ${remedy}`,
    `2:35 keywords: "é" matches every word that begins with this letter. ${remedy}`,
  ])
  expect(codes("match: all\nkeywords: the")).toBe("broad-keyword 3:11")
  expect(codes("match: all\nkeywords: the\nci: true")).toBe("")
  expect(codes("match: any\nkeywords: the\nci: true")).toBe("broad-keyword 3:11")
})

test("the words of ordinary prompts are all too broad", () => {
  for (const prompt of [
    "please fix the bug in this file so that they can use it",
    "implement what we need and make all of my code work like that",
    "change every line which would use it when you update our project",
    "how do I get some help if there was an issue with the type of this value",
    "also any new class or function as you write them",
    "yes create the files and then look for more",
  ]) {
    const words = prompt.split(" ").filter((word) => codes(`keywords: ['${word}']`) !== "broad-keyword 2:12")
    expect(words).toEqual([])
  }
})

test("forbidden literals that other words have, or that contain another one", () => {
  const part = (column: number, text: string) =>
    `2:${column} forbid: "${text}" is part of other words, and they count: literals are not compared as words. Add a neighbouring character, such as \`: any\` or \`var x\`.`
  const contains = (column: number, text: string, other: string) =>
    `2:${column} forbid: "${text}" contains "${other}", which is forbidden too. Keep the one that is meant.`
  expect(said("forbid: [z, abc, wxyz, Var, q1, ':z:']", "broad-literal")).toEqual([part(10, "z"), part(13, "abc")])
  expect(said("forbid: [debugger;, debugger, console, x.debugger;]", "redundant-literal")).toEqual([
    contains(10, "debugger;", "debugger"),
    contains(40, "x.debugger;", "debugger;"),
  ])
})

test("a forbidden literal that the rule's files have already", () => {
  const remedy = "Remove it from `fileContains`, and name the files with `globs` if the rule is not for every file."
  expect(said("fileContains: [unsafe fn, unsafe block]\nforbid: [TODO, unsafe]", "required-literal")).toEqual([
    `3:16 forbid: \`fileContains\` asks for what is forbidden: every file that it matches has "unsafe". ${remedy}`,
  ])
  expect(said("keywords: deploy\nforbid: TODO", "required-literal")).toEqual([])
  expect(said("alwaysApply: true\nfileContains: TODO\nforbid: TODO", "required-literal")).toEqual([])
})

test("whitespace around a text is removed; a line's end of a block text is not the author's", () => {
  const removed = (place: string, written: string, text: string) =>
    `${place}: the whitespace around "${written}" is removed, so the rule looks for "${text}". Remove the whitespace, or add a neighbouring character that makes the text unambiguous.`
  expect(
    said(
      "fileContains: [' a b', \"\\n\", ok, '  ']\nkeywords: [' x y', 'q  ']\nforbid: \"\\tt\\n \"",
      "trimmed-literal",
    ),
  ).toEqual([
    removed("2:16 fileContains", " a b", "a b"),
    removed("3:12 keywords", " x y", "x y"),
    removed("3:20 keywords", "q  ", "q"),
    removed("4:9 forbid", "\\tt\\n ", "t"),
  ])
  expect(said("fileContains: |+\n  unsafe {\n    x\n\n\nci: true", "trimmed-literal")).toEqual([])
})

test("a list in brackets cuts at each comma", () => {
  const cut = (place: string, first: string, second: string, whole: string) =>
    `${place}: "${first}" and "${second}" are two texts here, and look like one. Put it in quotes: \`'${whole}'\`.`
  const frontmatter =
    "fileContains: [ok, f(a, b), 'g(', h), i(, 'j)']\nforbid: [f(a  ,  b), don't(x, y), ok, k(), l(, m, n, o), p)(, q)]"
  expect(said(frontmatter, "split-literal")).toEqual([
    cut("2:20 fileContains", "f(a", "b)", "f(a, b)"),
    cut("3:10 forbid", "f(a", "b)", "f(a  ,  b)"),
    cut("3:22 forbid", "don't(x", "y)", "don''t(x, y)"),
  ])
  expect(said("forbid:\n  - f(a\n  - b)", "split-literal")).toEqual([])
  expect(said("forbid: [f(a, it{x, y})]", "split-literal")).toEqual([])
})

test("a rule on request that nothing describes", () => {
  const reason = "the rule is left to the model's judgement and has no `description`, so it is never delivered"
  const remedy = "Add a `description`, or a condition such as `keywords` or `globs`."
  for (const [frontmatter, place] of [
    ["alwaysApply: false", "2:1 alwaysApply"],
    ["name: x\ntrigger: manual", "3:1 trigger"],
    ["globs: '*.ts'\ninclusion: manual", "3:1 inclusion"],
    ["description:\nglobs:\nalwaysApply: false", "4:1 alwaysApply"],
  ] as const) {
    expect(said(frontmatter, "no-description")).toEqual([`${place}: ${reason}. ${remedy}`])
  }
  expect(said("description: Deploys\nalwaysApply: false", "no-description")).toEqual([])
  expect(said("alwaysApply: true", "no-description")).toEqual([])
})
