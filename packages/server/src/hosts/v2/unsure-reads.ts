import type { FileObservation } from "@opencode-rulebook/rule-schema"
import { field, text } from "../shared/untyped.ts"
import type { V2Message } from "./host.ts"
import { numberedLines, type ReadRecord, shownText, textOfRuns } from "./read.ts"

type TextRecord = Extract<ReadRecord, { kind: "text" }>

/** A Read whose text the host may cut before the model sees it: only the next dispatch tells how much the model got. */
export interface UnsureRead {
  readonly callID: string
  readonly path: string
  readonly record: TextRecord
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
      return reads.flatMap(({ callID, path, record }) => {
        const result = resultOf(messages, callID)
        if (result === undefined) return []
        return [{ path, tool: "read", content: textOfRuns(shownRuns(record, result)) }]
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

/** A line counts as far as it is the file's: the host may cut inside one. */
function numberedRuns({ lines, first }: TextRecord, shown: string): string[][] {
  const runs: string[][] = [[]]
  const seen = numberedLines(shown)
  for (const [index, line] of lines.entries()) {
    const own = seen.get(first + index)
    if (own !== undefined && line.startsWith(own)) runs.at(-1)?.push(own)
    if (own !== line) runs.push([])
  }
  return runs.filter((run) => run.length > 0)
}

/** Of a text whose middle or end was cut: the lines from its beginning on, and those up to its end. */
function headAndTail(lines: readonly string[], shown: readonly string[]): (readonly string[])[] {
  const start = shown.indexOf(lines[0] ?? "")
  let head = 0
  while (start >= 0 && head < lines.length && shown[start + head] === lines[head]) head++
  const end = shown.lastIndexOf(lines.at(-1) ?? "")
  let tail = 0
  while (end >= tail && tail < lines.length - head && shown[end - tail] === lines[lines.length - 1 - tail]) tail++
  return [lines.slice(0, head), lines.slice(lines.length - tail)].filter((run) => run.length > 0)
}

/** The lines of a text, or of the `content` in a record that is shown as JSON (July). */
function plainLines(shown: string): string[] {
  const inside = /"content":\s*"(.*)$/s.exec(shown)?.[1]
  if (inside === undefined) return shown.split("\n")
  return inside.split("\\n").map((line) => unescaped(line.replace(/"[,}].*$/s, "")))
}

function unescaped(line: string): string {
  try {
    return JSON.parse(`"${line}"`) as string
  } catch {
    return line
  }
}
