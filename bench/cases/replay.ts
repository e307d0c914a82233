import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fastest, runCommand } from "../command.ts"
import { readOutput, ruleText, sourceText } from "../fixtures.ts"
import { duration, megabytes, ratio, type Table } from "../measure.ts"

const SESSIONS = 100
const RULES = 200
const READS = 40
const TEXT = 4_096

/** The built command, under Node, over exported sessions: the fastest of some runs, and the most memory of all. */
export async function replay(): Promise<Table> {
  const scratch = await mkdtemp(join(tmpdir(), "rulebook-bench-"))
  try {
    const files = await writeProject(join(scratch, "app"))
    const parsing = await fastest(async () => {
      for (const path of files) JSON.parse(await readFile(path, "utf8"))
    })
    let most = 0
    const replaying = await fastest(async () => {
      most = Math.max(await runCommand(scratch, ["replay", "exports"]), most)
    })
    return {
      title: `\`replay\` of ${SESSIONS} sessions with ${READS} Reads of 4 KB each, ${RULES} rules`,
      rows: [
        { name: "reading and parsing the exports", value: duration(parsing), ratio: "1.00×" },
        { name: "`replay`", value: duration(replaying), ratio: ratio(replaying, parsing) },
        { name: "memory of the process, at most", value: megabytes(most), ratio: "" },
      ],
    }
  } finally {
    await rm(scratch, { recursive: true })
  }
}

/** Returns the paths of the exports. */
async function writeProject(root: string): Promise<readonly string[]> {
  const [rules, exports] = [join(root, ".opencode/rules"), join(root, "exports")]
  await mkdir(rules, { recursive: true })
  await mkdir(exports)
  for (let index = 0; index < RULES; index += 1) await writeFile(join(rules, `r${index}.md`), ruleText(index))
  const paths: string[] = []
  for (let index = 0; index < SESSIONS; index += 1) {
    const path = join(exports, `${index}.json`)
    await writeFile(path, JSON.stringify(exportedSession(`ses_${index}`, root)))
    paths.push(path)
  }
  return paths
}

/** One prompt, and one Read in each step. */
function exportedSession(id: string, directory: string): object {
  let at = 1_000_000
  const message = (info: object, parts: readonly object[]) => {
    at += 1
    return { info: { id: `msg_${at}`, time: { created: at }, ...info }, parts }
  }
  const text = sourceText(TEXT)
  const answers = Array.from({ length: READS }, (_, index) => {
    const path = join(directory, `packages/p${index}/src/file${index}.ts`)
    const time = { start: at + 1, end: at + 1 }
    const state = { status: "completed", input: { filePath: path }, output: readOutput(path, text), time }
    const parts = [{ type: "step-start" }, { type: "tool", tool: "read", callID: `call_${index}`, state }]
    return message({ role: "assistant", finish: "tool-calls" }, parts)
  })
  const settings = { role: "user", agent: "build", model: { providerID: "lab", modelID: "plain" } }
  const prompt = message(settings, [{ type: "text", text: "Look around." }])
  return { info: { id, directory, title: id, time: { created: 1, updated: at } }, messages: [prompt, ...answers] }
}
