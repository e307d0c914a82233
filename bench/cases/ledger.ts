import type { Message, Part } from "@opencode-ai/sdk"
import { deliveryMetadata } from "../../packages/server/src/hosts/shared/metadata.ts"
import { visibleHistory } from "../../packages/server/src/hosts/v1/history.ts"
import { engineWith, manyRules } from "../fixtures.ts"
import { compare, type Table } from "../measure.ts"

/** The first dispatch of a resumed session: 5,000 messages, every tenth a delivery of ours. */
export async function ledger(): Promise<Table> {
  const rules = manyRules(1000)
  const messages = Array.from({ length: 5000 }, (_, index) => {
    const rule = index % 10 === 0 ? rules[index / 10] : undefined
    const info = { id: `msg_${index}`, sessionID: "ses_1", role: index % 2 === 0 ? "user" : "assistant" }
    const metadata = rule ? deliveryMetadata({ id: String(index), rules: [rule.id] }) : undefined
    return { info: info as Message, parts: [{ type: "text", text: "x".repeat(400), metadata } as Part] }
  })
  let session = 0
  const engine = engineWith(rules)
  return compare("Ledger from a history of 5,000 messages with 500 deliveries", 20, [
    { name: "the messages as JSON, as any request needs them", run: () => JSON.stringify(messages) },
    {
      name: "the first request of a resumed session",
      run: () => engine.dispatch(`ses_${session++}`, visibleHistory(messages), { agent: "build" }),
    },
  ])
}
