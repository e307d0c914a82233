import type { Part } from "@opencode-ai/sdk"

/**
 * An id for a part that is to stand after the given ones: the host orders a message's parts by their ids, and takes any
 * id that begins with "prt" (measured on OpenCode 1.18.33).
 */
export function partID(before: readonly Part[]): string {
  const newest = before
    .map(({ id }) => id)
    .toSorted()
    .at(-1)
  return newest?.startsWith("prt") ? `${newest}_rulebook` : `prt_${crypto.randomUUID()}`
}
