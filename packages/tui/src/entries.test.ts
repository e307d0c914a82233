import { describe, expect, test } from "bun:test"
import {
  type BrokenRule,
  type CompiledRule,
  type Origin,
  type RuleDirectory,
  type RuleProblem,
  type RuleStatus,
  snapshotOf,
} from "@opencode-rulebook/rule-schema"
import { compactStateOf, rulebookOf, stateOf, viewOf } from "../test/rules.ts"
import { type Entry, entriesOf, type RulesOnDisk, tokenWords } from "./entries.ts"

const PACK: Origin = { kind: "pack", name: "@acme/rules", version: "1.2.0" }
const CURSOR: Origin = { kind: "tool", tool: "cursor", folder: ".cursor/rules" }
/** By the clock of the machine that runs this: the seventh hour, the fifth minute. */
const AT = new Date(2026, 2, 4, 7, 5).getTime()

function onDisk(texts: Parameters<typeof viewOf>[0], state?: RulesOnDisk["state"]): RulesOnDisk {
  const view = viewOf(texts, state)
  if (view.kind !== "ready") throw new Error("not ready")
  return view
}

function withOrigin<R extends CompiledRule | BrokenRule>(rule: R, origin: Origin): R {
  return { ...rule, origin }
}

function names(disk: RulesOnDisk): string[] {
  return entriesOf(disk).map(({ name }) => name)
}

/** The one entry of that name. */
function entry(disk: RulesOnDisk, name: string): Entry | undefined {
  return entriesOf(disk).find((one) => one.name === name)
}

const UNMATCHED = {
  source: undefined,
  onRequest: undefined,
  standing: "unmatched",
  status: undefined,
  tokens: undefined,
  difference: "none",
  problems: [],
} as const

