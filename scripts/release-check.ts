import { build } from "./build.ts"
import { installDependencies } from "./install.ts"
import { readIdentity } from "./release/identity.ts"

const TAG = "--tag"

await installDependencies()
const [option, tag] = process.argv.slice(2)
if (option !== undefined && (option !== TAG || tag === undefined)) {
  console.error(`Usage: bun run release:check [${TAG} v1.2.3]`)
  process.exit(2)
}
await build()
const { releaseProblems } = await import("./release/check.ts")
const problems = await releaseProblems(await readIdentity(), tag)
for (const problem of problems) console.error(problem)
console.log(
  problems.length === 0
    ? "The release can go out."
    : `The release can't go out: ${problems.length === 1 ? "1 problem" : `${problems.length} problems`}.`,
)
process.exit(problems.length === 0 ? 0 : 1)
