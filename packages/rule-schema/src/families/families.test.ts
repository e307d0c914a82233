import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { observes } from "../../test/observes.ts"
import { ruleWith } from "../../test/rule.ts"
import { NO_FACTS } from "../facts.ts"
import { evaluateRule, explainObservation, FAMILIES, type Facts } from "../index.ts"
import { keywordPattern } from "./keyword-pattern.ts"

describe("keywords at a word start", () => {
  for (const [keyword, prompt, expected] of [
    ["test", "run Testing now", true],
    ["test", "the contest", false],
    ["test", "a _test", false],
    ["test", "a-test", true],
    ["test", "1test", false],
    [".env", "edit .env", true],
    [".env", "process.env", false],
    ["@angular", "use @angular/core", true],
    ["@angular", "me@angular.io", false],
    ["--force", "push --force", true],
    ["c++", "write C++ code", true],
    ["=>", "x=>y", true],
    ["écrire", "il faut \u00C9crire", true],
    ["\u00E9crire", "e\u0301crire", true],
    ["crire", "écrire", false],
    ["привет", "скажи ПРИВЕТ", true],
    ["部署", "请部署到服务器", true],
    ["テスト", "単体テストを書く", true],
    ["배포", "지금 배포해", true],
    ["국어", "한국어", false],
    ["deploy", "请deploy到", true],
    ["deploy", "지금deploy", true],
    ["ทดสอบ", "การทดสอบ", true],
    ["pull  request", "open a pull\n request", true],
    ["a.b", "axb", false],
    ["$HOME", "echo $home", true],
    ["ς", "ΛΟΓΟΣ σ", true],
  ] as const) {
    test(`${keyword} in ${JSON.stringify(prompt)}`, () => {
      expect(keywordPattern(keyword).test(prompt.normalize("NFC"))).toBe(expected)
    })
  }

  test("a keyword is found alone and behind a blank, whatever it is", () => {
    const keyword = fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => text.trim() !== "")
    fc.assert(
      fc.property(keyword, (text) => {
        expect(keywordPattern(text).test(text.normalize("NFC"))).toBeTrue()
        expect(keywordPattern(text).test(`x ${text.trim()}`.normalize("NFC"))).toBeTrue()
      }),
    )
  })

  test("it is what one expression with a lookbehind would find", () => {
    const unspaced = ["Han", "Hiragana", "Katakana", "Thai"].map((script) => `\\p{scx=${script}}`).join("")
    const inWord = `(?<![[\\p{L}\\p{M}\\p{N}_]--[${unspaced}\\p{scx=Hangul}]])`
    const plainWay = (keyword: string) => {
      if (new RegExp(`^[${unspaced}]`, "v").test(keyword) || !/[\p{L}\p{M}\p{N}_]/v.test(keyword)) return ""
      return /^\p{scx=Hangul}/v.test(keyword) ? "(?<!\\p{scx=Hangul})" : inWord
    }
    const character = fc.constantFrom(
      "a",
      "A",
      "b",
      "_",
      "1",
      "é",
      "ς",
      "Σ",
      "部",
      "テ",
      "배",
      "ด",
      "𝒳",
      "😀",
      ".",
      "+",
      " ",
    )
    const word = fc.string({ unit: character, minLength: 1, maxLength: 3 }).filter((text) => text.trim() !== "")
    const isSame = (keyword: string, text: string) => {
      const source = keyword
        .trim()
        .split(/\s+/)
        .map((part) => part.replace(/[.+]/g, "\\$&"))
        .join("\\s+")
      const plain = new RegExp(plainWay(keyword.trim()) + source, "iv")
      expect([keyword, text, keywordPattern(keyword).test(text)]).toEqual([keyword, text, plain.test(text)])
    }
    fc.assert(fc.property(word, fc.string({ unit: character, maxLength: 12 }), isSame), { numRuns: 2000 })
  })

  test("a latin keyword is not found inside a word", () => {
    const word = fc.stringMatching(/^[a-z]{1,6}$/)
    fc.assert(
      fc.property(
        word,
        word,
        (before, keyword) => !keywordPattern(`${keyword}é`).test(`${before}${keyword}é`) || before === "",
      ),
    )
  })
})

describe("facts that a declaration meets", () => {
  const facts = (known: Partial<Facts>): Facts => ({ ...NO_FACTS, ...known })
  const model = { providerID: "openrouter", modelID: "anthropic/claude" }
  for (const [frontmatter, known, expected] of [
    ["command: [/review]", { command: "review" }, true],
    ["command: review", { command: "/review" }, true],
    ["command: review", { command: "reviews" }, false],
    ["project: [go, rust]", { project: new Set(["rust"]) }, true],
    ["project: go", { project: new Set<string>() }, false],
    ["os: linux", { os: "linux" }, true],
    ["os: win32", { os: "linux" }, false],
    ["ci: false", { ci: false }, true],
    ["ci: false", {}, false],
    ["agent: [plan]", { agent: "plan" }, true],
    ["agent: plan", { agent: "Plan" }, true],
    ["agent: Build", { agent: "build" }, true],
    ["agent: Builder", { agent: "build" }, false],
    ["command: /Review", { command: "review" }, true],
    ["model: Anthropic/Claude", { model }, true],
    ["tools: [Bash]", { tools: new Set(["shell"]) }, true],
    ["tools: mcp_GitHub", { tools: new Set(["read", "mcp_github"]) }, true],
    ["tools: mcp_github", { tools: new Set(["mcp_GitHub"]) }, true],
    ["model: anthropic/claude", { model }, true],
    ["model: openrouter/anthropic/claude", { model }, true],
    ["model: claude", { model }, false],
    ["branch: [main, release/*]", { branch: "release/1" }, true],
    ["branch: release/*", { branch: "release/1/x" }, false],
    ["branch: *", { branch: "feature/x" }, true],
    ["branch: ['**', '!main']", { branch: "main" }, false],
    ["branch: main", {}, false],
    ["tools: mcp_github", { tools: new Set(["mcp_github"]) }, true],
    ["tools: lsp", {}, false],
    ["keywords: deploy", {}, false],
  ] as const) {
    test(`${frontmatter} with ${JSON.stringify(known)}`, () => {
      const evaluation = evaluateRule(ruleWith(frontmatter), facts(known))
      expect(evaluation.matched).toBe(expected)
      expect(evaluation.verdicts[0]?.why).not.toBe("")
    })
  }
})

