import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import { join } from "node:path"
import { call, calls, type Lab, type Project, say } from "@opencode-rulebook/host-lab"
import { answerDialogs, bashRuns, buildGuard, fileIn, guardFolder, startLabThatRunsNothing } from "./guard-lab.ts"

setDefaultTimeout(240_000)

let lab: Lab
beforeAll(async () => {
  await buildGuard()
  lab = await startLabThatRunsNothing()
})
afterAll(() => lab.stop())

/** Commands as coding agents send them every day, each behind a line that begins with `%%`. */
const text = await Bun.file(join(guardFolder, "test/everyday.txt")).text()
const everyday = text
  .split(/^%%.*\n/m)
  .map((command) => command.trimEnd())
  .filter((command) => command !== "")

/** All of the command line is in a variable: it may be the very thing that is denied. */
const unknowable = ["git $CMD", '"$NODE" script.js']

const tools =
  "git npm npx node bun bunx python python3 pytest uv cargo go gofmt make docker gh curl jq rg grep find sed awk sort uniq cut tr wc head tail cat ls echo printf cd pushd popd mkdir cp mv touch test [ seq date which type env export set tee xargs basename dirname diff tar chmod sleep true false read expr time timeout bash sh md5sum psql openssl du lsof pwd"
const configs: Readonly<Record<string, Readonly<Record<string, "allow" | "ask" | "deny">>>> = {
  "a short list of what is allowed": {
    "*": "ask",
    "git *": "allow",
    "ls *": "allow",
    "cat *": "allow",
    "echo *": "allow",
    "rm *": "deny",
    "sudo *": "deny",
  },
  "everything but what is denied": { "*": "allow", "rm *": "deny", "git push *": "deny" },
  "a long list of what is allowed": {
    "*": "ask",
    ...Object.fromEntries(tools.split(" ").map((tool) => [`${tool} *`, "allow" as const])),
    "rm *": "deny",
  },
}

interface Outcome {
  readonly command: string
  readonly dialogs: number
  readonly isRefused: boolean
}

/** Every command in one turn, each dialog answered with "once". */
async function outcomes(project: Project, commands: readonly string[]): Promise<readonly Outcome[]> {
  const { asked } = answerDialogs(project, () => "once")
  const session = await project.session()
  const all = commands.map((command) => call("bash", { command, description: "d" }))
  await session.prompt("go", [calls(...all), say("done")])
  const runs = bashRuns(await session.messages())
  return commands.map((command, index) => {
    const run = runs[index]
    const dialogs = asked.filter((dialog) => dialog.tool?.callID === run?.callID).length
    return { command, dialogs, isRefused: run?.status !== "completed" }
  })
}

test("nothing runs in this lab", async () => {
  const project = await lab.project({ config: { permission: "allow" } })
  expect(await outcomes(project, ["touch made.txt", "echo a > made.txt"])).toMatchObject([
    { isRefused: false },
    { isRefused: false },
  ])
  expect(await fileIn(project, "made.txt").exists()).toBe(false)
})

describe("no everyday command asks more often than on the host alone, and none is refused that the host runs", () => {
  expect(everyday.length).toBeGreaterThan(150)

  for (const [name, bash] of Object.entries(configs)) {
    test(name, async () => {
      const config = { permission: { bash } }
      const guarded = await lab.project({ git: "main", plugins: [guardFolder], config })
      const withGuard = await outcomes(guarded, everyday)
      // A command that ran unasked asks no more often than anywhere.
      const asking = withGuard.filter(({ dialogs, isRefused }) => dialogs > 0 || isRefused)
      expect(asking.length).toBeGreaterThan(0)
      const alone = await lab.project({ git: "main", config })
      const commands = asking.map(({ command }) => command)
      const without = await outcomes(alone, commands)
      const more = asking.filter(({ dialogs, isRefused }, index) => {
        const host = without[index]
        return host === undefined || dialogs > host.dialogs || (isRefused && !host.isRefused)
      })
      expect(more.filter(({ command }) => !unknowable.includes(command))).toEqual([])
      expect(more.every(({ dialogs, isRefused }) => dialogs <= 1 && !isRefused)).toBe(true)
    })
  }
})
