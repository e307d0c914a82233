import type { HostPort } from "../../engine/port.ts"
import { describeError } from "../shared/errors.ts"
import { deliveryMetadata } from "../shared/metadata.ts"
import type { V2Context } from "./host.ts"
import { createMessageIDs, MOST_RULES } from "./ids.ts"

/**
 * The v2 host's port: a delivery is admitted as a synthetic input, which becomes history when the next step starts. Until
 * then nothing shows it, so what became of an attempt without an answer only a dispatch can tell.
 *
 * @param session the host's sessions.
 * @param log the plugin's own log.
 * @param now the time in milliseconds.
 */
export function createPort(session: V2Context["session"], log: HostPort["log"], now: () => number): HostPort {
  const nextID = createMessageIDs(now)
  return {
    mostRules: MOST_RULES,
    async persist(sessionID, delivery) {
      const messageID = nextID(delivery.rules)
      try {
        await session.synthetic({
          sessionID,
          id: messageID,
          text: delivery.text,
          description: `Rules delivered: ${delivery.rules.length}`,
          metadata: deliveryMetadata(delivery),
          resume: false,
        })
        return { kind: "stored", messageID }
      } catch (error) {
        return { kind: "open", messageID, reason: describeError(error) }
      }
    },
    log,
  }
}
