import { expect, test } from "bun:test"
import { rule, testProject } from "./project.ts"
import { exportOf } from "./support/exports.ts"

/** Slash commands, by their files, and one of the configuration. */
const COMMANDS = {
  ".opencode/command/review.md": "---\r\ndescription: x\r\nagent: plan\r\n---\r\nReview $1 for $2, please.\r\n",
  ".opencode/commands/part/deep.md": "Look at this:\n!`git diff --stat`\nIs it good?",
  ".opencode/command/twice.md": "say it $ARGUMENTS say it",
  ".opencode/command/eight.md": "1234 $ARGUMENTS 5678",
  ".opencode/command/seven.md": "123 $ARGUMENTS 4567",
  ".opencode/command/one.md": "An ambiguous text: $ARGUMENTS",
  ".opencode/command/other.md": "An ambiguous text:",
  ".opencode/command/notes.txt": "A text that is no command's",
  ".opencode/command/set.md": "Written in a file and in the configuration",
  ".opencode/command/lined.md": "No frontmatter, but\n---\na line\n---\nand another",
  ".claude/command/claude.md": "A text of another tool's command",
  "global/../command/mine.md": "A text of the user's own command",
  "opencode.json": JSON.stringify({
    command: {
      config: { template: "A text of the configuration: $ARGUMENTS" },
      set: { template: "Written in a file and in the configuration, too" },
    },
  }),
}

const NAMES = "review part/deep twice eight seven one other notes. set lined claude mine config".split(" ")

const rows: readonly [prompt: string, command: string | undefined][] = [
  ["Review src/a.ts for bugs, please.", "review"],
  ["\n Review src/a.ts for bugs, please. And more.", "review"],
  ["Please! Review src/a.ts for bugs, please.", undefined],
  ["Review src/a.ts, please. for bugs", undefined],
  ["Review src/a.ts", undefined],
  ["---\ndescription: x\n---\nReview a for b, please.", undefined],
  ["Look at this:\n a.ts | 2 +-\nIs it good?", "part/deep"],
  ["say it loud say it", "twice"],
  ["say it", undefined],
  ["say it so", undefined],
  ["1234 5678", "eight"],
  ["123 4567", undefined],
  ["An ambiguous text: x", undefined],
  ["A text that is no command's", undefined],
  ["Written in a file and in the configuration, too", "set"],
  ["No frontmatter, but\n---\na line\n---\nand another", "lined"],
  ["A text of another tool's command", undefined],
  ["A text of the user's own command", "mine"],
  ["A text of the configuration: x", "config"],
  ["", undefined],
]

test("a prompt was made by the one slash command whose template fits it", async () => {
  const rules = NAMES.map((name, index): [string, string] => [`rules/${index}.md`, rule(`command: ["${name}"]`)])
  const sessions = rows.map(([prompt], index): [string, string] => {
    const id = `ses_${String(index).padStart(2, "0")}`
    return [`exports/${id}.json`, JSON.stringify(exportOf({ id, at: 1e12 - index * 1e6, turns: [{ prompt }] }))]
  })
  const own = { ".claude/rules/x.md": "Text." }
  await using project = await testProject({ ...Object.fromEntries([...rules, ...sessions]), ...COMMANDS, ...own })
  const { out } = await project.run(["replay", "exports", "--json"])
  const read = JSON.parse(out) as { sessions: { deliveries: { by: { seen?: string }[] }[] }[] }
  const found = read.sessions.map(({ deliveries }, index) => {
    return [rows[index]?.[0], deliveries.flatMap(({ by }) => by.map(({ seen }) => seen)).join(", ") || undefined]
  })
  expect(found).toEqual(rows.map((row) => [...row]))
})
