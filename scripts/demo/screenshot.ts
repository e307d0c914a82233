import { mkdir } from "node:fs/promises"
import { dirname, join, relative } from "node:path"
import { startLab, startTui } from "@opencode-rulebook/host-lab"
import { root, run } from "../install.ts"
import { exampleFiles, PLUGIN } from "./example.ts"
import { frameToSvg } from "./frame-to-svg.ts"
import { story } from "./story.ts"
import { storyteller } from "./storyteller.ts"

const COLUMNS = 132
const ROWS = 36
const TITLE = "OpenCode's TUI: the agent has read and edited a Rust file; the sidebar shows four of five rules matched"
const PICTURE = join(root, "docs/images/sidebar")

/** What turns an SVG into a PNG, if it is installed. */
const CONVERTERS: readonly ((svg: string, png: string) => readonly string[])[] = [
  (svg, png) => ["rsvg-convert", "--zoom", "1.5", "--output", png, svg],
  (svg, png) => ["magick", "-density", "144", svg, png],
  (svg, png) => ["inkscape", "--export-type=png", "--export-dpi=144", `--export-filename=${png}`, svg],
]

/**
 * Plays the story's first chapter in OpenCode's real TUI and writes the terminal's frame into `docs/images`.
 *
 * @returns the exit code.
 */
export async function runScreenshot(): Promise<number> {
  await using lab = await startLab({ unchecked: "a person chooses the rules" })
  const project = await lab.project({
    name: "service",
    files: await exampleFiles(),
    plugins: [PLUGIN],
    tuiPlugins: [PLUGIN],
    git: "main",
  })
  lab.provider.script({ project: project.key }, storyteller(project, 0))
  // The frame names the folder: as one of a home folder it is the same in every picture.
  const env = { ...lab.env, HOME: dirname(project.directory) }
  const [chapter] = story
  const prompt = chapter?.prompt ?? ""
  await using tui = await startTui(project.directory, env, { args: ["--prompt", prompt], columns: COLUMNS, rows: ROWS })
  await tui.waitFor("the prompt", (frame) => frame.includes(prompt))
  await tui.press("Enter")
  await tui.waitFor("the end of the turn", (frame) => frame.includes("Done: ") && !frame.includes("esc interrupt"))
  await tui.click("Unsafe Rust")
  await tui.waitFor("the Rust rule's details", (frame) => frame.includes("lifetime: durable"))
  await write(frameToSvg(await tui.colouredFrame(), { columns: COLUMNS, rows: ROWS }, TITLE))
  return 0
}

async function write(svg: string): Promise<void> {
  await mkdir(dirname(PICTURE), { recursive: true })
  await Bun.write(`${PICTURE}.svg`, svg)
  console.log(`Wrote ${relative(root, PICTURE)}.svg`)
  for (const converter of CONVERTERS) {
    const command = converter(`${PICTURE}.svg`, `${PICTURE}.png`)
    if (!Bun.which(command[0] ?? "")) continue
    if ((await run(command)) === 0) console.log(`Wrote ${relative(root, PICTURE)}.png`)
    return
  }
  console.log("No PNG: none of rsvg-convert, magick and inkscape is installed.")
}