describe("the file family", () => {
  const meets = (frontmatter: string, path: string, content: string | undefined) =>
    observes(ruleWith(frontmatter), { path, tool: "read", content }, "/home/dev/app")

  test("path and text must be of one observation", () => {
    const frontmatter = "globs: '**/*.rs'\nfileContains: unsafe {"
    expect(meets(frontmatter, "src/a.rs", "fn x() { unsafe { y() } }")).toBeTrue()
    expect(meets(frontmatter, "src/a.rs", "fn x() {}")).toBeFalse()
    expect(meets(frontmatter, "src/a.ts", "unsafe { }")).toBeFalse()
    expect(meets(frontmatter, "src/a.rs", undefined)).toBeFalse()
  })

  test("literals: case, metacharacters, OR, lines", () => {
    expect(meets("fileContains: TODO", "a", "todo")).toBeFalse()
    expect(meets("fileContains: a.*b", "a", "axxb")).toBeFalse()
    expect(meets("fileContains: a.*b", "a", "x a.*b")).toBeTrue()
    expect(meets("fileContains: [one, two]", "a", "two")).toBeTrue()
    expect(meets("fileContains: |\n  a\n  b", "x", "a\nb")).toBeTrue()
    expect(meets("fileContains: |\n  a\n  b", "x", "a\r\nb")).toBeTrue()
    expect(meets('fileContains: "a\\r\\nb"', "x", "a\nb")).toBeTrue()
    expect(meets("fileContains: |\n  a\n  b", "x", "a b")).toBeFalse()
  })

  test("other families observe nothing", () => {
    expect(meets("keywords: a", "a", "a")).toBeFalse()
  })

  for (const [frontmatter, path, content, expected] of [
    ["globs: '*.rs'", "src/a.rs", "", "path matches *.rs"],
    ["globs: ['*.rs', '*.ts']", "src/a.go", "", "path does not match *.rs, *.ts"],
    ["globs: ['*.rs', '!src/**']", "src/a.rs", "", "path matches *.rs, but also !src/**"],
    ["globs: '*.rs'\nfileContains: [x, y]", "a.rs", "y", 'path matches *.rs, its text has "y"'],
    ["globs: '*.rs'\nfileContains: [x, y]", "a.rs", "z", 'path matches *.rs, its text has none of "x", "y" literally'],
    ["fileContains: x", "a.rs", undefined, "its text is not known"],
    ["keywords: a", "a", "a", undefined],
  ] as const) {
    test(`why ${path} meets ${JSON.stringify(frontmatter)} or not`, () => {
      const observation = { path, tool: "read", content }
      expect(explainObservation(ruleWith(frontmatter), observation, "/home/dev/app")).toBe(expected)
    })
  }
})

describe("what a condition sees is one name, met or not, and never text", () => {
  const observed = new Map([[ruleWith("globs: x").id, "src/a.rs"]])
  for (const [frontmatter, known, expected] of [
    ["globs: '*.rs'", { observed }, "src/a.rs"],
    ["globs: '*.rs'", {}, undefined],
    ["keywords: secret", { prompt: "a secret" }, undefined],
    ["command: review", { command: "/review" }, "review"],
    ["command: review", { command: "deploy" }, "deploy"],
    ["project: [node, rust]", { project: new Set(["monorepo", "rust"]) }, "rust"],
    ["project: go", { project: new Set(["monorepo", "rust"]) }, undefined],
    ["project: go", { project: new Set(["rust"]) }, "rust"],
    ["os: linux", { os: "darwin" }, "darwin"],
    ["ci: true", { ci: true }, undefined],
    ["agent: Build", { agent: "build" }, "build"],
    ["model: gpt-5", { model: { providerID: "openai", modelID: "gpt-5" } }, "openai/gpt-5"],
    ["model: other", {}, undefined],
    ["branch: 'release/*'", { branch: "release/1" }, "release/1"],
    ["tools: [shell, lsp]", { tools: new Set(["read", "bash"]) }, "bash"],
    ["tools: lsp", { tools: new Set(["read", "bash"]) }, undefined],
  ] as const) {
    test(`${frontmatter}: ${expected}`, () => {
      const rule = ruleWith(frontmatter)
      expect(rule.conditions[0]?.seen({ ...NO_FACTS, ...known }, rule.id)).toBe(expected)
    })
  }
})

test("every row of the table is named as its family", () => {
  expect(Object.entries(FAMILIES).map(([name, family]) => [name, family.name])).toEqual(
    Object.keys(FAMILIES).map((name) => [name, name as keyof typeof FAMILIES]),
  )
})
