import { describe, expect, test } from "bun:test"
import { parseRule, type RuleStatus } from "@opencode-rulebook/rule-schema"
import fc from "fast-check"
import { compactStateOf, EXAMPLE, type RuleTexts, type Statuses, stateOf, toggleOf, viewOf } from "../test/rules.ts"
import { columnsOf } from "./columns.ts"
import { type Row, type RulesView, sectionRows, type Tone } from "./rows.ts"

const NOTHING: ReadonlySet<string> = new Set()

function shown(view: RulesView, toggled: Iterable<string> = [], width = 100): string[] {
  return sectionRows(view, new Set(toggled), width).map(textOf)
}

function textOf({ indent, spans }: Row): string {
  return " ".repeat(indent) + spans.map(({ text }) => text).join("")
}

const SOME: RuleTexts = {
  "always.md": "Text.",
  "rust.md": '---\nglobs: "*.rs"\nfileContains: "unsafe {"\n---\nText.',
  "words.md": "---\nkeywords: [deploy]\nbranch: [main]\nmatch: all\n---\nText.",
}

describe("each rule is one entry, with its standing", () => {
  const table: readonly [string, statuses: Statuses | undefined, rows: string[]][] = [
    [
      "no state: nothing matched yet",
      undefined,
      [
        "▼ Rules 0 of 3 matched",
        "Project",
        "• always  always",
        '• rust  *.rs · contains "unsafe {"',
        '• words  prompt "deploy" and branch main',
      ],
    ],
    [
      "matched ones first",
      { "words.md": "transient", "rust.md": "pending" },
      [
        "▼ Rules 2 of 3 matched",
        "Project",
        '✓ rust  *.rs · contains "unsafe {"',
        '✓ words  prompt "deploy" and branch main',
        "• always  always",
      ],
    ],
    [
      "all of them",
      { "words.md": "transient", "rust.md": "delivered", "always.md": "delivered" },
      [
        "▼ Rules 3 of 3 matched",
        "Project",
        "✓ always  always",
        '✓ rust  *.rs · contains "unsafe {"',
        '✓ words  prompt "deploy" and branch main',
      ],
    ],
  ]
  for (const [name, statuses, rows] of table) {
    test(name, () => expect(shown(viewOf(SOME, statuses && stateOf(SOME, statuses)))).toEqual(rows))
  }
})

describe("rules on disk that differ from the session's snapshot", () => {
  const before: RuleTexts = { "a.md": "One.", "b.md": "Two.", "c.md": "Three." }
  const matched: Statuses = { "a.md": "delivered", "b.md": "delivered", "c.md": "delivered" }
  const table: readonly [string, now: RuleTexts, rows: string[]][] = [
    [
      "edited",
      { ...before, "b.md": "Other." },
      ["▼ Rules 3 of 3 matched", "✓ a  always", "✓ b edited  always", "✓ c  always"],
    ],
    [
      "new",
      { ...before, "d.md": "Four." },
      ["▼ Rules 3 of 4 matched", "✓ a  always", "✓ b  always", "✓ c  always", "• d new  always"],
    ],
    [
      "removed",
      { "a.md": "One.", "b.md": "Two." },
      ["▼ Rules 3 of 3 matched", "✓ a  always", "✓ b  always", "✓ c removed"],
    ],
    [
      "broken since",
      { ...before, "c.md": "---\nglobs: [\n---\nThree." },
      ["▼ Rules 3 of 3 matched, 1 broken", "✓ a  always", "✓ b  always", "✗ c edited  globs: `[` is not closed"],
    ],
  ]
  for (const [name, now, rows] of table) {
    test(name, () => {
      const all = shown(viewOf(now, stateOf(before, matched))).filter(
        (row) => row !== "Project" && !row.startsWith("  "),
      )
      expect(all).toEqual(rows)
    })
  }

  test("both forms of a state show the same, but for what was not matched when it was edited or removed", () => {
    const before = { "a.md": "One.", "b.md": "Two.", "c.md": "Three.", "d.md": "Four." }
    const now = { "a.md": "Other.", "b.md": "Two.", "c.md": "Three.", "e.md": "Five." }
    const statuses = { "a.md": "delivered", "b.md": "transient", "d.md": "pending" } as const
    const rows = shown(viewOf(now, compactStateOf(before, statuses)))
    expect(rows).toEqual(shown(viewOf(now, stateOf(before, statuses))))
    expect(shown(viewOf({ "a.md": "Other." }, compactStateOf(before)))).toEqual([
      "▼ Rules 0 of 1 matched",
      "Project",
      "• a new  always",
    ])
  })

  test("an unfolded one says so in words", () => {
    const now = { "a.md": "Other.", "d.md": "Four." }
    const rows = shown(viewOf(now, stateOf(before, matched)), ["a.md", "b.md", "d.md"].map(toggleOf))
    expect(rows).toContain("  edited: this session keeps the version that it began with")
    expect(rows).toContain("  removed: this session keeps it")
    expect(rows).toContain("  new: this session began without this version, and new sessions have it")
  })
})