describe("each kind of entry, whole", () => {
  test("a rule without a state", () => {
    const texts = {
      "web/all.md": "---\nname: All\nglobs: 'src/**'\nkeywords: [deploy]\nmatch: all\n---\nText.",
      "global/style.md": "Text.",
    }
    expect(entriesOf(onDisk(texts))).toEqual([
      {
        ...UNMATCHED,
        id: "global:style.md",
        scope: "global",
        name: "style",
        summary: "always",
        details: ["always", "match: any", "lifetime: durable", "path: /home/dev/.config/opencode/rules/style.md"],
      },
      {
        ...UNMATCHED,
        id: "project:web/all.md",
        scope: "project",
        name: "All",
        summary: 'src/** and prompt "deploy"',
        details: [
          "file: src/**",
          'keywords: prompt has one of "deploy"',
          "match: all",
          "lifetime: durable",
          "path: .opencode/rules/web/all.md",
        ],
      },
    ])
  })

  test("a matched rule of another tool, with all that the state knows of it and a warning", () => {
    const texts = { "typo.md": "---\nglob: '*.ts'\n---\nText." }
    const disk = onDisk(texts, stateOf(texts, { "typo.md": "delivered" }))
    const [known] = disk.state?.rules ?? []
    if (!known || !disk.state) return expect.unreachable()
    const rules = disk.rulebook.rules.map((rule) => withOrigin(rule, CURSOR))
    const state = {
      ...disk.state,
      rules: [{ ...known, by: "src/a\u0007.ts", at: AT, blocked: 2, tokens: 12_345, request: 3, count: 2 }],
    }
    expect(entriesOf({ ...disk, rulebook: { ...disk.rulebook, rules }, state })).toEqual([
      {
        id: "project:typo.md",
        scope: "project",
        source: "Cursor",
        onRequest: undefined,
        name: "typo",
        standing: "matched",
        status: "delivered",
        tokens: 12_345,
        difference: "none",
        summary: "blocked 2 calls · *.ts",
        details: [
          "blocked 2 calls",
          "matched by: src/a\\u0007.ts at 07:05",
          "since request 3 · delivered 2 times · about 12.3k tokens",
          "file: *.ts",
          "match: any",
          "lifetime: durable",
          "path: .opencode/rules/typo.md",
          "source: Cursor",
        ],
        problems: ["warning: typo.md:2:1 glob: is read as `globs`. Write `globs`."],
      },
    ])
  })

  test("a broken rule: the line says what broke it, the details all that is wrong", () => {
    const texts = { "bad.md": "---\nglob: x\nci: maybe\n---\nText." }
    const problems = [
      "warning: bad.md:2:1 glob: is read as `globs`. Write `globs`.",
      "error: bad.md:3:5 ci: is neither true nor false, so this rule never matches. Write `ci: true` or `ci: false`.",
    ]
    const broken = {
      ...UNMATCHED,
      id: "project:bad.md",
      scope: "project",
      name: "bad",
      standing: "broken",
      summary: "ci: is neither true nor false",
      details: ["path: .opencode/rules/bad.md"],
      problems,
    } as const
    expect(entriesOf(onDisk(texts))).toEqual([broken])

    const disk = onDisk(texts, stateOf({ "bad.md": "Text." }, { "bad.md": "pending" }))
    const [known] = disk.state?.rules ?? []
    if (!known || !disk.state) return expect.unreachable()
    const rules = disk.rulebook.broken.map((rule) => withOrigin(rule, PACK))
    const state = { ...disk.state, rules: [{ ...known, tokens: 7 }] }
    expect(entriesOf({ ...disk, rulebook: { ...disk.rulebook, broken: rules }, state })).toEqual([
      {
        ...broken,
        source: "@acme/rules 1.2.0",
        status: "pending",
        tokens: 7,
        difference: "edited",
        details: [...broken.details, "source: @acme/rules 1.2.0"],
      },
    ])
  })

  test("a rule that only the session has", () => {
    const known = { digest: "d", by: "prompt", at: AT, tokens: 1, request: 1, count: 1 } as const
    const state = {
      ...stateOf({}),
      rules: [
        { ...known, id: "project:a:b/c\u0007.mdc", status: "transient" },
        { ...known, id: "pack:@acme/rules:x/one.md", status: "unmatched" },
        { ...known, id: "global:two.txt", status: "pending" },
        { ...known, id: "a:global:x.md.old.md", status: "delivered" },
      ] as const,
    }
    const removed = { ...UNMATCHED, difference: "removed", summary: "", tokens: 1 } as const
    const words = ["matched by: prompt at 07:05", "since request 1 · about 1 token"]
    expect(entriesOf(onDisk({}, state))).toEqual([
      {
        ...removed,
        id: "a:global:x.md.old.md",
        scope: "project",
        name: "a:global:x.md.old",
        standing: "matched",
        status: "delivered",
        details: [...words, "path: a:global:x.md.old.md"],
      },
      {
        ...removed,
        id: "global:two.txt",
        scope: "global",
        name: "two.txt",
        standing: "matched",
        status: "pending",
        details: [...words, "path: two.txt"],
      },
      {
        ...removed,
        id: "project:a:b/c\u0007.mdc",
        scope: "project",
        name: "c\\u0007",
        standing: "matched",
        status: "transient",
        details: [...words, "path: a:b/c\\u0007.mdc"],
      },
      {
        ...removed,
        id: "pack:@acme/rules:x/one.md",
        scope: "pack:@acme/rules",
        name: "one",
        status: "unmatched",
        details: ["path: x/one.md"],
      },
    ])
  })

  test("a folder that can't be read, in the innermost rules directory that it is in", () => {
    const problem = (file: string): RuleProblem => ({
      severity: "error",
      code: "bad-directory",
      file,
      line: 1,
      column: 1,
      field: undefined,
      reason: "is not a folder\u0007",
      remedy: "Make it one",
    })
    const directories: readonly RuleDirectory[] = [
      { scope: "global", path: "/home/dev/rules", root: "/home/app", prefix: "" },
      { scope: "pack:p", path: "/home/dev/rules/inner", root: "/home/app", prefix: "" },
    ]
    const problems = ["/home/dev/rules", "/home/dev/rules/inner/web\u0007", "/elsewhere"].map(problem)
    const place = { ...UNMATCHED, standing: "broken", summary: "is not a folder\\u0007" } as const
    expect(entriesOf({ ...onDisk({}), directories, rulebook: { ...rulebookOf({}), problems } })).toEqual([
      {
        ...place,
        id: "bad-directory:/elsewhere",
        scope: "project",
        name: "elsewhere",
        details: ["path: /elsewhere"],
        problems: ["error: elsewhere:1:1: is not a folder\\u0007. Make it one."],
      },
      {
        ...place,
        id: "bad-directory:/home/dev/rules",
        scope: "global",
        name: "rules",
        details: ["path: /home/dev/rules"],
        problems: ["error: rules:1:1: is not a folder\\u0007. Make it one."],
      },
      {
        ...place,
        id: "bad-directory:/home/dev/rules/inner/web\u0007",
        scope: "pack:p",
        name: "web\\u0007",
        details: ["path: /home/dev/rules/inner/web\\u0007"],
        problems: ["error: web\\u0007:1:1: is not a folder\\u0007. Make it one."],
      },
    ])
  })
})

