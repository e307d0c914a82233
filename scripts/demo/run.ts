import { join } from "node:path"
import { type Lab, type Project, type ProviderRequest, startLab } from "@opencode-rulebook/host-lab"
import { Glob } from "bun"
import { EXAMPLE, exampleFiles, PLUGIN } from "./example.ts"
import { explainRequests, type Told } from "./explain.ts"
import { printChapter, printEnd, printHead } from "./print.ts"
import { story } from "./story.ts"

/** How often the host's log is looked at, 20 ms apart, before the demo goes on without reasons. */
const LOG_ATTEMPTS = 150

/**
 * Runs the demo's story on real OpenCode, once with the plugin and once without, and prints what happened.
 *
 * @returns the exit code: 0 when both runs cost the same number of provider requests and the rules arrived.
 */
export async function runDemo(): Promise<number> {
  const files = await exampleFiles()
  await using lab = await startLab({ unchecked: "a person chooses the rules", env: { OPENCODE_RULEBOOK_DEBUG: "1" } })
  const project = await lab.project({ files, plugins: [PLUGIN], git: "main" })
  await printHead(EXAMPLE)
  const told = await play(lab, project)
  const plain = await lab.project({ files, git: "main" })
  await playSilently(plain)
  const counts = { withPlugin: project.requests().length, without: plain.requests().length }
  printEnd(counts, told)
  return counts.withPlugin === counts.without && told.length > 0 ? 0 : 1
}

async function play(lab: Lab, project: Project): Promise<Told[]> {
  const session = await project.session()
  const all: Told[] = []
  const requests: ProviderRequest[] = []
  for (const { prompt, script } of story) {
    const turn = await session.prompt(prompt, script(project))
    requests.push(...turn.requests)
    const log = await traceOf(lab, requests.length)
    const told = explainRequests(requests, log, project.directory).slice(all.length)
    printChapter(prompt, told, all.length + 1)
    all.push(...told)
  }
  return all
}

/** The host's log, once it has the plugin's lines for the last of so many dispatches: it is written behind their backs. */
async function traceOf(lab: Lab, dispatches: number): Promise<readonly string[]> {
  const last = `request ${dispatches} of `
  const rules = [...new Glob("**/*.md").scanSync({ cwd: join(EXAMPLE, ".opencode/rules") })].length
  let log: readonly string[] = []
  for (let attempt = 0; attempt < LOG_ATTEMPTS; attempt++) {
    log = await lab.log()
    if (log.filter((line) => line.includes(last)).length >= rules) break
    await Bun.sleep(20)
  }
  return log
}

async function playSilently(project: Project): Promise<void> {
  const session = await project.session()
  for (const { prompt, script } of story) await session.prompt(prompt, script(project))
}
