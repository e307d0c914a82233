import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { join } from "node:path"
import { stateDirectory, visible } from "@opencode-rulebook/rule-schema"
import { type Diagnosis, ok, type Patient, warning } from "./diagnosis.ts"

/** How much of the log's end is read, in bytes, and how many lines are shown. */
const TAIL_BYTES = 512 * 1024
const MOST_LINES = 5

/** What did the plugin last complain about, in OpenCode 1's log or in its own on OpenCode 2? */
export async function checkLog({ io }: Patient): Promise<readonly Diagnosis[]> {
  const data = join(io.env["XDG_DATA_HOME"] || join(io.home, ".local", "share"), "opencode", "log", "opencode.log")
  const own = join(stateDirectory({ ...io.env }, io.home, io.platform), "opencode-rulebook.log")
  const found = await Promise.all([complaintsIn(data, wordsInHostLog), complaintsIn(own, wordsInOwnLog)])
  const all = found.flat()
  return all.length > 0 ? all : [ok("log", `no warnings from the plugin at the end of ${data} or ${own}`)]
}

async function complaintsIn(
  file: string,
  wordsIn: (line: string) => string | undefined,
): Promise<readonly Diagnosis[]> {
  const tail = (await readTail(file)) ?? ""
  const last = [...new Set(tail.split("\n").flatMap((line) => wordsIn(line) ?? []))].slice(-MOST_LINES)
  return last.map((line) =>
    warning("log", visible(line), `Follow the advice in this line. Older warnings are in ${file}`),
  )
}

async function readTail(file: string): Promise<string | undefined> {
  try {
    const { size } = await stat(file)
    const chunks: Buffer[] = []
    for await (const chunk of createReadStream(file, { start: Math.max(size - TAIL_BYTES, 0) })) chunks.push(chunk)
    return Buffer.concat(chunks).toString("utf8")
  } catch {
    return undefined
  }
}

/** The plugin's own words in a line of OpenCode 1's log, whose columns are `key=value` (measured on OpenCode 1.18.33). */
function wordsInHostLog(line: string): string | undefined {
  if (!/\b(?:WARN|ERROR)\b/.test(line)) return undefined
  const quoted = /message=("opencode-rulebook: (?:[^"\\]|\\.)*")/.exec(line)?.[1]
  return quoted === undefined ? undefined : (JSON.parse(quoted) as string).slice("opencode-rulebook: ".length)
}

function wordsInOwnLog(line: string): string | undefined {
  return /^\S+ (?:WARN|ERROR) (.+)$/.exec(line)?.[1]
}