describe("broken rules and warnings", () => {
  test("a broken rule is listed as such, with the reason, and is no unmatched one", () => {
    const texts = { "good.md": "Text.", "bad.md": "---\nci: maybe\n---\nText." }
    const rows = shown(viewOf(texts, stateOf(texts)), [], 80)
    expect(rows.slice(0, 2)).toEqual(["▼ Rules 0 of 1 matched, 1 broken", "Project"])
    expect(rows[2]).toStartWith("✗ bad")
    expect(rows.slice(2).join(" ")).toContain("ci: ")
    expect(rows.at(-1)).toBe("• good  always")
    const unfolded = shown(viewOf(texts), [toggleOf("bad.md")])
    expect(unfolded).toContain("  broken: never matches")
    expect(unfolded.find((row) => row.startsWith("  error: bad.md:2:"))).toBeDefined()
  })

  test("a warning stands beside its rule, and in words when it is unfolded", () => {
    const texts = { "typo.md": '---\nglob: "*.ts"\n---\nText.' }
    expect(shown(viewOf(texts))[2]).toBe("• typo !  *.ts")
    const [warning, ...more] = shown(viewOf(texts), [toggleOf("typo.md")]).filter((row) =>
      row.startsWith("  warning: "),
    )
    expect(warning).toStartWith("  warning: typo.md:2:1 glob: ")
    expect(more).toEqual([])
  })

  test("what is wrong with a folder has its place too", () => {
    const view = viewOf({})
    if (view.kind !== "ready") throw new Error("not ready")
    const file = "/home/dev/.config/opencode/rules"
    const problem = { severity: "error", code: "bad-directory", file, line: 1, column: 1, field: undefined } as const
    const problems = [{ ...problem, reason: "is not a folder", remedy: "Make it one" }]
    const rows = shown({ ...view, rulebook: { ...view.rulebook, problems } })
    expect(rows).toEqual(["▼ Rules 0 of 0 matched, 1 broken", "Global", "✗ rules  is not a folder"])
  })
})

test("an unfolded rule has status, conditions, hooks, match, lifetime and file", () => {
  const texts = {
    "web/all.md":
      "---\nname: All\nglobs: 'src/**'\nkeywords: [a, b, c, d]\nbranch: main\nmatch: all\nhooks:\n  - type: PreToolUse\n    tool: bash\n    match: push\n    block: true\n---\nText.",
  }
  expect(shown(viewOf(texts), [toggleOf("web/all.md")])).toEqual([
    "▼ Rules 0 of 1 matched",
    "Project",
    "• All",
    "  not matched yet",
    "  file: src/**",
    '  keywords: prompt has one of "a", "b", "c", "d"',
    "  branch: branch is one of main",
    '  hook: PreToolUse bash · arguments match "push" · blocks',
    "  match: all",
    "  lifetime: transient",
    "  path: .opencode/rules/web/all.md",
  ])
})

