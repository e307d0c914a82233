import type { FileObservation } from "@opencode-rulebook/rule-schema"
import { field, text } from "../shared/untyped.ts"
import type { V2Message } from "./host.ts"
import { numberedRuns, shownText, type TextRecord, textOfRuns } from "./read.ts"

/** A Read whose text the host may cut before the model sees it: only the next dispatch tells how much the model got. */
export interface UnsureRead {
  readonly callID: string
  readonly path: string
  readonly record: TextRecord
  /** What the event says that the model is shown, where that is the last word of it: for a dispatch that has no result of the call. */
  readonly shown: string | undefined
}

/** The Reads of one session that the next dispatch is to tell of. */
export interface UnsureReads {
  add(read: UnsureRead): void
  /** What a dispatch shows of them; each is looked for once. */
  settle(messages: readonly V2Message[]): FileObservation[]
}

export function createUnsureReads(): UnsureReads {
  let waiting: UnsureRead[] = []
  return {
    add: (read) => void waiting.push(read),
    settle(messages) {
      const reads = waiting
      waiting = []
      return reads.flatMap(({ callID, path, record, shown }) => {
        const result = resultOf(messages, callID) ?? shown
        if (result === undefined) return []
        return [{ path, tool: "read", content: textOfRuns(shownRuns(record, result)), isPart: true }]
      })
    },
  }
}

function resultOf(messages: readonly V2Message[], callID: string): unknown {
  for (const { content } of messages.toReversed()) {
    if (!Array.isArray(content)) continue
    const part = content.find((one) => text(one, "type") === "tool-result" && text(one, "id") === callID)
    if (part !== undefined) return field(part, "result")
  }
  return undefined
}

/** The runs of a record's lines that a result shows. */
function shownRuns(record: TextRecord, result: unknown): (readonly string[])[] {
  const value = field(result, "value")
  if (text(value, "content") === record.lines.join("\n")) return [record.lines]
  const shown = shownText(result)
  if (shown === undefined) return []
  return record.isNumbered ? numberedRuns(record, shown) : headAndTail(record.lines, plainLines(shown))
}

/** Of a text whose middle or end was cut: the lines from its beginning on, and those up to its end. */
function headAndTail(lines: readonly string[], shown: readonly string[]): (readonly string[])[] {
  const start = shown.indexOf(lines[0] ?? "")
  let head = 0
  while (head < lines.length && shown[start + head] === lines[head]) head++
  const end = shown.lastIndexOf(lines.at(-1) ?? "")
  let tail = 0
  while (tail < lines.length - head && shown[end - tail] === lines[lines.length - 1 - tail]) tail++
  return [lines.slice(0, head), lines.slice(lines.length - tail)]
}

/** The lines of a text, or of the `content` in a record that is shown as JSON (July). */
function plainLines(shown: string): string[] {
  const inside = /"content":\s*"(.*)/s.exec(shown)?.[1]
  if (inside === undefined) return shown.split("\n")
  return inside.split(LINE_END).map((line) => unescaped(line.replace(TEXT_END, "")))
}

/** A line end in JSON, and the end of a text there: not behind a backslash that is not the text's own. */
const LINE_END = /(?<=(?<!\\)(?:\\\\)*)\\n/
const TEXT_END = /(?<=(?<!\\)(?:\\\\)*)"[,}].*/s

function unescaped(line: string): string {
  try {
    return JSON.parse(`"${line}"`) as string
  } catch {
    return line
  }
}
