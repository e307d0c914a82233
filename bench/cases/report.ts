import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { appendReceipts } from "@opencode-rulebook/rule-schema"
import { madeRules, madeSession } from "../../packages/cli/test/support/many.ts"
import { fastest, runCommand } from "../command.ts"
import { duration, megabytes, type Row, ratio, type Table } from "../measure.ts"

const SESSIONS = 1000
const RULES = 200

/** The built command, under Node, over the receipts of many sessions: the fastest of some runs, and the most memory of all. */
export async function report(): Promise<Table> {
  const scratch = await mkdtemp(join(tmpdir(), "rulebook-bench-"))
  try {
    const folder = await makeProject(scratch)
    const reading = await fastest(async () => {
      for (const name of await readdir(folder)) await readFile(join(folder, name), "utf8")
    })
    const rows: Row[] = [{ name: "reading the files", value: duration(reading), ratio: "1.00×" }]
    let most = 0
    for (const args of [["report"], ["report", "--html", "report.html"]]) {
      const took = await fastest(async () => {
        most = Math.max(await runCommand(scratch, args), most)
      })
      rows.push({ name: `\`${args.slice(0, 2).join(" ")}\``, value: duration(took), ratio: ratio(took, reading) })
    }
    rows.push({ name: "memory of the process, at most", value: megabytes(most), ratio: "" })
    return { title: `\`report\` over ${SESSIONS.toLocaleString("en")} sessions with ${RULES} rules each`, rows }
  } finally {
    await rm(scratch, { recursive: true })
  }
}

async function makeProject(scratch: string): Promise<string> {
  const directory = join(scratch, "app")
  const rules = madeRules(RULES)
  await mkdir(join(directory, ".opencode/rules"), { recursive: true })
  for (const { rule, text } of rules) {
    await writeFile(join(directory, ".opencode/rules", rule.id.replace("project:", "")), text)
  }
  const state = join(scratch, "state/opencode/rulebook")
  for (let index = SESSIONS - 1; index >= 0; index -= 1) {
    const { id, receipts } = madeSession(rules, index, { directory })
    await appendReceipts(state, id, receipts)
  }
  return join(state, "receipts")
}
