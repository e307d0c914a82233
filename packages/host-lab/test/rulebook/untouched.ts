import { expect } from "bun:test"
import type { ProviderRequest, StoredMessage } from "../../src/index.ts"
import { withoutFrames } from "./frames.ts"
import type { Runs } from "./support.ts"

/**
 * Checks that the plugin adds its own texts and touches nothing else: every request of the run with it, taken without
 * those texts, is the request of the run without it, with its model, tools, options, system prompt and messages.
 */
export function expectUntouched({ plain, plainRequests, project, requests }: Runs<unknown>): void {
  expect(comparable(requests, project.directory)).toEqual(comparable(plainRequests, plain.directory))
}

/** Requests by session, sessions in the order of their first request. */
function comparable(requests: readonly ProviderRequest[], directory: string): unknown[] {
  const sessions = Object.groupBy(requests, ({ sessionID }) => sessionID)
  return Object.values(sessions).map((own = []) => own.map((request) => withoutRules(request, directory)))
}

/** Headers that differ from run to run, or with the length of the text. */
const OWN_HEADERS = ["content-length", "host"]

function withoutRules({ raw: { messages, ...rest }, headers }: ProviderRequest, directory: string): unknown {
  const kept = messages
    .map((message) => ({ ...message, content: contentOf(message.content) }))
    .filter(({ content }) => content !== "")
  const named = Object.entries(headers).filter(([name]) => !OWN_HEADERS.includes(name))
  return anonymous({ ...rest, messages: kept, headers: Object.fromEntries(named) }, directory)
}

/** The value without what differs from run to run. */
function anonymous(value: unknown, directory: string): unknown {
  return JSON.parse(
    JSON.stringify(value)
      .replaceAll(directory, "<project>")
      .replaceAll(directory.slice(1), "<project>")
      .replace(/call_\d+_\d+|\b01[0-9A-HJKMNP-TV-Z]{24}\b/g, "<call>")
      .replace(/plans\/\d+-[a-z-]+\.md/g, "<plan>")
      .replace(/\b(ses|prt|msg)_\w+/g, "<$1>"),
  )
}

type Content = ProviderRequest["raw"]["messages"][number]["content"]

/** Texts of one message are joined: with a delivery beside it the user's text is one of two. */
function contentOf(content: Content): unknown {
  if (typeof content === "string") return strip(content)
  const parts = content ?? []
  if (parts.some(({ type }) => type !== "text")) return content
  return parts
    .map(({ text = "" }) => strip(text))
    .filter((text) => text !== "")
    .join("\n")
}

/** A text without the plugin's frames, and without the paths that it tells to a compaction: 20 at most. */
function strip(text: string): string {
  return withoutFrames(text).replace(/\n*Files the session has been working on \(paths only\):(\n- .+){1,20}$/, "")
}

/**
 * Checks that two stored histories are the same but for the parts that the plugin added: the messages with their order,
 * settings, parents, errors and diff summaries, and the parts of others.
 */
export function expectSameHistory(
  { plain, project }: Pick<Runs<unknown>, "plain" | "project">,
  before: readonly StoredMessage[],
  after: readonly StoredMessage[],
): void {
  expect(outline(after, project.directory)).toEqual(outline(before, plain.directory))
}

function outline(messages: readonly StoredMessage[], directory: string): unknown {
  const ids = messages.map(({ info }) => info.id)
  return messages.map(({ info, parts }) => {
    const { id: _id, sessionID: _session, time: _time, ...rest } = info
    const parent = info.role === "assistant" ? ids.indexOf(info.parentID) : undefined
    const others = parts.filter((part) => !isRulebooks(part))
    return anonymous({ ...rest, parent, parts: others.map(withoutTime) }, directory)
  })
}

function isRulebooks(part: StoredMessage["parts"][number]): boolean {
  return part.type === "text" && part.metadata?.["opencode-rulebook"] !== undefined
}

function withoutTime(part: object): unknown {
  return JSON.parse(JSON.stringify(part, (key, value: unknown) => (key === "time" ? undefined : value)))
}
