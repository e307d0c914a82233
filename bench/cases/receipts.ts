import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { ReceiptSink } from "../../packages/server/src/dry-run.ts"
import { observeToolResult } from "../../packages/server/src/hosts/v1/observe.ts"
import { createReceiptsWriter } from "../../packages/server/src/runtime/receipts-writer.ts"
import { alwaysRules, engineWith, manyRules, ROOT, readOutput, sourceText } from "../fixtures.ts"
import { compare, type Table } from "../measure.ts"

/** Steps of one session: its receipts stay below the size at which nothing is written any more. */
const STEPS = 500

/** What the host waits for in a step of a turn, without receipts and with them: they are written to a disk behind it. */
export async function receipts(): Promise<Table> {
  const directory = await mkdtemp(join(tmpdir(), "rulebook-bench-"))
  const writer = createReceiptsWriter(directory, (message) => {
    throw new Error(message)
  })
  const sink = { host: "OpenCode 1", plugin: "0", note: writer.add }
  const title = "A Read of 50 KB and the next request, 1,000 rules, 20 of them in the conversation"
  const before = writer.settled
  const table = await compare(title, 2000, [
    { name: "without receipts", before, run: steps() },
    { name: "with receipts", before, run: steps(sink) },
  ])
  await writer.settled()
  await rm(directory, { recursive: true, force: true })
  return table
}

/** Each run is a step; a session has so many of them. */
function steps(sink?: ReceiptSink): () => Promise<void> {
  const engine = engineWith([...manyRules(980), ...alwaysRules(20)], 2, sink)
  const content = sourceText(50 * 1024)
  let step = 0
  return async () => {
    const sessionID = `ses_${Math.floor(step / STEPS)}`
    const path = `${ROOT}/src/file${step}.ts`
    const args = { filePath: path }
    const call = { sessionID, tool: "read", args }
    await engine.toolSucceeded(call, observeToolResult(call, { output: readOutput(path, content), metadata: {} }))
    await engine.safePoint(sessionID)
    step += 1
    await engine.dispatch(sessionID, { messages: ["msg_1", `msg_${step}`], deliveries: [] }, { agent: "build" })
  }
}
