import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { observes } from "../../test/observes.ts"
import { ruleWith } from "../../test/rule.ts"
import { NO_FACTS } from "../facts.ts"
import { evaluateRule, explainObservation, FAMILIES } from "../index.ts"
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
    ["ㄅㄆ", "ㄇㄅㄆ", true],
    ["ພາສາ", "ກພາສາ", true],
    ["ភាសា", "កភាសា", true],
    ["စာ", "ကစာ", true],
    ["བོད", "ཀབོད", true],
    ["かな", "文字かな", true],
    ["жук", "ажук", false],
    ["aab", "xaaab aab", true],
    ["a a", "xa a a", true],
    ["𝒳", "x𝒳", false],
    ["x", "𝒳x", false],
    ["x", "😀x", true],
    ["pull request", "pullrequest", false],
  ] as const) {
    test(`${keyword} in ${JSON.stringify(prompt)}`, () => {
      expect(keywordPattern(keyword).test(prompt.normalize("NFC"))).toBe(expected)
    })
  }

  test("no sign in a keyword has a meaning", () => {
    for (const sign of "\\^$.*+?()[]{}|/-&~#!@%<>=,:;'\"`") {
      for (const keyword of [`a${sign}b`, `${sign}b`, `${sign}${sign}`]) {
        const at = (text: string) => keywordPattern(keyword).test(text)
        expect([keyword, at(`x ${keyword}`), at("ab b x")]).toEqual([keyword, true, false])
      }
    }
  })

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

describe("facts that a declaration meets, and what is said of them", () => {
  const model = { providerID: "openrouter", modelID: "anthropic/claude" }
  const names = ["a", "b", "c", "d", "e"]
  for (const [frontmatter, known, met, why] of [
    ["command: [/review]", { command: "review" }, true, "command is review"],
    ["command: review", { command: "/review" }, true, "command is review"],
    ["command: review", { command: "reviews" }, false, "command is not one of review"],
    ["command: /Review", { command: "review" }, true, "command is Review"],
    ["command: a/b", { command: "b" }, false, "command is not one of a/b"],
    ["command: review", {}, false, "no command given"],
    ["project: [go, rust]", { project: new Set(["rust"]) }, true, "project is rust"],
    ["project: go", { project: new Set<string>() }, false, "project is not one of go"],
    ["project: go", {}, false, "no project given"],
    ["os: linux", { os: "linux" }, true, "os is linux"],
    ["os: [win32, darwin]", { os: "linux" }, false, "os is not one of win32, darwin"],
    ["os: linux", {}, false, "no os given"],
    ["ci: true", { ci: true }, true, "running in CI"],
    ["ci: true", { ci: false }, false, "not running in CI"],
    ["ci: false", { ci: false }, true, "not running in CI"],
    ["ci: false", { ci: true }, false, "running in CI"],
    ["ci: false", {}, false, "not known whether this is CI"],
    ["agent: [plan]", { agent: "plan" }, true, "agent is plan"],
    ["agent: plan", { agent: "Plan" }, true, "agent is plan"],
    ["agent: Build", { agent: "build" }, true, "agent is Build"],
    ["agent: Builder", { agent: "build" }, false, "agent is not one of Builder"],
    [`agent: [${names}]`, { agent: "x" }, false, "agent is not one of a, b, c +2"],
    ['agent: ["a\\e[1m"]', { agent: "x" }, false, "agent is not one of a\\u001b[1m"],
    ["agent: a", {}, false, "no agent given"],
    ["model: Anthropic/Claude", { model }, true, "model is Anthropic/Claude"],
    ["model: anthropic/claude", { model }, true, "model is anthropic/claude"],
    ["model: openrouter/anthropic/claude", { model }, true, "model is openrouter/anthropic/claude"],
    ["model: claude", { model }, false, "model is not one of claude"],
    ["model: openrouter", { model }, false, "model is not one of openrouter"],
    ["model: claude", {}, false, "no model given"],
    ["tools: [lsp, Bash]", { tools: new Set(["shell"]) }, true, "tool is Bash"],
    ["tools: mcp_GitHub", { tools: new Set(["read", "mcp_github"]) }, true, "tool is mcp_GitHub"],
    ["tools: mcp_github", { tools: new Set(["mcp_GitHub"]) }, true, "tool is mcp_github"],
    ["tools: mcp_github", { tools: new Set(["mcp_github"]) }, true, "tool is mcp_github"],
    ["tools: lsp", { tools: new Set(["read"]) }, false, "tool is not one of lsp"],
    ["tools: lsp", {}, false, "no tool given"],
    ["branch: [main, release/*]", { branch: "release/1" }, true, 'branch "release/1" matches main, release/*'],
    ["branch: release/*", { branch: "release/1/x" }, false, 'branch "release/1/x" does not match release/*'],
    ["branch: *", { branch: "feature/x" }, true, 'branch "feature/x" matches *'],
    ["branch: ['**', '!main']", { branch: "main" }, false, 'branch "main" does not match **, !main'],
    [`branch: [${names}]`, { branch: "x" }, false, 'branch "x" does not match a, b, c +2'],
    ["branch: main", {}, false, "no git branch: not a git repository, or no branch is checked out"],
    ["keywords: [deploy, ship]", { prompt: "Ship it" }, true, 'prompt has "ship"'],
    ["keywords: e\u0301crire", { prompt: "\u00e9crire" }, true, 'prompt has "e\u0301crire"'],
    ["keywords: \u00e9crire", { prompt: "e\u0301crire" }, true, 'prompt has "\u00e9crire"'],
    [`keywords: [${names}]`, { prompt: "x" }, false, 'prompt has none of "a", "b", "c" +2 literally'],
    ["keywords: deploy", { prompt: "" }, false, 'prompt has none of "deploy" literally'],
    ["keywords: deploy", {}, false, "no prompt given"],
    ["globs: [a, b, c, d]", {}, false, "no observed file: a, b, c +1"],
    ["globs: a\nfileContains: [v, x, y, z]", {}, false, 'no observed file: a · contains "v", "x", "y" +1'],
  ] as const) {
    test(`${frontmatter} with ${JSON.stringify(known)}`, () => {
      const rule = ruleWith(frontmatter)
      const evaluation = evaluateRule(rule, { ...NO_FACTS, ...known })
      const family = rule.conditions[0]?.family
      expect([evaluation.matched, ...evaluation.verdicts]).toEqual([met, { family, met, why }] as never)
    })
  }

  test("a file that was observed for the rule", () => {
    const rule = ruleWith("globs: '*.rs'")
    const observed = new Map([[rule.id, "src/a\n.rs"]])
    expect(evaluateRule(rule, { ...NO_FACTS, observed })).toEqual({
      ...{ matched: true, why: "a condition met", lifetime: "durable" },
      verdicts: [{ family: "file", met: true, why: "src/a\\n.rs: *.rs" }],
    })
  })
})