test("matched rules come first, then broken ones; in each group the order in which people count", () => {
  const texts = Object.fromEntries(
    ["10-a", "9-b", "2-c", "1-bad", "11-bad"].map((name) => [
      `${name}.md`,
      name.endsWith("bad") ? "---\nci: maybe\n---\nText." : "Text.",
    ]),
  )
  expect(names(onDisk(texts, stateOf(texts, { "9-b.md": "pending", "10-a.md": "transient" })))).toEqual([
    "9-b",
    "10-a",
    "1-bad",
    "11-bad",
    "2-c",
  ])
})

describe("how a rule stands to the session's snapshot", () => {
  const texts = { "a.md": "One.", "b.md": "Two." }
  const differences = (disk: RulesOnDisk) => entriesOf(disk).map(({ difference }) => difference)

  test("the same, edited and new", () => {
    const state = stateOf(texts, { "a.md": "delivered", "b.md": "delivered" })
    expect(differences(onDisk({ "a.md": "One.", "b.md": "Edited.", "c.md": "Three." }, state))).toEqual([
      "none",
      "edited",
      "new",
    ])
  })

  test("from the snapshot's marks, where a rule is not matched", () => {
    expect(differences(onDisk({ "a.md": "One.", "b.md": "Edited." }, compactStateOf(texts)))).toEqual(["none", "new"])
    expect(snapshotOf(rulebookOf(texts).rules)).toHaveLength(8)
  })
})

describe("a rule on request", () => {
  const activated = (frontmatter: string) =>
    entry(onDisk({ "a.md": `---\nalwaysApply: false\n${frontmatter}---\nText.` }), "a")?.onRequest

  test("is named by its description, and unnamed without one", () => {
    expect([activated("description: How we release\n"), activated("")]).toEqual(["named", "unnamed"])
  })

  test("is a rule like others when a condition leads to it", () => {
    expect(activated("globs: '*.ts'\ndescription: How\n")).toBeUndefined()
  })
})

describe("what is known of a match", () => {
  const texts = { "a.md": "Text." }
  const details = (known: object, status: RuleStatus = "delivered") => {
    const disk = onDisk(texts, stateOf(texts, { "a.md": status }))
    const [rule] = disk.state?.rules ?? []
    if (!rule || !disk.state) throw new Error("no state")
    const all = entriesOf({ ...disk, state: { ...disk.state, rules: [{ ...rule, ...known }] } })[0]?.details ?? []
    return all.slice(0, all.indexOf("always"))
  }

  test.each<[known: object, status: RuleStatus, lines: string[]]>([
    [{}, "delivered", []],
    [{ by: "prompt" }, "delivered", []],
    [{ at: AT }, "delivered", []],
    [{ by: "prompt", at: AT }, "delivered", ["matched by: prompt at 07:05"]],
    [{ by: "prompt", at: AT }, "unmatched", []],
    [{ by: "prompt", at: new Date(2026, 0, 1, 23, 59).getTime() }, "pending", ["matched by: prompt at 23:59"]],
    [{ tokens: 10 }, "delivered", ["about 10 tokens"]],
    [{ tokens: 10 }, "unmatched", []],
    [{ request: 2, count: 3 }, "delivered", []],
    [{ tokens: 10, request: 2 }, "delivered", ["since request 2 · about 10 tokens"]],
    [{ tokens: 10, count: 1 }, "delivered", ["about 10 tokens"]],
    [{ tokens: 10, count: 2 }, "delivered", ["delivered 2 times · about 10 tokens"]],
    [{ blocked: 0 }, "delivered", []],
    [{ blocked: 1 }, "unmatched", ["blocked 1 call"]],
    [{ blocked: 2 }, "delivered", ["blocked 2 calls"]],
  ])("%p of one that is %s", (known, status, lines) => expect(details(known, status)).toEqual(lines))
})

test.each([
  [0, "0 tokens"],
  [1, "1 token"],
  [2, "2 tokens"],
  [9_999, "9999 tokens"],
  [10_000, "10.0k tokens"],
  [12_649, "12.6k tokens"],
])("%p tokens are shown as %p", (tokens, words) => expect(tokenWords(tokens)).toBe(words))

