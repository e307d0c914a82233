import { join } from "node:path"
import { dispatch, dispatchWithTools } from "./cases/dispatch.ts"
import { ledger } from "./cases/ledger.ts"
import { memory } from "./cases/memory.ts"
import { projectLoad } from "./cases/project-load.ts"
import { receipts } from "./cases/receipts.ts"
import { replay } from "./cases/replay.ts"
import { report } from "./cases/report.ts"
import { importTime, ruleFiles } from "./cases/startup.ts"
import { toolEvent } from "./cases/tool-event.ts"
import type { Table } from "./measure.ts"

const DOCUMENT = join(import.meta.dir, "../docs/performance.md")
const BEGIN = "<!-- figures: written by `bun run bench` -->"
const END = "<!-- end of figures -->"

const tables: Table[] = []
for (const measure of [
  toolEvent,
  dispatch,
  dispatchWithTools,
  receipts,
  memory,
  ruleFiles,
  importTime,
  projectLoad,
  ledger,
  report,
  replay,
]) {
  const table = await measure()
  tables.push(table)
  console.log(`\n${table.title}\n`)
  const width = Math.max(...table.rows.map(({ name }) => name.length))
  for (const { name, value, ratio } of table.rows)
    console.log(`  ${name.padEnd(width)} ${value.padStart(10)}  ${ratio}`)
}
await writeInto(DOCUMENT, tables.map(asMarkdown).join("\n\n"))

function asMarkdown({ title, rows }: Table): string {
  const lines = rows.map(({ name, value, ratio }) => `| ${name} | ${value} | ${ratio} |`)
  return [`**${title}**`, "", "| | | ratio |", "| --- | ---: | ---: |", ...lines].join("\n")
}

async function writeInto(path: string, figures: string): Promise<void> {
  const text = await Bun.file(path).text()
  const [before, after] = [text.split(BEGIN)[0], text.split(END)[1]]
  if (before === undefined || after === undefined) throw new Error(`${path} has no place for the figures`)
  await Bun.write(path, `${before}${BEGIN}\n\n${figures}\n\n${END}${after}`)
}
