import type { ProviderRequest } from "@opencode-rulebook/host-lab"

/** One provider request of the demo, told. */
export interface Told {
  readonly rules: readonly { readonly name: string; readonly isNew: boolean; readonly why: string }[]
  /** The last thing that the request tells the model: the prompt, or a tool's result. */
  readonly latest: string
  /** What the model answered with, as far as the following request shows it. */
  readonly calls: readonly string[]
}

/**
 * Reads off the requests which rules each of them carries, and off the plugin's debug log why.
 *
 * @param requests a session's requests in order.
 * @param log the host's log with the plugin's lines, one block of them for each dispatch.
 * @param directory the project's folder: its paths are shown without it.
 */
export function explainRequests(
  requests: readonly ProviderRequest[],
  log: readonly string[],
  directory: string,
): Told[] {
  const reasons = dispatchReasons(log)
  return requests.map((request, index) => {
    const before = new Set(index > 0 ? ruleNames(requests[index - 1]) : [])
    return {
      rules: ruleNames(request).map((name) => ({
        name,
        isNew: !before.has(name),
        why: short(reasons[index]?.get(name) ?? "", directory),
      })),
      latest: short(latestOf(request), directory),
      calls: callsAfter(request, requests[index + 1]).map((call) => short(call, directory)),
    }
  })
}

function ruleNames(request: ProviderRequest | undefined): string[] {
  return [...(request?.conversation ?? "").matchAll(/^<rule name="([^"]*)">$/gm)].map(([, name = ""]) => name)
}

/** For each dispatch in order: rule name to the reasons of its met conditions, from lines of `OPENCODE_RULEBOOK_DEBUG=1`. */
function dispatchReasons(log: readonly string[]): Map<string, string>[] {
  const dispatches: Map<string, string>[] = []
  for (const line of log) {
    const found = line.match(/request (\d+) of \S+: (?:\S+) \((.*?)\): matched, \w+: (.*)"(?: \w+=.*)?$/)
    if (!found) continue
    const [, number = "", name = "", reasons = ""] = found
    const dispatch = dispatches[Number(number) - 1] ?? new Map<string, string>()
    dispatches[Number(number) - 1] = dispatch
    const met = unescaped(reasons)
      .split("; ")
      .filter((reason) => !reason.includes(" not met ("))
    dispatch.set(unescaped(name), met.join("; "))
  }
  return dispatches
}

/** The host's log writes a message as a quoted string. */
function unescaped(text: string): string {
  return text.replaceAll('\\"', '"')
}

function latestOf(request: ProviderRequest): string {
  const latest = request.messages.findLast(
    ({ role, text }) => role === "tool" || (role === "user" && !text.startsWith("<system-message>")),
  )
  if (latest?.role === "tool") return `the result of ${callsOf(request.messages).at(-1)}`
  return `the prompt "${(latest?.text ?? "").split("\n")[0]}"`
}

function callsAfter(request: ProviderRequest, next: ProviderRequest | undefined): string[] {
  return callsOf(next?.messages.slice(request.messages.length) ?? [])
}

function callsOf(messages: ProviderRequest["messages"]): string[] {
  return messages.flatMap(({ calls }) => calls).map(({ tool, args }) => `${tool} ${target(args)}`)
}

function target(args: string): string {
  const { filePath, command } = JSON.parse(args) as { filePath?: string; command?: string }
  return filePath ?? command ?? ""
}

function short(text: string, directory: string): string {
  return text.replaceAll(`${directory}/`, "")
}
