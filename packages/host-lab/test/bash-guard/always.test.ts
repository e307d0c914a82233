import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import { call, calls, type Lab, type Project, type Session, say } from "@opencode-rulebook/host-lab"
import {
  answerDialogs,
  bashRuns,
  buildGuard,
  guardedProject,
  guardFolder,
  type Reply,
  startLabThatRunsNothing,
} from "./guard-lab.ts"

setDefaultTimeout(180_000)

let lab: Lab
beforeAll(async () => {
  await buildGuard()
  lab = await startLabThatRunsNothing()
})
afterAll(() => lab.stop())

const permission = {
  bash: { "*": "ask", "echo *": "allow", "npm publish *": "deny", "rm *": "deny" },
  external_directory: { "*": "ask" },
}

function bash(command: string) {
  return call("bash", { command, description: "d" })
}

/** How many dialogs one command raises. */
async function dialogsFor(session: Session, asked: readonly unknown[], command: string, agent?: string) {
  const before = asked.length
  const script = [bash(command), say("done")]
  await session.prompt("go", { script, loose: true, ...(agent === undefined ? {} : { agent }) })
  return asked.length - before
}

const sequence: readonly string[] = [
  "npm test -- a",
  "npm test -- b",
  "npm test && echo done",
  "npm run build -- a",
  "npm run build -- b",
  "npm run other",
  "python3 -c 'a'",
  "python3 -c 'b'; python3 c.py",
  "docker compose up -d a",
  "docker compose up -d b",
  "X=1 deploy a",
  "deploy b && deploy c > out.txt",
  "timeout 5 pytest -q a",
  "timeout 9 pytest -q b",
  "bash -c 'make a && npm run lint'",
  "bash -c 'make a -j2'",
  "head /etc/hostname",
  "head -2 /etc/hostname",
  "cat /etc/passwd",
  "cat /etc/hosts && npm test -- c",
]

/** The dialogs of each command of the sequence, "always" answered to all. */
async function always(project: Project): Promise<readonly (readonly [command: string, dialogs: number])[]> {
  const { asked } = answerDialogs(project, () => "always")
  const session = await project.session()
  const counts: [string, number][] = []
  for (const command of sequence) counts.push([command, await dialogsFor(session, asked, command)])
  return counts
}

describe("an always answer", () => {
  test("is worth as much as without the plugin", async () => {
    const config = { permission }
    const alone = await always(await lab.project({ git: "main", config }))
    const guarded = await always(await lab.project({ git: "main", plugins: [guardFolder], config }))
    expect(guarded).toEqual([...alone])
    expect(alone[0]?.[1]).toBe(1)
    expect(alone[1]?.[1]).toBe(0)
  })

  test("holds in other sessions and for other agents, as on the host", async () => {
    const project = await guardedProject(lab, permission, { config: { agent: { other: { mode: "primary" } } } })
    const { asked } = answerDialogs(project, () => "always")
    expect(await dialogsFor(await project.session(), asked, "npm test -- a")).toBe(1)
    expect(await dialogsFor(await project.session(), asked, "npm test -- b", "other")).toBe(0)
  })

  test("holds for that very command where something is only known when it runs", async () => {
    const project = await guardedProject(lab, permission, { config: { agent: { other: { mode: "primary" } } } })
    const { asked } = answerDialogs(project, () => "always")
    const session = await project.session()
    expect(await dialogsFor(session, asked, "echo a; $X b")).toBe(1)
    expect(await dialogsFor(session, asked, "echo a; $X b")).toBe(0)
    expect(await dialogsFor(session, asked, "echo a; $X c")).toBe(1)
    expect(await dialogsFor(session, asked, "echo a; $X b", "other")).toBe(1)
  })

  test("opens nothing that is denied, and no script in a string", async () => {
    const project = await guardedProject(lab, permission)
    let reply: Reply = "always"
    const { asked } = answerDialogs(project, () => reply)
    const session = await project.session()
    await dialogsFor(session, asked, "npm config get a; eval 'deploy a'; bash -c 'deploy a'")
    reply = "reject"
    const before = asked.length
    expect(await dialogsFor(session, asked, "eval 'touch made.txt'")).toBe(1)
    expect(await dialogsFor(session, asked, "bash -c 'touch made.txt'")).toBe(1)
    expect(await dialogsFor(session, asked, "npm publish")).toBe(0)
    expect(await dialogsFor(session, asked, "bash -c 'rm x'")).toBe(0)
    expect(asked.length - before).toBe(2)
    const runs = bashRuns(await session.messages()).slice(1)
    expect(runs.map(({ status }) => status)).toEqual(["error", "error", "error", "error"])
  })

  test("answers the session's other open dialogs that it covers, as on the host", async () => {
    const project = await guardedProject(lab, permission)
    const session = await project.session()
    const turn = session.prompt("go", [
      calls(bash("npm test -- a"), bash("npm test -- b"), bash("deploy")),
      say("done"),
    ])
    const dialogOf = (command: string) =>
      project.event((event) => event.type === "permission.asked" && event.properties.patterns.includes(command))
    const [first, second, third] = await Promise.all(["npm test -- a", "npm test -- b", "deploy"].map(dialogOf))
    await answer(project, first, "always")
    const repliedTo = (asked: typeof first) => project.event((event) => isReplyTo(event, asked))
    await repliedTo(second)
    expect(project.events().some((event) => isReplyTo(event, third))).toBe(false)
    await answer(project, third, "once")
    await turn
    const runs = bashRuns(await session.messages())
    expect(runs.map(({ status }) => status)).toEqual(["completed", "completed", "completed"])
  })
})

type HostEvent = Awaited<ReturnType<Project["event"]>>

async function answer(project: Project, asked: HostEvent | undefined, reply: Reply): Promise<void> {
  if (asked?.type !== "permission.asked") throw new Error("no dialog")
  await project.client().permission.reply({ requestID: asked.properties.id, reply })
}

function isReplyTo(event: HostEvent, asked: HostEvent | undefined): boolean {
  return (
    event.type === "permission.replied" &&
    asked?.type === "permission.asked" &&
    event.properties.requestID === asked.properties.id
  )
}
