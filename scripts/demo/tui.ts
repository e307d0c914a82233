import { join } from "node:path"
import { opencodeBinary, startLab } from "@opencode-rulebook/host-lab"
import { EXAMPLE, exampleFiles, PLUGIN } from "./example.ts"
import { story } from "./story.ts"
import { storyteller } from "./storyteller.ts"

const GUIDE = join(import.meta.dir, "guide")
/** The model seems to think for this long, so that each change in the sidebar can be seen. */
const PACE_MS = 1500
/** OpenCode shows its sidebar from this width on (measured on OpenCode 1.18.33). */
const SIDEBAR_COLUMNS = 121

/**
 * Starts OpenCode's TUI on the example for a person, with the scripted model, and says on its screen what to type.
 *
 * @returns the exit code.
 */
export async function runTui(): Promise<number> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    console.error("`bun run demo --tui` needs a terminal. `bun run demo --screenshot` writes a picture without one.")
    return 1
  }
  await using lab = await startLab({ unchecked: "a person chooses the rules" })
  const project = await lab.project({
    name: "service",
    files: await exampleFiles(),
    plugins: [PLUGIN],
    tuiPlugins: [PLUGIN, [GUIDE, { lines: guideLines() }]],
    git: "main",
  })
  lab.provider.script({ project: project.key }, storyteller(project, PACE_MS))
  console.log(`\nStarting OpenCode on a copy of ${EXAMPLE} …`)
  const child = Bun.spawn([opencodeBinary(), "--prompt", story[0]?.prompt ?? ""], {
    cwd: project.directory,
    env: { ...terminalEnvironment(), ...lab.env },
    stdio: ["inherit", "inherit", "inherit"],
  })
  return await child.exited
}

function guideLines(): string[] {
  const [first, ...others] = story.map(({ prompt }) => prompt)
  const columns = process.stdout.columns
  return [
    `DEMO  Press Enter to send: ${first}`,
    ...others.map((prompt) => `      Then type:           ${prompt}`),
    "      Watch Rules on the right; click a rule to see why. The model is scripted. ctrl+c leaves.",
    ...(columns < SIDEBAR_COLUMNS ? [`      Widen the terminal: the sidebar needs ${SIDEBAR_COLUMNS} columns.`] : []),
  ]
}

/** What a program must know of the terminal it is on. */
function terminalEnvironment(): Record<string, string> {
  const names = ["TERM", "COLORTERM", "TERM_PROGRAM", "TMUX", "LANG", "LC_ALL", "LC_CTYPE"]
  return Object.fromEntries(
    names.flatMap((name) => [[name, process.env[name] ?? ""] as const]).filter(([, v]) => v !== ""),
  )
}
