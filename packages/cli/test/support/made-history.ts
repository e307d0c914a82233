import { createHistoryBuilder } from "../../src/receipts/fold.ts"
import type { SessionHistory } from "../../src/receipts/history.ts"
import type { SessionScript } from "./receipts.ts"

/** The history that a session's receipts come to. */
export function historyOf({ receipts }: SessionScript): SessionHistory {
  const builder = createHistoryBuilder()
  for (const receipt of receipts) builder.add(receipt)
  const history = builder.end()
  if (!history) throw new Error("no receipt names the session")
  return history
}
