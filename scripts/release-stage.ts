import { basename, join, resolve } from "node:path"
import { build } from "./build.ts"
import { installDependencies } from "./install.ts"
import { identityProblems, readIdentity } from "./release/identity.ts"
import { RELEASED } from "./release/packages.ts"

await installDependencies()
const target = process.argv[2]
if (target === undefined) {
  console.error("Name the folder for the packages, for example: bun run release:stage .release")
  process.exit(2)
}
const identity = await readIdentity()
const problems = identityProblems(identity)
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
await build()
const { stagePackage } = await import("./release/stage.ts")
for (const { folder } of RELEASED) await stagePackage(folder, join(resolve(target), basename(folder)), identity)
