import { expect } from "bun:test"
import type { ProviderRequest } from "../../src/index.ts"
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
  return Object.values(sessions).map((own = []) => own.map(({ raw }) => withoutRules(raw, directory)))
}

function withoutRules({ messages, ...rest }: ProviderRequest["raw"], directory: string): unknown {
  const kept = messages
    .map((message) => ({ ...message, content: contentOf(message.content) }))
    .filter(({ content }) => content !== "")
  const text = JSON.stringify({ ...rest, messages: kept })
  return JSON.parse(
    text
      .replaceAll(directory, "<project>")
      .replace(/call_\d+_\d+|\b01[0-9A-HJKMNP-TV-Z]{24}\b/g, "<call>")
      .replace(/\bses_\w+/g, "<session>"),
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

/** A text without the plugin's frames, and without the paths that it tells to a compaction. */
function strip(text: string): string {
  return text
    .replace(/\n*(\[User\]: )?<system-message>\n[\s\S]*?\n<\/system-message>/g, "")
    .replace(/\n*Files the session has been working on \(paths only\):(\n- .*)+$/, "")
}