describe("rules of one name", () => {
  const NAMED = "---\nname: Style\n---\nText."

  test.each<[paths: readonly string[], names: readonly string[]]>([
    [
      ["a.md", "b.md"],
      ["a", "b"],
    ],
    [
      ["a/x.md", "b/x.md"],
      ["a/x", "b/x"],
    ],
    [
      ["x.md", "b/x.md"],
      ["b/x", "x"],
    ],
    [
      ["a/b/x.md", "c/b/x.md", "c/x.md"],
      ["a/b/x", "c/b/x", "c/x"],
    ],
    [
      ["global/x.md", "x.md"],
      ["x", "x"],
    ],
    [
      ["a/x.md", "a/x.mdc", "b/x.md"],
      ["a/x.md", "a/x.mdc", "b/x"],
    ],
    [
      ["a/x.md.old.md", "b/x.md.old.md"],
      ["a/x.md.old", "b/x.md.old"],
    ],
    [
      ["a\u0007/x.md", "b/x.md"],
      ["a\\u0007/x", "b/x"],
    ],
  ])("%p are %p", (paths, expected) => {
    expect(names(onDisk(Object.fromEntries(paths.map((path) => [path, "Text."]))))).toEqual([...expected])
  })

  test("that frontmatter gives them have the path behind it, no longer than is needed", () => {
    const texts = { "a/one.md": NAMED, "b/one.md": NAMED, "web/two.md": NAMED, "c/d/Style.md": "Text." }
    expect(names(onDisk(texts))).toEqual(["Style (a/one)", "Style (b/one)", "d/Style", "Style (two)"])
  })

  test("and one that only the session has is told from one on disk", () => {
    const state = stateOf({ "old/x.md": "Text." }, { "old/x.md": "delivered" })
    expect(names(onDisk({ "new/x.md": "Text." }, state))).toEqual(["old/x", "new/x"])
  })
})

describe("which conditions of a rule with `match: all` are met", () => {
  const texts = { "a.md": "---\nkeywords: [deploy]\nbranch: [main]\nci: true\nmatch: all\n---\nText." }
  const first = (met: readonly string[], edited = texts["a.md"]) => {
    const state = { ...compactStateOf(texts), partlyMet: [{ id: "project:a.md", met }] }
    return entry(onDisk({ "a.md": edited }, state), "a")
  }

  test.each<[met: readonly string[], words: string]>([
    [[], "0 of 3 conditions met"],
    [["ci"], "1 of 3 conditions met"],
    [["branch", "keywords"], "2 of 3 conditions met"],
    [["branch", "project"], "1 of 3 conditions met"],
  ])("%p: %s", (met, words) => expect(first(met)?.details[0]).toBe(words))

  test("not where the rule was edited", () => {
    expect(first(["ci"], texts["a.md"].replace("main", "next"))?.details[0]).toBe(
      'keywords: prompt has one of "deploy"',
    )
  })
})

test("a path is shown below the project that the file is in; of others the whole", () => {
  const { rulebook, ...rest } = onDisk({ "a.md": "Text." })
  const [rule] = rulebook.rules
  if (!rule) return expect.unreachable()
  const directories: RuleDirectory[] = [
    { scope: "global", path: "/home/dev/rules", root: "/", prefix: "" },
    { scope: "project", path: "/repo/.opencode/rules", root: "/repo", prefix: "" },
    { scope: "project", path: "/repo/app/.opencode/rules", root: "/repo/app", prefix: "app/" },
  ]
  const pathOf = (file: string) =>
    entriesOf({ ...rest, directories, rulebook: { ...rulebook, rules: [{ ...rule, file }] } })[0]?.details.at(-1)
  expect(pathOf("/repo/app/.opencode/rules/a.md")).toBe("path: app/.opencode/rules/a.md")
  expect(pathOf("/repository/a.md")).toBe("path: /repository/a.md")
  const inRoot: RuleDirectory = { scope: "project", path: "/.opencode/rules", root: "/", prefix: "" }
  directories.push(inRoot)
  expect(pathOf("/.opencode/rules/a.md")).toBe("path: .opencode/rules/a.md")
  directories.pop()
  expect(pathOf("/home/dev/rules/a\u0007.md")).toBe("path: /home/dev/rules/a\\u0007.md")
})
