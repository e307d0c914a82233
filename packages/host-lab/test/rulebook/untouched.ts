import { expect } from "bun:test"
import { type Project, type ProviderRequest, rulesOfFrame, type StoredMessage, withoutFrames } from "../../src/index.ts"
import type { Runs } from "./support.ts"

/**
 * Checks that the plugin adds its own texts and touches nothing else: every request of the run with it, taken without
 * those texts, is the request of the run without it, with its model, tools, options, system prompt and messages.
 */
export function expectUntouched({ plain, plainRequests, project, requests }: Runs<unknown>): void {
  expect(comparable(requests, rootOf(project))).toEqual(comparable(plainRequests, rootOf(plain)))
}

function rootOf(project: Pick<Project, "path">): string {
  return project.path("")
}

/** Requests by session; sessions side by side come in any order. */
function comparable(requests: readonly ProviderRequest[], root: string): unknown[] {
  const sessions = Object.values(Object.groupBy(requests, ({ sessionID }) => sessionID))
  const plain = sessions.map((own = []) => own.map((request) => withoutRules(request, root)))
  return plain.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

/** Headers that differ from run to run, or with the length of the text. */
const OWN_HEADERS = ["content-length", "host"]

function withoutRules({ kind, raw: { messages, ...rest }, headers }: ProviderRequest, root: string): unknown {
  const kept = kind === "summary" ? messages.map(withoutRetold) : messages.flatMap(withoutFrameParts)
  const named = Object.entries(headers).filter(([name]) => !OWN_HEADERS.includes(name))
  return anonymous({ ...rest, messages: kept, headers: Object.fromEntries(named) }, root)
}

type RawMessage = ProviderRequest["raw"]["messages"][number]

/** A message without the parts that are the plugin's whole frames; none where it has nothing else. Nothing is cut out of a part. */
function withoutFrameParts(message: RawMessage): RawMessage[] {
  if (message.role !== "user") return [message]
  const { content } = message
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : (content ?? [])
  const others = parts.filter(({ text = "" }) => rulesOfFrame(text) === undefined)
  return others.length === 0 && parts.length > 0 ? [] : [{ ...message, content: others }]
}

/** What a summary is made of: the conversation in one text, without whole frames and the paths that the plugin tells, 20 at most. */
function withoutRetold(message: RawMessage): RawMessage {
  if (typeof message.content !== "string") return message
  const text = withoutFrames(message.content)
  return {
    ...message,
    content: text.replace(/\n\nFiles the session has been working on \(paths only\):(\n- .+){1,20}$/, ""),
  }
}

/** The value without what differs from run to run. */
function anonymous(value: unknown, root: string): unknown {
  return JSON.parse(
    JSON.stringify(value)
      .replaceAll(root, "<project>")
      .replaceAll(root.slice(1), "<project>")
      .replace(/call_\d+_\d+|\b01[0-9A-HJKMNP-TV-Z]{24}\b/g, "<call>")
      .replace(/plans\/\d+-[a-z-]+\.md/g, "<plan>")
      .replace(/\b(ses|prt|msg)_\w+/g, "<$1>"),
  )
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
  expect(outline(after, rootOf(project))).toEqual(outline(before, rootOf(plain)))
}

function outline(messages: readonly StoredMessage[], root: string): unknown {
  const ids = messages.map(({ info }) => info.id)
  return messages.map(({ info, parts }) => {
    const { id: _id, sessionID: _session, time: _time, ...rest } = info
    const parent = info.role === "assistant" ? ids.indexOf(info.parentID) : undefined
    const others = parts.filter((part) => !isRulebooks(part))
    return anonymous({ ...rest, parent, parts: others.map(withoutTime) }, root)
  })
}

function isRulebooks(part: StoredMessage["parts"][number]): boolean {
  return part.type === "text" && part.metadata?.["opencode-rulebook"] !== undefined
}

function withoutTime(part: object): unknown {
  return JSON.parse(JSON.stringify(part, (key, value: unknown) => (key === "time" ? undefined : value)))
}
