import { removeReceipts, removeState } from "@opencode-rulebook/rule-schema"

/**
 * Removes a session's state and receipts, if there are any. Rejects when the file system refuses.
 *
 * @param directory where the Matched-rule states are, absolute.
 */
export async function removeSessionFiles(directory: string, sessionID: string): Promise<void> {
  await Promise.all([removeState(directory, sessionID), removeReceipts(directory, sessionID)])
}
