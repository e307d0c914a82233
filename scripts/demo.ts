import { build } from "./build.ts"
import { installDependencies, installProgram } from "./install.ts"

const USAGE = `bun run demo               tells a session request by request
bun run demo --tui         starts OpenCode's TUI for you to play it
bun run demo --screenshot  writes a picture of the TUI into docs/images
bun run demo --page        writes pictures of the report's page into docs/images`

process.exit(await demo(process.argv.slice(2)))

async function demo(args: readonly string[]): Promise<number> {
  const [mode = "--tell", ...more] = args
  if (more.length > 0 || !["--tell", "--tui", "--screenshot", "--page"].includes(mode)) {
    console.error(USAGE)
    return 1
  }
  await installDependencies()
  await build()
  // Only now are the packages there that the demo itself is written with.
  if (mode === "--tui") return (await import("./demo/tui.ts")).runTui()
  if (mode === "--tell") return (await import("./demo/run.ts")).runDemo()
  if (mode === "--page") return (await installProgram("chromium")) ? (await import("./demo/page.ts")).runPage() : 1
  return (await installProgram("tmux")) ? (await import("./demo/screenshot.ts")).runScreenshot() : 1
}
