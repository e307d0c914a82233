import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { call, calls, type Lab, say, startLab } from "@opencode-rulebook/host-lab"
import { answerDialogs, buildGuard, fileIn, guardedProject, guardLog, lastRun } from "./guard-lab.ts"

setDefaultTimeout(180_000)

let lab: Lab
beforeAll(async () => {
  await buildGuard()
  lab = await startLab()
})
afterAll(() => lab.stop())

const permission = { bash: { "*": "ask", "echo *": "allow", "rm *": "deny" } }
const on = '{\n  // one-liners go back\n  "restructure": { "enabled": true },\n}\n'
const configPath = ".opencode/opencode-bash-guard.jsonc"

function bash(command: string) {
  return call("bash", { command, description: "d" })
}

test("one-liner → rejection → multi-line script → dialog: the whole loop in one turn", async () => {
  const project = await guardedProject(lab, permission, { files: { [configPath]: on } })
  const { asked } = answerDialogs(project, () => "once")
  const session = await project.session()
  const chain = "touch 1.txt && touch 2.txt && touch 3.txt && touch 4.txt"
  let message = ""
  const turn = await session.prompt("make four files", [
    bash(chain),
    (request) => {
      message = request.messages.at(-1)?.text ?? ""
      const script = message.split("For this command:\n")[1] ?? ""
      return bash(script)
    },
    say("done"),
  ])
  expect(turn.requests).toHaveLength(3)
  expect(message).toContain("4 commands on one line (limit 3)")
  expect(message).toContain("Separate calls")
  expect(message).toContain("set -e\ntouch 1.txt\ntouch 2.txt\ntouch 3.txt\ntouch 4.txt")
  expect(lastRun(await session.messages())).toMatchObject({ status: "completed", exit: 0 })
  expect(asked).toHaveLength(1)
  for (const name of ["1.txt", "2.txt", "3.txt", "4.txt"]) expect(await fileIn(project, name).exists()).toBe(true)
})

test("a rejected one-liner runs nothing and raises no dialog", async () => {
  const project = await guardedProject(lab, permission, { files: { [configPath]: on } })
  const { asked } = answerDialogs(project, () => "once")
  const session = await project.session()
  await session.prompt("go", [bash("touch 1.txt; touch 2.txt; touch 3.txt; touch 4.txt"), say("done")])
  expect(lastRun(await session.messages()).status).toBe("error")
  await session.prompt("go", [bash("echo $(echo $(touch 1.txt))"), say("done")])
  const nested = lastRun(await session.messages())
  expect(nested.text).toContain("commands nested 3 deep (limit 2)")
  expect(asked).toEqual([])
  expect(await fileIn(project, "1.txt").exists()).toBe(false)
})

test("separate calls are the other way", async () => {
  const project = await guardedProject(lab, permission, { files: { [configPath]: on } })
  const { asked } = answerDialogs(project, () => "once")
  const session = await project.session()
  await session.prompt("go", [calls(bash("touch 1.txt"), bash("touch 2.txt")), say("done")])
  expect(asked).toHaveLength(2)
  expect(await fileIn(project, "2.txt").exists()).toBe(true)
})

test("allowed chains and denied ones are what they were", async () => {
  const project = await guardedProject(lab, permission, { files: { [configPath]: on } })
  const { asked } = answerDialogs(project, () => "once")
  const session = await project.session()
  await session.prompt("go", [bash("echo 1; echo 2; echo 3; echo 4; echo $(echo $(echo 5))"), say("done")])
  expect(lastRun(await session.messages())).toMatchObject({ status: "completed", text: "1\n2\n3\n4\n5\n" })
  await session.prompt("go", [bash("echo 1; echo 2; echo 3; touch x; rm x"), say("done")])
  expect(lastRun(await session.messages()).text).toContain("forbidden by the bash permission pattern `rm *`")
  expect(asked).toEqual([])
})

test("without the setting a long chain goes to the dialog", async () => {
  const project = await guardedProject(lab, permission)
  const { asked } = answerDialogs(project, () => "once")
  const session = await project.session()
  await session.prompt("go", [bash("touch 1.txt; touch 2.txt; touch 3.txt; touch 4.txt"), say("done")])
  expect(asked).toHaveLength(1)
  expect(await fileIn(project, "4.txt").exists()).toBe(true)
})

test("a broken config is a warning in the host's log, and the guard works on", async () => {
  const broken = '{\n  "restructure": { "enabled": true, "max_segments": "many" },\n}\n'
  const project = await guardedProject(lab, permission, { files: { [configPath]: broken } })
  const { asked } = answerDialogs(project, () => "once")
  const session = await project.session()
  await session.prompt("go", [bash("rm x"), say("done")])
  expect(lastRun(await session.messages()).text).toContain("forbidden")
  await session.prompt("go", [bash("touch 1.txt"), say("done")])
  expect(asked).toHaveLength(1)
  const lines = await guardLog(lab, "max_segments", 1)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain(`${project.path(configPath)}:2: `)
})

test("the user's own file counts, and the project's goes over it", async () => {
  const strict = JSON.stringify({ restructure: { enabled: true, max_segments: 1 } })
  const own = await startLab({ env: {} })
  try {
    await Bun.write(`${own.root}/config/opencode/opencode-bash-guard.jsonc`, strict)
    const project = await guardedProject(own, permission)
    const { asked } = answerDialogs(project, () => "once")
    const session = await project.session()
    await session.prompt("go", [bash("touch 1.txt; touch 2.txt"), say("done")])
    expect(lastRun(await session.messages()).text).toContain("2 commands on one line (limit 1)")
    const files = { [configPath]: JSON.stringify({ restructure: { enabled: false } }) }
    const other = await guardedProject(own, permission, { files })
    const otherAsked = answerDialogs(other, () => "once").asked
    const otherSession = await other.session()
    await otherSession.prompt("go", [bash("touch 1.txt; touch 2.txt"), say("done")])
    expect([asked.length, otherAsked.length]).toEqual([0, 1])
  } finally {
    await own.stop()
  }
})
