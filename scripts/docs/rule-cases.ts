import type { Example } from "./examples.ts"

/**
 * Dry runs of rules that stand in documents without any below them, in the form of those that do, by a part of the rule's text. They
 * hold wherever the text stands.
 */
const CASES: Readonly<Record<string, readonly (readonly [command: string, says: string])[]>> = {
  "Every `unsafe` block needs": [
    [
      `printf 'unsafe {' | opencode-rulebook explain --file src/a.rs --content-from -`,
      "durable: after reading the file",
    ],
    [`printf 'safe()' | opencode-rulebook explain --file src/a.rs --content-from -`, "not delivered"],
    [`printf 'unsafe {' | opencode-rulebook explain --file notes.md --content-from -`, "not delivered"],
  ],
  "A test has one reason to fail.": [
    ["opencode-rulebook explain --file web/a.test.ts", "durable: after reading the file"],
    ["opencode-rulebook explain --file api/user_test.py", "durable: after reading the file"],
    ["opencode-rulebook explain --file src/a.ts", "not delivered"],
  ],
  "Every endpoint validates its input.": [["opencode-rulebook explain --file src/web/a.ts", "not delivered"]],
  "No default exports.": [["opencode-rulebook explain --file src/a.rs", "not delivered"]],
  "Colours come from the theme.": [["opencode-rulebook explain --file src/a.ts", "not delivered"]],
  "Hooks are called at the top": [["opencode-rulebook explain --file src/a.ts", "not delivered"]],
  "Colours are custom properties": [
    ["opencode-rulebook explain --file web/app.css", "durable: after reading the file"],
    ["opencode-rulebook explain --file web/app.html", "not delivered"],
  ],
  "Protobuf fields are added": [["opencode-rulebook explain --agent build --file a.ts", "not delivered"]],
  "Run the tests of what you touched": [
    ["opencode-rulebook explain --agent build", "transient: the turn's first request"],
    ["opencode-rulebook explain --agent plan", "not delivered"],
  ],
  "Commit messages are conventional": [
    [`opencode-rulebook explain --prompt "commit it"`, "durable: the turn's first request"],
    [`opencode-rulebook explain --prompt "build it"`, "not delivered"],
  ],
  "Write for the next reader": [["opencode-rulebook explain", "durable: the turn's first request"]],
}

/** All dry runs of a rule: those below it, and those of its text in the table. */
export function runsOf({ rule, runs }: Pick<Example, "rule" | "runs">): Example["runs"] {
  const own = Object.entries(CASES).flatMap(([part, cases]) => (rule.text.includes(part) ? cases : []))
  return [...runs, ...own.map(([command, says]) => ({ command, says }))]
}

/**
 * The outcomes that the dry runs of a rule have to show and don't: that it is delivered, that it is not, and what it does to a call.
 *
 * @param rule.isAlways whether it applies whatever happens, so that it is always delivered.
 */
export function missingOutcomes(
  rule: { readonly text: string; readonly isAlways: boolean },
  runs: Example["runs"],
): string[] {
  const says = runs.map((run) => run.says)
  const needed: readonly (readonly [string, boolean])[] = [
    ["delivered", says.some((each) => /^(?:durable|transient)/.test(each))],
    ["not delivered", rule.isAlways || says.includes("not delivered")],
    ["held", !/^hold: true\b|\bblock: once\b/m.test(rule.text) || says.some((each) => each.includes("holds it"))],
    ["forbidden", !/^forbid:/m.test(rule.text) || says.some((each) => /refuses it|forbidden/.test(each))],
    ["blocked", !/\bblock: true\b/.test(rule.text) || says.some((each) => each.includes("blocks it"))],
  ]
  return needed.flatMap(([outcome, isShown]) => (isShown ? [] : [outcome]))
}