test("what a rule does beyond being delivered stands behind its conditions, and in full when it is unfolded", () => {
  const texts = {
    "log.md":
      "---\nglobs: '*.ts'\nhold: true\nremind: 20000\nforbid: ['log(', debugger]\nreminder: Keep it.\n---\nText.",
  }
  expect(shown(viewOf(texts)).at(-1)).toBe("• log  *.ts · hold · remind 20k · forbids 2")
  expect(shown(viewOf(texts), [toggleOf("log.md")]).slice(4, 9)).toEqual([
    "  file: *.ts",
    "  hold: refuses what is forbidden, and holds the first write",
    "  remind: again after 20000 tokens",
    '  forbid: "log(", "debugger"',
    '  reminder: "Keep it."',
  ])
})

describe("a rule with `match: all` shows which of its conditions the latest request met", () => {
  const texts = { "words.md": "---\nkeywords: [deploy]\nbranch: [main]\nmatch: all\n---\nText." }
  const state = { ...compactStateOf(texts), partlyMet: [{ id: "project:words.md", met: ["branch"] }] }

  test("folded, and in full when it is unfolded", () => {
    expect(shown(viewOf(texts, state)).at(-1)).toBe('• words  • prompt "deploy" and ✓ branch main')
    expect(shown(viewOf(texts, state), [toggleOf("words.md")]).slice(2, 8)).toEqual([
      "• words",
      "  not matched yet",
      "  1 of 2 conditions met",
      '  • keywords: prompt has one of "deploy"',
      "  ✓ branch: branch is one of main",
      "  match: all",
    ])
  })

  test("with less room, as much of it as there is room for", () => {
    expect(shown(viewOf(texts, state), [], 22).slice(2)).toEqual(["• words", '  • prompt "deploy" a…'])
  })

  test("not of a text that the session does not have, or that needs one of them only", () => {
    const edited = { "words.md": texts["words.md"].replace("main", "next") }
    expect(shown(viewOf(edited, state)).at(-1)).toBe('• words new  prompt "deploy" and branch next')
    const any = { "words.md": texts["words.md"].replace("all", "any") }
    const stateOfAny = { ...compactStateOf(any), partlyMet: state.partlyMet }
    expect(shown(viewOf(any, stateOfAny)).at(-1)).toBe('• words  prompt "deploy" or branch main')
  })
})

test("a project's `run` command is off until the state says that the option is on", () => {
  const texts = { "run.md": "---\nhooks: { type: PostToolUse, tool: bash, run: notify }\n---\nText." }
  const hookRow = (projectCommands?: boolean) => {
    const state = { ...stateOf(texts), ...(projectCommands === undefined ? {} : { projectCommands }) }
    return shown(viewOf(texts, state), [toggleOf("run.md")]).find((row) => row.includes("notify"))
  }
  expect(hookRow(false)).toEndWith('runs "notify" (off: projectCommands)')
  expect(hookRow(true)).toEndWith('runs "notify"')
  expect(hookRow()).toEndWith('runs "notify" (only with projectCommands)')
})

test("the user's own rules are a group of their own, with their whole path", () => {
  const rows = shown(viewOf(EXAMPLE), [toggleOf("global/answers.md")])
  expect(rows.slice(rows.indexOf("Global"))).toEqual([
    "Global",
    "• Short answers",
    "  not matched yet",
    "  always",
    "  match: any",
    "  lifetime: durable",
    "  path: /home/dev/.config/opencode/rules/answers.md",
  ])
})

describe("folding", () => {
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`r${1000 + index}.md`, "Text."]))
  const state = stateOf(many, { "r1150.md": "delivered", "r1199.md": "pending" })

  test("a folded section still counts", () => {
    expect(shown(viewOf(many, state), ["section"])).toEqual(["▶ Rules 2 of 200 matched"])
  })

  test("of many rules the first are shown, matched ones among them, and the rest on demand", () => {
    const rows = shown(viewOf(many, state))
    expect(rows).toHaveLength(15)
    expect(rows.slice(2, 5)).toEqual(["✓ r1150  always", "✓ r1199  always", "• r1000  always"])
    expect(rows.at(-1)).toBe("… 188 more")
    const all = shown(viewOf(many, state), ["more:project"])
    expect(all).toHaveLength(203)
    expect(all.at(-1)).toBe("… show less")
  })
})

