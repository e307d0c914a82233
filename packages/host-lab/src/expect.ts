import type { ProviderRequest } from "./request.ts"

/**
 * Checks that each request's messages begin with all messages of the one before: what provider prompt caches need.
 * @throws with the first difference.
 */
export function expectExtends(requests: readonly ProviderRequest[]): void {
  for (const [index, request] of requests.entries()) {
    const before = requests[index - 1]
    if (before) compare(before, request, index)
  }
}

function compare(before: ProviderRequest, after: ProviderRequest, index: number): void {
  for (const [position, message] of before.raw.messages.entries()) {
    const old = JSON.stringify(message)
    const now = JSON.stringify(after.raw.messages[position])
    if (old === now) continue
    const at = `request ${index + 1}, message ${position + 1}`
    throw new Error(`${at} is not what the request before it sent\nbefore: ${cut(old)}\nafter:  ${cut(now)}`)
  }
}

function cut(text: string | undefined): string {
  return (text ?? "(nothing)").slice(0, 600)
}
