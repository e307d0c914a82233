import { writeState } from "../src/index.ts"

/** A process of its own that writes states of the same sessions again and again: `bun state-writer.ts <folder> <rounds>`. */
const [directory = "", rounds = "0"] = process.argv.slice(2)
for (let round = 1; round <= Number(rounds); round += 1) {
  for (const sessionID of ["ses_one", "ses_two"]) {
    const rules = Array.from({ length: 200 }, (_, index) => ({
      id: `project:rule-${index}.md`,
      digest: String(process.pid),
      status: "pending" as const,
    }))
    await writeState(directory, { version: 1, sessionID, directory: "/w", updatedAt: round, rules })
  }
}
