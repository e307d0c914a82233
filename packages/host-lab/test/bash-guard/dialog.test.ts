import { expect, setDefaultTimeout, test } from "bun:test"
import { call, say, startTui } from "@opencode-rulebook/host-lab"
import { buildGuard, guardedProject, startLabThatRunsNothing } from "./guard-lab.ts"

setDefaultTimeout(240_000)

test("the TUI shows why the guard asks, beside the dialog", async () => {
  await buildGuard()
  await using lab = await startLabThatRunsNothing()
  const project = await guardedProject(lab, { bash: { "*": "ask", "npm *": "allow" } })
  lab.provider.script({ project: project.key }, [
    call("bash", { command: "npm test && eval 'deploy now'", description: "d" }),
    say("done"),
  ])
  await using tui = await startTui(project.directory, lab.env, { args: ["--prompt", "go"] })
  await tui.waitFor("the prompt", (frame) => frame.includes("go"))
  await tui.press("Enter")
  const isAsking = (frame: string) => frame.includes("Permission required") && frame.includes("Why bash-guard asks")
  const frame = await tui.waitFor("the dialog and its reason", isAsking)
  expect(frame).toContain("$ npm test && eval 'deploy now'")
  expect(frame).toContain("`eval 'deploy now'`: the bash pattern `*`")
})