describe("what is folded away", () => {
  const rules = (count: number): RuleTexts =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index + 1}.md`, "Text."]))

  test("never so few that the row in their place is as long", () => {
    for (const count of [0, 1, 12, 13, 15]) {
      const rows = shown(viewOf(rules(count)), [], 37)
      expect(rows).toHaveLength(2 + count)
      expect(rows.join("")).not.toContain("…")
    }
    expect(shown(viewOf(rules(16)), [], 37)).toHaveLength(15)
    expect(shown(viewOf(rules(60)), [], 37)).toHaveLength(15)
    expect(shown(viewOf(rules(1000)), [], 37).at(-1)).toBe("… 988 more")
  })

  test("rules are in the order in which people count", () => {
    const names = shown(viewOf(rules(11)), [], 37).slice(2)
    expect(names).toEqual(Array.from({ length: 11 }, (_, index) => `• ${index + 1}  always`))
  })

  test("a removed rule is shown among a thousand", () => {
    const before = rules(1000)
    const { "900.md": _, ...now } = before
    const statuses = Object.fromEntries(Object.keys(before).map((name) => [name, "delivered" as const]))
    expect(shown(viewOf(now, stateOf(before, statuses)), [], 37)).toContain("✓ 900 removed")
  })
})

test("a matched rule says by what and when, and how many calls it blocked", () => {
  const state = stateOf(SOME, { "rust.md": "delivered", "words.md": "delivered" })
  const at = new Date(2026, 0, 2, 14, 3).getTime()
  const rules = state.rules.map((each) => {
    if (each.id === "project:rust.md") return { ...each, by: "src/a.rs", at, blocked: 1 }
    return each.id === "project:words.md" ? { ...each, by: "prompt", at, blocked: 2 } : each
  })
  const rows = shown(viewOf(SOME, { ...state, rules }), [toggleOf("rust.md")])
  expect(rows).toContain("  blocked 1 call")
  expect(rows).toContain("  matched by: src/a.rs at 14:03")
  expect(rows).toContain('✓ words  blocked 2 calls · prompt "deploy" and branch main')
})

test("the title says how many tokens the matched rules have, where there is room; an unfolded rule its own, and since when", () => {
  const state = stateOf(SOME, { "always.md": "delivered", "rust.md": "transient" })
  const withTokens = (tokens: number) => ({
    ...state,
    rules: state.rules.map((each) => {
      if (each.id === "project:always.md") return { ...each, tokens: 40, request: 1, count: 3 }
      // Without a request it was in the conversation before the process began.
      return each.id === "project:rust.md" ? { ...each, tokens, count: 1 } : { ...each, tokens: 5 }
    }),
  })
  const toggled = ["always.md", "rust.md", "words.md"].map(toggleOf)
  const rows = shown(viewOf(SOME, withTokens(600)), toggled)
  expect(rows[0]).toBe("▼ Rules 2 of 3 matched · 640 tokens")
  expect(rows.filter((row) => row.includes("about"))).toEqual([
    "  since request 1 · delivered 3 times · about 40 tokens",
    "  about 600 tokens",
  ])
  expect(shown(viewOf(SOME, withTokens(600)), ["section"], 36)).toEqual(["▶ Rules 2 of 3 matched · 640 tokens"])
  expect(shown(viewOf(SOME, withTokens(600)), ["section"], 35)).toEqual(["▶ Rules 2 of 3 matched"])
  expect(shown(viewOf(SOME, withTokens(12_600)), ["section"])).toEqual(["▶ Rules 2 of 3 matched · 12.6k tokens"])
})

test("rules of one name show as much of their paths as tells them apart", () => {
  const texts = {
    "css.md": "Text.",
    "web/css.md": "Text.",
    "api/css.md": "Text.",
    "a/b/api/css.md": "Text.",
    "style.md": "---\nname: Style\n---\nText.",
    "web/style.md": "---\nname: Style\n---\nText.",
    "global/css.md": "Text.",
  }
  expect(shown(viewOf(texts))).toEqual([
    "▼ Rules 0 of 7 matched",
    "Project",
    "• b/api/css  always",
    "• api/css  always",
    "• css  always",
    "• Style (style)  always",
    "• web/css  always",
    "• Style (web/style)  always",
    "Global",
    "• css  always",
  ])
})

test("a broken rule's row shows the whole reason where the sidebar is narrow", () => {
  const rows = shown(viewOf({ "maybe.md": "---\nci: maybe\n---\nText." }), [], 24)
  const [reason = ""] = shown(viewOf({ "maybe.md": "---\nci: maybe\n---\nText." })).slice(2)
  expect(
    rows
      .slice(3)
      .map((row) => row.trim())
      .join(" "),
  ).toBe(reason.replace("✗ maybe  ", ""))
  expect(rows.length).toBeLessThanOrEqual(6)
})

describe("a broken rule's reason takes three rows at most", () => {
  const reasonRows = (width: number) => shown(viewOf({ "maybe.md": "---\nci: maybe\n---\nText." }), [], width).slice(2)

  test.each<[width: number, rows: string[]]>([
    [38, ["✗ maybe  ci: is neither true nor false"]],
    [37, ["✗ maybe", "  ci: is neither true nor false"]],
    [31, ["✗ maybe", "  ci: is neither true nor false"]],
    [30, ["✗ maybe", "  ci: is neither true nor", "  false"]],
    [17, ["✗ maybe", "  ci: is neither", "  true nor false"]],
    [14, ["✗ maybe", "  ci: is", "  neither true", "  nor false"]],
    [10, ["✗ maybe", "  ci: is", "  neither", "  true no…"]],
  ])("in %p columns", (width, rows) => expect(reasonRows(width)).toEqual(rows))
})

test("loading, empty, failed, and in trouble", () => {
  expect(shown({ kind: "loading" })).toEqual(["Rules", "Loading…"])
  expect(shown({ kind: "failed", message: "out of luck" })).toEqual(["Rules", "Rules can't be shown: out of luck"])
  expect(shown(viewOf({}))).toEqual(["Rules", "No rules in .opencode/rules"])
  expect(shown(viewOf({}, undefined, "no watch"))).toEqual(["Rules", "No rules in .opencode/rules", "no watch"])
  expect(shown(viewOf(EXAMPLE, undefined, "no watch")).at(-1)).toBe("no watch")
})

test("texts from files are data: no control character reaches a row", () => {
  const texts = {
    "a\u001b[31m\nb.md": "---\nglobs: 'x\u001b[2J*'\nfileContains: \"\\e]0;title\\a\"\nglob: x\n---\nText.",
  }
  for (const toggled of [NOTHING, new Set([toggleOf(Object.keys(texts)[0] ?? "")])]) {
    const rows = sectionRows(viewOf(texts), toggled, 60)
    expect(rows.length).toBeGreaterThan(2)
    expect(rows.map(textOf).join("")).not.toMatch(/\p{Cc}/u)
  }
})

test("a rule that only the session has, a broken rule's reason and a pack's name are data likewise", () => {
  const evil = "a\u001b[31m\nb"
  const broken = { "broken.md": "---\nci: maybe\n---\nText." }
  const view = viewOf(broken, stateOf({ [`${evil}.md`]: "Text." }))
  if (view.kind !== "ready") return expect.unreachable()
  const rules = view.rulebook.broken.map((rule) => ({
    ...rule,
    scope: `pack:${evil}` as const,
    problems: rule.problems.map((problem) => ({ ...problem, field: evil, reason: evil })),
  }))
  const evilView = { ...view, rulebook: { ...view.rulebook, broken: rules, problems: [] } }
  const toggled = [toggleOf(`${evil}.md`)]
  for (const unfolded of [[], toggled]) {
    const rows = shown(evilView, unfolded)
    expect(rows.join("")).not.toMatch(/\p{Cc}/u)
    expect(rows.filter((row) => row.includes("\\u001b[31m")).length).toBeGreaterThan(2)
  }
})

test("a broken rule's line says what broke it, whatever it is warned of beside that", () => {
  const rows = shown(viewOf({ "bad.md": "---\nglob: x\nci: maybe\n---\nText." }))
  expect(rows.find((row) => row.includes("ci: "))).toBeDefined()
  expect(rows.find((row) => row.includes("glob: "))).toBeUndefined()
})

test("rows fit, whatever the names and the width", () => {
  const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(fc.array(name, { maxLength: 5 }), fc.integer({ min: 8, max: 80 }), (names, width) => {
      const texts = names.map((text, index) => [
        `r${index}.md`,
        `---\nname: ${JSON.stringify(text)}\nfileContains: ${JSON.stringify(text)}\n---\nText.`,
      ])
      for (const row of sectionRows(
        viewOf(Object.fromEntries(texts)),
        new Set(names.map((_, index) => toggleOf(`r${index}.md`))),
        width,
      )) {
        expect(columnsOf(textOf(row))).toBeLessThanOrEqual(width)
      }
    }),
  )
})

describe("whole rows: colours, bold text, indentation and what a click on them toggles", () => {
  const plain = (text: string, tone: Tone, indent = 0): Row => ({ spans: [{ text, tone }], indent, toggle: undefined })
  const titleOf = (text: string): Row => ({ spans: [{ text, tone: "text", bold: true }], indent: 0, toggle: undefined })
  const head = (mark: string, counts: string): Row => ({
    spans: [
      { text: `${mark} `, tone: "text" },
      { text: "Rules", tone: "text", bold: true },
      { text: ` ${counts}`, tone: "textMuted" },
    ],
    indent: 0,
    toggle: "section",
  })
  const rowOf = (toggle: string, ...spans: readonly [text: string, tone: Tone][]): Row => ({
    spans: spans.map(([text, tone]) => ({ text, tone })),
    indent: 0,
    toggle,
  })

  const texts: RuleTexts = {
    "a.md": "Text.",
    "bad.md": "---\nci: maybe\n---\nText.",
    "typo.md": "---\nglob: '*.ts'\n---\nText.",
    "words.md": "---\nkeywords: [deploy, release, tag]\n---\nText.",
    "global/b.md": "Text.",
  }

  test("each kind of rule, folded", () => {
    const state = { ...stateOf({ ...texts, "typo.md": "Text." }, { "typo.md": "delivered" }), notices: ["full\u0007"] }
    const view = viewOf(texts, state, "no watch")
    const above = [{ ...view, isUnserved: true } as RulesView]
    expect(above.flatMap((one) => sectionRows(one, NOTHING, 37))).toEqual([
      head("▼", "1 of 4 matched, 1 broken"),
      plain("Project", "textMuted"),
      rowOf(
        toggleOf("typo.md"),
        ["✓ ", "success"],
        ["typo", "text"],
        [" ! edited", "warning"],
        ["  *.ts", "textMuted"],
      ),
      rowOf(toggleOf("bad.md"), ["✗ ", "error"], ["bad", "text"], ["  ci: is neither true nor false", "error"]),
      rowOf(toggleOf("a.md"), ["• ", "textMuted"], ["a", "textMuted"], ["  always", "textMuted"]),
      rowOf(toggleOf("words.md"), ["• ", "textMuted"], ["words", "textMuted"]),
      { ...rowOf(toggleOf("words.md"), ['prompt "deploy", "release", "tag"', "textMuted"]), indent: 2 },
      plain("Global", "textMuted"),
      rowOf(toggleOf("global/b.md"), ["• ", "textMuted"], ["b", "textMuted"], ["  always", "textMuted"]),
      plain("Server part not seen: is the plugin", "warning"),
      plain("in opencode.json?", "warning"),
      plain("full\\u0007", "warning"),
      plain("no watch", "warning"),
    ])
  })

  test("unfolded ones, with a broken one's errors and warnings", () => {
    const broken = { "bad.md": "---\nglob: x\nci: maybe\n---\nText." }
    expect(sectionRows(viewOf(broken), new Set([toggleOf("bad.md")]), 100)).toEqual([
      head("▼", "0 of 0 matched, 1 broken"),
      plain("Project", "textMuted"),
      rowOf(toggleOf("bad.md"), ["✗ ", "error"], ["bad", "text"]),
      plain("broken: never matches", "text", 2),
      plain("path: .opencode/rules/bad.md", "textMuted", 2),
      plain("warning: bad.md:2:1 glob: is read as `globs`. Write `globs`.", "warning", 2),
      plain(
        "error: bad.md:3:5 ci: is neither true nor false, so this rule never matches. Write `ci: true` or",
        "error",
        2,
      ),
      plain("`ci: false`.", "error", 2),
    ])
  })

  test("the folded section keeps its warnings", () => {
    expect(sectionRows(viewOf(texts, undefined, "no watch"), new Set(["section"]), 37)).toEqual([
      head("▶", "0 of 4 matched, 1 broken"),
      plain("no watch", "warning"),
    ])
  })

  test("what says that there are no rules to show", () => {
    const unserved = { ...viewOf({}), isUnserved: true } as RulesView
    expect(sectionRows({ kind: "loading" }, NOTHING, 37)).toEqual([titleOf("Rules"), plain("Loading…", "textMuted")])
    expect(sectionRows({ kind: "failed", message: "no" }, NOTHING, 37)).toEqual([
      titleOf("Rules"),
      plain("Rules can't be shown: no", "error"),
    ])
    expect(sectionRows(unserved, NOTHING, 60)).toEqual([
      titleOf("Rules"),
      plain("No rules in .opencode/rules", "textMuted"),
      plain("Server part not seen: is the plugin in opencode.json?", "warning"),
    ])
  })

  test("the row in the place of folded rules", () => {
    const many = Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`${index + 1}.md`, "Text."]))
    const more = (text: string) => rowOf("more:project", [text, "textMuted"])
    expect(sectionRows(viewOf(many), NOTHING, 37).at(-1)).toEqual(more("… 4 more"))
    expect(sectionRows(viewOf(many), new Set(["more:project"]), 37).at(-1)).toEqual(more("… show less"))
  })
})

describe("each group folds by itself", () => {
  const many = Object.fromEntries(
    ["", "global/"].flatMap((group) => Array.from({ length: 20 }, (_, index) => [`${group}${index + 10}.md`, "Text."])),
  )

  test("and unfolds by itself", () => {
    const rows = shown(viewOf(many), ["more:global"])
    expect(rows).toHaveLength(1 + (1 + 12 + 1) + (1 + 20 + 1))
    expect([rows[14], rows.at(-1)]).toEqual(["… 8 more", "… show less"])
  })
})

describe("what an unfolded rule says of its standing", () => {
  const second = (
    statuses: Statuses | undefined,
    text = "Text.",
    state = statuses && stateOf({ "a.md": "Text." }, statuses),
  ) => shown(viewOf({ "a.md": text }, state), [toggleOf("a.md")])[3]?.trim()
  const unasked = "---\nalwaysApply: false\n---\nText."
  const named = "---\nalwaysApply: false\ndescription: How\n---\nText."
  const broken = "---\nci: maybe\n---\nText."

  test.each<[text: string, status: RuleStatus | undefined, words: string]>([
    ["Text.", undefined, "not matched yet"],
    ["Text.", "unmatched", "not matched yet"],
    ["Text.", "pending", "matched, pending: in each request until it is stored"],
    ["Text.", "delivered", "matched, delivered"],
    ["Text.", "transient", "matched, transient: in the latest request"],
    [named, undefined, "on request: an index in the conversation names it"],
    [unasked, undefined, "on request, without a description: the model never sees it"],
    [named, "delivered", "matched, delivered"],
    [unasked, "unmatched", "on request, without a description: the model never sees it"],
    [broken, undefined, "broken: never matches"],
    [broken, "delivered", "matched, delivered"],
    [broken, "unmatched", "not matched yet"],
  ])("%p with the status %p", (text, status, words) => {
    expect(second(status && { "a.md": status }, text)).toBe(words)
  })
})

describe("how much of a rule stands on one row", () => {
  const texts = { "name.md": "---\nglobs: '*.ts'\n---\nText." }

  test.each<[width: number, rows: string[]]>([
    [12, ["• name  *.ts"]],
    [11, ["• name", "  *.ts"]],
    [8, ["• name", "  *.ts"]],
  ])("in %p columns", (width, rows) => expect(shown(viewOf(texts), [], width).slice(2)).toEqual(rows))

  test("a tag takes its columns from the name", () => {
    const rows = (width: number) => shown(viewOf({ "long-name.md": "Text." }, stateOf({})), [], width).slice(2)
    expect(rows(17)).toEqual(["• long-name new", "  always"])
    expect(rows(14)).toEqual(["• long-na… new", "  always"])
  })

  test("a removed one has no second row", () => {
    const rows = shown(viewOf({}, stateOf({ "long-name.md": "Text." }, { "long-name.md": "delivered" })), [], 12)
    expect(rows.slice(2)).toEqual(["✓ l… removed"])
  })
})

describe("groups and sources", () => {
  const view = viewOf({ "a.md": "Text.", "b.md": "---\nci: maybe\n---\nText.", "c.md": "Text." })
  if (view.kind !== "ready") throw new Error("not ready")
  const { rules, broken } = view.rulebook

  test("a pack's rules stand under its name and version, behind the user's own", () => {
    const origin = { kind: "pack", name: "@acme/rules", version: "1.2.0" } as const
    const path = "/home/app/node_modules/@acme/rules/rules"
    const directory = { scope: "pack:@acme/rules", path, root: "/home/app", prefix: "", origin } as const
    const parsed = ["a", "c"].map((name) => parseRule({ directory, path: `${path}/${name}.md`, text: "Text." }))
    const rulebook = {
      ...view.rulebook,
      rules: parsed.flatMap((one) => (one.kind === "rule" ? [one.rule] : [])),
      broken: [],
      problems: [],
    }
    const gone = (name: string, status: RuleStatus) => ({ id: `pack:@acme/rules:${name}.md`, digest: "d", status })
    const state = { ...stateOf({}), rules: [gone("old", "delivered"), gone("z", "unmatched")] }
    expect(shown({ ...view, rulebook })).toEqual([
      "▼ Rules 0 of 2 matched",
      "@acme/rules 1.2.0",
      "• a  always",
      "• c  always",
    ])
    expect(shown({ ...view, rulebook, state })).toEqual([
      "▼ Rules 1 of 4 matched",
      "@acme/rules 1.2.0",
      "✓ old removed",
      "• a new  always",
      "• c new  always",
      "• z removed",
    ])
    expect(shown({ ...view, rulebook: { ...rulebook, rules: [] }, state })).toEqual([
      "▼ Rules 1 of 2 matched",
      "@acme/rules",
      "✓ old removed",
      "• z removed",
    ])
  })

  test("another tool's rule names the tool before its conditions, or alone", () => {
    const origin = { kind: "tool", tool: "cursor", folder: ".cursor/rules" } as const
    const rulebook = { ...view.rulebook, rules: rules.map((rule) => ({ ...rule, origin })), broken }
    expect(shown({ ...view, rulebook })).toEqual([
      "▼ Rules 0 of 2 matched, 1 broken",
      "Project",
      "✗ b  ci: is neither true nor false",
      "• a  Cursor: always",
      "• c  Cursor: always",
    ])
  })
})
