import { build } from "./build.ts"
import { installDependencies } from "./install.ts"

await installDependencies()
await build()
// Only now are the packages there that the demo itself is written with.
const { runDemo } = await import("./demo/run.ts")
process.exit(await runDemo())
