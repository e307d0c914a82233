import { describe, expect, test } from "bun:test"
import { type Facts, NO_FACTS, type RuleId } from "@opencode-rulebook/rule-schema"
import { ROOT, ruleOf, rulesOf } from "../../test/support/rules.ts"
import type { Placement } from "./delivery/ledger.ts"
import type { VisibleHistory } from "./port.ts"
import { createRemindingRules, farBehind } from "./remind.ts"

describe("which rules were met anew", () => {
  const reminded = (frontmatter: string) => `---\n${frontmatter}\nremind: 3000\n---\nText.`
  const RULES = rulesOf({
    "files.md": reminded('globs: "*.rs"'),
    "words.md": reminded("keywords: [deploy]"),
    "command.md": reminded("command: [ship]"),
    "either.md": reminded('globs: "*.rs"\nkeywords: [deploy]'),
    "both.md": reminded('match: all\nglobs: "*.rs"\nkeywords: [deploy]'),
    "two.md": reminded("match: all\nkeywords: [deploy]\ncommand: [ship]"),
    "system.md": reminded("os: [linux]"),
    "other.md": reminded("os: [darwin]"),
    "always.md": reminded("name: always"),
    "agent.md": reminded("agent: [build]"),
    "hook.md": reminded("hooks: [{ type: PreToolUse, tool: bash }]"),
    "none.md": '---\nglobs: "*.rs"\n---\nText.',
  })
  const ruleNamed = (name: string) => RULES.find((rule) => rule.name === name) as (typeof RULES)[0]
  const observed = new Map(RULES.map(({ id }) => [id, "a.rs"]))
  const FACTS: Facts = { ...NO_FACTS, os: "linux", agent: "build", prompt: "deploy", command: "ship", observed }

  function reminding() {
    const rules = createRemindingRules(ROOT)
    rules.add(RULES.slice(0, 6))
    rules.add(RULES.slice(6))
    return {
      ...rules,
      handled: (path: string) => rules.observed({ path, tool: "read", content: "" }),
      taken: (facts: Partial<Facts>, isPrompted: boolean) =>
        rules.take({ ...FACTS, ...facts }, isPrompted).map(({ name }) => name),
    }
  }

  test("by a file that is handled, with the other conditions under `match: all`", () => {
    const { handled, taken } = reminding()
    expect(taken({}, false)).toEqual([])
    handled("a.ts")
    expect(taken({}, false)).toEqual([])
    handled("a.rs")
    expect(taken({}, false)).toEqual(["files", "either", "both"])
    expect(taken({}, false)).toEqual([])
    handled("a.rs")
    expect(taken({ prompt: "hello" }, false)).toEqual(["files", "either"])
  })

  test("by a call that fires a hook, whatever the conditions are", () => {
    const { fired, taken } = reminding()
    for (const name of ["hook", "both", "none"]) fired(ruleNamed(name))
    expect(taken({ prompt: "hello", observed: new Map() }, false)).toEqual(["both", "hook"])
    expect(taken({}, false)).toEqual([])
  })

  test("by a prompt that meets a keyword or a command; one that no event meets, by each prompt", () => {
    const { taken } = reminding()
    const each = ["system", "always"]
    expect(taken({}, true)).toEqual(["words", "command", "either", "both", "two", ...each])
    expect(taken({ command: undefined }, true)).toEqual(["words", "either", "both", ...each])
    expect(taken({ observed: new Map() }, true)).toEqual(["words", "command", "either", "two", ...each])
    expect(taken({ prompt: "hello" }, true)).toEqual(["command", ...each])
    expect(taken({ prompt: "hello", command: undefined, os: "win32" }, true)).toEqual(["always"])
  })
})

describe("what lies behind a rule's newest delivery", () => {
  const RULE = ruleOf("---\nremind: 3000\n---\nText.")
  const AGAIN = `again:2:${RULE.id}` as RuleId
  const MESSAGES = ["m0", "m1", "m2", "m3", "m4"]
  /** A thousand tokens for each message. */
  const history = (deliveries: VisibleHistory["deliveries"], each = 1_000): VisibleHistory => {
    return { messages: MESSAGES, deliveries, tokensOf: () => each }
  }
  const stored = (messageID: string, rule = RULE.id, after?: string) => ({ messageID, part: 0, rules: [rule], after })
  const placed = (after: string, rule = RULE.id): Placement => ({ after, rules: [rule] })

  test.each<[string, VisibleHistory, readonly Placement[], boolean]>([
    ["as many tokens as it says", history([stored("m1")]), [], false],
    ["more", history([stored("m0")]), [], true],
    ["a token more", history([stored("m1")], 1_040), [], true],
    ["not in the conversation", history([]), [], false],
    ["a later delivery counts", history([stored("m0"), stored("m3", AGAIN)]), [], false],
    ["whichever comes first in the history", history([stored("m3", AGAIN), stored("m0")]), [], false],
    ["a later delivery whose rule is gone does not", history([stored("m0", AGAIN)]), [], false],
    ["a place counts before where it is stored", history([stored("m3", RULE.id, "m0")]), [], true],
    ["a place that is gone: from the beginning", history([stored("m3", RULE.id, "gone")]), [], true],
    ["a text that is not stored", history([]), [placed("m0")], true],
    ["nearer", history([]), [placed("m1")], false],
    ["it stands where requests show it", history([stored("m3")]), [placed("m0")], true],
    ["a place that is no message's is none", history([stored("m3")]), [placed("gone")], false],
    ["how much there is, is not known", { messages: MESSAGES, deliveries: [stored("m0")] }, [], false],
  ])("%s", (_name, shownNow, placements, isFar) => {
    expect(farBehind([RULE], shownNow, placements)).toEqual(isFar ? [RULE] : [])
  })

  test("without a rule that was met, the history is not looked at", () => {
    const unread = {
      messages: MESSAGES,
      tokensOf: () => 1,
      get deliveries(): VisibleHistory["deliveries"] {
        throw new Error("not asked for")
      },
    }
    expect(farBehind([], unread, [])).toEqual([])
  })

  test("messages are estimated from the newest one back, and no more of them than it needs", () => {
    const asked: number[] = []
    const tokensOf = (index: number) => asked.push(index) && 1_600
    expect(farBehind([RULE], { messages: MESSAGES, deliveries: [stored("m0")], tokensOf }, [])).toEqual([RULE])
    expect(asked).toEqual([4, 3])
  })
})
