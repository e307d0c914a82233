import { join } from "node:path"
import { dispatch, dispatchWithTools } from "./cases/dispatch.ts"
import { keywords } from "./cases/keywords.ts"
import { ledger } from "./cases/ledger.ts"
import { memory } from "./cases/memory.ts"
import { projectLoad } from "./cases/project-load.ts"
import { receipts } from "./cases/receipts.ts"
import { replay } from "./cases/replay.ts"
import { report } from "./cases/report.ts"
import { sidebarChange, sidebarStart } from "./cases/sidebar.ts"
import { importTime, ruleFiles } from "./cases/startup.ts"
import { toolEvent } from "./cases/tool-event.ts"
import type { Table } from "./measure.ts"

const DOCUMENT = join(import.meta.dir, "../docs/performance.md")
const BEGIN = "<!-- figures: written by `bun run bench` -->"
const END = "<!-- end of figures -->"

/** All that is measured, in the document's order. */
const MEASURES: Readonly<Record<string, () => Promise<Table>>> = {
  toolEvent,
  dispatch,
  dispatchWithTools,
  keywords,
  receipts,
  memory,
  ruleFiles,
  importTime,
  projectLoad,
  sidebarStart,
  sidebarChange,
  ledger,
  report,
  replay,
}

/** `bun run bench sidebarStart keywords` measures these alone, and leaves the document's other figures. */
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !Object.hasOwn(MEASURES, name))
if (unknown.length > 0) {
  console.error(`no such measure: ${unknown.join(", ")}. There are ${Object.keys(MEASURES).join(", ")}.`)
  process.exit(2)
}

const tables: Table[] = []
for (const [name, measure] of Object.entries(MEASURES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const table = await measure()
  tables.push(table)
  console.log(`\n${table.title}\n`)
  const width = Math.max(...table.rows.map(({ name }) => name.length))
  for (const { name, value, ratio } of table.rows)
    console.log(`  ${name.padEnd(width)} ${value.padStart(10)}  ${ratio}`)
}
await writeInto(DOCUMENT, tables, wanted.length > 0)

function asMarkdown({ title, rows }: Table): string {
  const lines = rows.map(({ name, value, ratio }) => `| ${name} | ${value} | ${ratio} |`)
  return [`**${title}**`, "", "| | | ratio |", "| --- | ---: | ---: |", ...lines].join("\n")
}

/** @param keepsOthers whether tables that are not among these stay as they are. */
async function writeInto(path: string, measured: readonly Table[], keepsOthers: boolean): Promise<void> {
  const text = await Bun.file(path).text()
  const [before, rest] = text.split(BEGIN)
  const [figures, after] = rest?.split(END) ?? []
  if (before === undefined || figures === undefined || after === undefined)
    throw new Error(`${path} has no place for the figures`)
  const blocks = new Map(measured.map((table) => [`**${table.title}**`, asMarkdown(table)]))
  const kept = keepsOthers ? figures.trim().split(/\n\n(?=\*\*)/) : []
  const all = kept.map((block) => {
    const title = block.split("\n", 1)[0] ?? ""
    const anew = blocks.get(title)
    blocks.delete(title)
    return anew ?? block
  })
  await Bun.write(path, `${before}${BEGIN}\n\n${[...all, ...blocks.values()].join("\n\n")}\n\n${END}${after}`)
}
