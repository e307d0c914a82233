import { heapStats } from "bun:jsc"
import { engineWith, manyRules, ROOT, sourceText } from "../fixtures.ts"
import { megabytes, type Row, type Table } from "../measure.ts"

const TEXT = sourceText(50 * 1024)
/** A session's share of 100, so that the run ends the same day: what a session keeps does not depend on it, as the first rows show. */
const FILES_OF_MANY = 200

/** What stays on the heap of sessions that read much. */
export async function memory(): Promise<Table> {
  const rows: Row[] = []
  const rules = manyRules(1000)
  const one = engineWith(rules)
  await read(one, "ses_1", 0, 10)
  const before = heap()
  await read(one, "ses_1", 10, 10_000)
  const read500 = 10_000 * TEXT.length
  rows.push(grown("a session that reads 10,000 files of 50 KB", heap() - before, read500))

  const kept = engineWith(rules, 10)
  for (let index = 0; index < 10; index += 1) await read(kept, `ses_${index}`, 0, FILES_OF_MANY)
  const full = heap()
  for (let index = 10; index < 100; index += 1) await read(kept, `ses_${index}`, 0, FILES_OF_MANY)
  const text = 90 * FILES_OF_MANY * TEXT.length
  rows.push(grown("90 more sessions where 10 are kept", heap() - full, text))
  // Whatever was measured must still be there.
  await Promise.all([one.compacting("ses_1"), kept.compacting("ses_99")])
  return { title: "Heap growth after a full collection, against the text read", rows }
}

async function read(engine: ReturnType<typeof engineWith>, sessionID: string, from: number, to: number): Promise<void> {
  for (let index = from; index < to; index += 1) {
    const path = `${ROOT}/src/${sessionID}/file${index}.ts`
    const content = `// ${path}\n${TEXT}`
    await engine.toolSucceeded({ sessionID, tool: "read", args: { filePath: path } }, [{ path, tool: "read", content }])
  }
}

function grown(name: string, bytes: number, text: number): Row {
  return { name, value: megabytes(bytes), ratio: `${((Math.max(bytes, 0) / text) * 100).toFixed(3)} % of the text` }
}

function heap(): number {
  Bun.gc(true)
  return heapStats().heapSize
}
