import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type MatchedRuleState, type RuleDirectory, writeState } from "@opencode-rulebook/rule-schema"
import { type Lab, type Project, say, startLab, startTui } from "../../packages/host-lab/src/index.ts"
import { followSession } from "../../packages/tui/src/follow.ts"
import { sectionRows } from "../../packages/tui/src/rows.ts"
import { mixedRuleText } from "../fixtures.ts"
import { compare, duration, ratio, type Table } from "../measure.ts"

const PLUGIN = join(import.meta.dir, "../../packages/opencode-rulebook")
const COLUMNS = 37
/** As the sidebar waits, in milliseconds. */
const BURST_MS = 40
/** What a short prompt takes to type, in milliseconds. */
const TYPING_MS = 4_000

function ruleFiles(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`r${index}.md`, mixedRuleText(index)]))
}

/**
 * Real OpenCode's TUI: from the key that sends a prompt to the rules in the sidebar, which the host's own work with a new session is
 * part of; the fastest of some starts. Where tmux is missing nothing is measured.
 */
export async function sidebarStart(): Promise<Table> {
  const title = "Real OpenCode's TUI, from a session's first prompt to the rules in the sidebar"
  if (Bun.which("tmux") === null) return { title, rows: [] }
  const best = new Map<number, number>()
  await using lab = await startLab({ unchecked: "the time is measured" })
  for (const count of [10, 1_000, 10, 1_000, 10, 1_000]) {
    const took = await untilListed(lab, count)
    best.set(count, Math.min(took, best.get(count) ?? Number.POSITIVE_INFINITY))
  }
  const base = best.get(10) ?? Number.NaN
  const rows = Array.from(best, ([count, took]) => {
    return { name: `${count.toLocaleString("en")} rules`, value: duration(took), ratio: ratio(took, base) }
  })
  return { title, rows }
}

async function untilListed(lab: Lab, count: number): Promise<number> {
  const project: Project = await lab.project({ rules: ruleFiles(count), plugins: [PLUGIN], tuiPlugins: [PLUGIN] })
  lab.provider.script({ project: project.key }, [say("done")])
  await using tui = await startTui(project.directory, lab.env)
  await tui.waitFor("the home screen", (frame) => frame.includes("Ask anything"))
  await tui.type("hello there")
  await tui.waitFor("the prompt", (frame) => frame.includes("hello there"))
  await Bun.sleep(TYPING_MS)
  const start = Bun.nanoseconds()
  await tui.press("Enter")
  await tui.waitFor("the rules", (frame) => /Rules \d+ of/.test(frame))
  return Bun.nanoseconds() - start
}

/** From a state that the server part has written to the rows that show it. */
export async function sidebarChange(): Promise<Table> {
  const root = await mkdtemp(join(tmpdir(), "rulebook-bench-"))
  const followed: Followed[] = []
  try {
    for (const count of [10, 1_000]) followed.push(await follow(join(root, String(count)), count))
    const title = `From a changed state file to new rows, the ${BURST_MS} ms that a burst is waited for included`
    return await compare(
      title,
      7,
      followed.map(({ count, change }) => ({ name: `${count.toLocaleString("en")} rules`, run: change })),
    )
  } finally {
    for (const { stop } of followed) stop()
    await rm(root, { recursive: true, force: true })
  }
}

interface Followed {
  readonly count: number
  /** Writes another state; resolves when there are rows of it. */
  readonly change: () => Promise<unknown>
  readonly stop: () => void
}

async function follow(root: string, count: number): Promise<Followed> {
  const directory: RuleDirectory = { scope: "project", path: join(root, "rules"), root, prefix: "" }
  const stateDirectory = join(root, "state")
  await mkdir(directory.path, { recursive: true })
  for (const [name, text] of Object.entries(ruleFiles(count))) await writeFile(join(directory.path, name), text)
  let shown: (rows: unknown) => void = () => undefined
  let status: "pending" | "delivered" = "pending"

  async function change(): Promise<unknown> {
    const drawn = new Promise<unknown>((resolve) => {
      shown = resolve
    })
    status = status === "pending" ? "delivered" : "pending"
    const rules = [{ id: "project:r0.md", digest: "", status }]
    const state: MatchedRuleState = { version: 2, sessionID: "ses_bench", directory: root, updatedAt: 0, rules }
    await writeState(stateDirectory, state)
    return drawn
  }

  const session = followSession({
    sessionID: "ses_bench",
    directories: [directory],
    stateDirectory,
    delayMs: BURST_MS,
    onChange(view) {
      const rows = sectionRows(view, new Set(), COLUMNS)
      if (view.kind === "ready" && view.state?.rules[0]?.status === status) shown(rows)
    },
  })
  await change()
  return { count, change, stop: session.stop }
}