test("each family in a few words, and all of what it declares", () => {
  const [short, long] = ["a, b, c", "a, b, c, d, e"]
  const quotes = (text: string) => text.replace(/[a-e]/g, '"$&"')
  for (const [frontmatter, summary, details, lifetime] of [
    [`keywords: [${long}]`, `prompt ${quotes(short)} +2`, `prompt has one of ${quotes(long)}`, "durable"],
    [`command: [${long}]`, `command ${short} +2`, `command is one of ${long}`, "durable"],
    ["project: [go, node]", "project go, node", "project is one of go, node", "durable"],
    ["os: win32", "os win32", "os is one of win32", "durable"],
    ["ci: true", "in CI", "running in CI", "durable"],
    ["ci: false", "not in CI", "not running in CI", "durable"],
    [`agent: [${long}]`, `agent ${short} +2`, `agent is one of ${long}`, "transient"],
    [`model: [${long}]`, `model ${short} +2`, `model is one of ${long}`, "transient"],
    [`branch: [${long}]`, `branch ${short} +2`, `branch is one of ${long}`, "transient"],
    [`tools: [${long}]`, `tool ${short} +2`, `tool is one of ${long}`, "transient"],
    [`globs: [${long}]`, "a, b +3", long, "durable"],
    [
      `fileContains: [${long}, ${"x".repeat(41)}, "y\\e"]`,
      'contains "a", "b" +5',
      `contains ${quotes(long)}, "${"x".repeat(41)}", "y\\u001b"`,
      "durable",
    ],
    [`fileContains: ${"x".repeat(501)}`, `contains "${"x".repeat(39)}…"`, `contains "${"x".repeat(499)}…"`, "durable"],
    ["globs: a\nfileContains: b", 'a · contains "b"', 'a · contains "b"', "durable"],
  ] as const) {
    const [condition] = ruleWith(frontmatter).conditions
    expect(condition).toMatchObject({ summary, details, lifetime })
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
    expect(meets('fileContains: [c, "a\\nb"]', "x", "a\r\nb")).toBeTrue()
    expect(meets('fileContains: ["a\\nb", c]', "x", "a\rb")).toBeFalse()
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
    ["fileContains: [x, y]", "a.rs", "xy", 'its text has "x"'],
    ["fileContains: [a, b, c, d]", "a.rs", "", 'its text has none of "a", "b", "c" +1 literally'],
    [`fileContains: ${"x".repeat(41)}`, "a.rs", "", `its text has none of "${"x".repeat(39)}…" literally`],
    ["globs: ['*.rs', '!src/**', '*.ts']", "src/a.go", "", "path does not match *.rs, *.ts"],
    ["globs: ['*.rs', '!src/**', '!**/a.*']", "src/a.rs", "", "path matches *.rs, but also !src/**"],
    ["globs: [a, b, c, d]", "x", "", "path does not match a, b, c +1"],
    ['globs: ["a\\e", "!b\\e"]', "x", "", "path does not match a\\u001b"],
    ['globs: ["*\\e", "!b*"]', "b\u001b", "", "path matches *\\u001b, but also !b*"],
    ['globs: ["*\\e"]', "b\u001b", "", "path matches *\\u001b"],
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
