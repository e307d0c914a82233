// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the shell expands these, not JavaScript
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import { call, calls, type Lab, type Session, say, startLab, subagent } from "@opencode-rulebook/host-lab"
import { answerDialogs, bashRuns, buildGuard, fileIn, guardedProject, guardLog, lastRun } from "./guard-lab.ts"

setDefaultTimeout(180_000)

let lab: Lab
beforeAll(async () => {
  await buildGuard()
  lab = await startLab()
})
afterAll(() => lab.stop())

const asking = {
  bash: {
    "*": "ask",
    "echo *": "allow",
    "ls *": "allow",
    pwd: "allow",
    true: "allow",
    "cat *": "allow",
    "rm *": "deny",
    "cd *": "allow",
  },
}

function bash(command: string) {
  return call("bash", { command, description: "run it" })
}

async function run(session: Session, command: string, agent?: string) {
  const script = [bash(command), say("done")]
  const turn = await session.prompt("go", { script, loose: true, ...(agent === undefined ? {} : { agent }) })
  return { ...lastRun(await session.messages()), requests: turn.requests }
}

describe("allowed chains", () => {
  test("run unchanged, with no dialog", async () => {
    const project = await guardedProject(lab, asking, { files: { "a.txt": "text\n" } })
    const { asked } = answerDialogs(project, () => "once")
    const session = await project.session()
    const commands = [
      ["echo one && echo two; ls a.txt | cat", "one\ntwo\na.txt\n"],
      ["for x in 1 2; do echo $x; done", "1\n2\n"],
      ["echo $(echo inner)", "inner\n"],
      ["cat <<E\nbody $(echo x)\nE", "body x\n"],
      ["echo a > out.txt && cat out.txt", "a\n"],
    ] as const
    for (const [command, output] of commands) {
      const outcome = await run(session, command)
      expect(outcome).toMatchObject({ status: "completed", text: output, exit: 0, command })
    }
    expect(asked).toEqual([])
  })
})

describe("commands that ask", () => {
  const commands: readonly [command: string, output: string, exit: number][] = [
    ["echo a && printf b", "a\nb", 0],
    ["eval 'echo a; printf b'", "a\nb", 0],
    ["printf a; (exit 3)", "a", 3],
    ["'printf' a", "a", 0],
    ["\\printf a", "a", 0],
    ["X=1 printf a", "a", 0],
    ["x=printf; $x a", "a", 0],
    ["cd sub && printf '%s' \"${PWD##*/}\"", "sub", 0],
    ["printf '%s' \"$LINENO:$?\"", "1:0", 0],
    ["echo 'printf a' | sh", "a", 0],
    ["sh <<< 'printf a'", "a", 0],
    ["bash -c 'printf a; exit 7'", "a", 7],
    ["command printf a", "a", 0],
    ["builtin printf a", "a", 0],
    ["env printf a", "a", 0],
    ["timeout 5 printf a", "a", 0],
    ["echo x | xargs printf", "x", 0],
    ["printf a\nprintf b", "ab", 0],
    ["set -e\nprintf a\nfalse\nprintf b", "a", 1],
    ["# about it\nprintf a", "a", 0],
    ["  printf a", "a", 0],
    ["echo $((1 + $(printf 2)))", "3\n", 0],
    ["x=([1]=$(printf a)); echo ${x[1]}", "a\n", 0],
    ["[[ $(printf a) == a ]]", "(no output)", 0],
    ["echo ${y:-$(printf a)}", "a\n", 0],
    ["f() { printf a; }; f", "a", 0],
    ["nosuchprogram", "/usr/bin/bash: line 1: nosuchprogram: command not found\n", 127],
    ["exit 4", "(no output)", 4],
  ]

  test("raise exactly one dialog each, and their output, status and folder stay as they are", async () => {
    const project = await guardedProject(lab, asking, { files: { "sub/x": "" } })
    const { asked } = answerDialogs(project, () => "once")
    const session = await project.session()
    await session.prompt("go", [calls(...commands.map(([command]) => bash(command))), say("done")])
    const runs = bashRuns(await session.messages())
    expect(runs).toHaveLength(commands.length)
    for (const [index, [command, output, exit]] of commands.entries()) {
      const outcome = runs[index]
      const dialogs = asked.filter((request) => request.tool?.callID === outcome?.callID)
      expect([command, dialogs.length]).toEqual([command, 1])
      expect([command, outcome?.text, outcome?.exit]).toEqual([command, output, exit])
    }
    expect(asked).toHaveLength(commands.length)
  })

  test("ask also where everything else is allowed", async () => {
    const project = await guardedProject(lab, { bash: { "*": "allow", "printf *": "ask" } })
    const { asked } = answerDialogs(project, () => "once")
    const session = await project.session()
    await run(session, "echo a")
    expect(asked).toHaveLength(0)
    for (const command of ["printf a", "eval 'printf a'", "\\printf a", "/usr/bin/printf a", "x=printf; $x a"]) {
      const before = asked.length
      expect((await run(session, command)).text).toBe("a")
      expect([command, asked.length - before]).toEqual([command, 1])
    }
  })

  test("a rejected one does not run", async () => {
    const project = await guardedProject(lab, asking)
    answerDialogs(project, () => "reject")
    const session = await project.session()
    const outcome = await run(session, "eval 'echo a > made.txt'; touch made.txt")
    expect(outcome.status).toBe("error")
    expect(await fileIn(project, "made.txt").exists()).toBe(false)
  })

  test("the model reads its own calls as it made them", async () => {
    const project = await guardedProject(lab, asking)
    answerDialogs(project, () => "once")
    const session = await project.session()
    const { requests } = await run(session, "printf a")
    const after = JSON.stringify(requests.at(-1)?.raw.messages)
    expect(after).toContain('{\\"command\\":\\"printf a\\"')
    expect(after).not.toContain("bash-guard")
  })
})

describe("a dialog", () => {
  test("carries the reason that the model reads where there is no way to ask", async () => {
    const project = await guardedProject(lab, asking)
    const { asked } = answerDialogs(project, () => "once")
    await run(await project.session(), "eval 'printf a'")
    expect(asked[0]?.patterns[0]).toMatch(
      /^bash-guard-ask-\w+ '`eval .*printf a.*`: the bash pattern `\*` \(and 1 more\)'$/,
    )
    const permission = [{ permission: "bash", pattern: "bash-guard*", action: "allow" as const }]
    const created = await project.client().session.create({ permission })
    const closed = await run(await project.session(created.data?.id), "eval 'printf a'")
    expect(closed.text).toContain("(`eval 'printf a'`: the bash pattern `*` (and 1 more))")
  })
})

describe("denied commands", () => {
  test("never run, raise no dialog, and the model reads which pattern forbids what", async () => {
    const project = await guardedProject(lab, asking, { files: { "keep.txt": "kept" } })
    const { asked } = answerDialogs(project, () => "once")
    const session = await project.session()
    const commands = [
      "rm keep.txt",
      "echo a && rm keep.txt",
      "echo $(rm keep.txt)",
      "\\rm keep.txt",
      "/bin/rm keep.txt",
      "eval 'rm keep.txt'",
      "bash -c 'rm keep.txt'",
      "echo 'rm keep.txt' | sh",
      "timeout 5 rm keep.txt",
      "find . -name keep.txt -exec rm {} +",
      "echo keep.txt | xargs rm",
      "printf x; rm keep.txt",
    ]
    const turn = await session.prompt("go", [calls(...commands.map(bash)), say("done")])
    const runs = bashRuns(await session.messages())
    const results = turn.requests.at(-1)?.messages.slice(-commands.length) ?? []
    for (const [index, command] of commands.entries()) {
      expect([command, runs[index]?.status]).toEqual([command, "error"])
      expect(runs[index]?.text).toContain("forbidden by the bash permission pattern `rm *`")
      expect(results[index]?.text).toContain("forbidden by the bash permission pattern `rm *`")
    }
    const unparsed = await run(session, "echo a && (rm keep.txt")
    expect(unparsed.text).toContain("cannot be parsed")
    expect(asked).toEqual([])
    expect(await fileIn(project, "keep.txt").text()).toBe("kept")
  })

  test("a redirection is an edit", async () => {
    const project = await guardedProject(lab, { ...asking, edit: { "*": "allow", "*.lock": "deny" } })
    answerDialogs(project, () => "once")
    const session = await project.session()
    const outcome = await run(session, "echo a > x.lock")
    expect(outcome.text).toContain("edit permission pattern `*.lock`")
    expect(await fileIn(project, "x.lock").exists()).toBe(false)
    expect((await run(session, "echo a > x.txt; cat x.txt")).text).toBe("a\n")
  })

  test("a folder outside is asked about once, whoever asks", async () => {
    const project = await guardedProject(lab, { bash: { "*": "allow", "x *": "ask" }, external_directory: "ask" })
    const { asked } = answerDialogs(project, () => "once")
    const session = await project.session()
    await run(session, "cat /etc/hostname")
    expect(asked.map((request) => request.permission)).toEqual(["external_directory"])
    await run(session, "head /etc/hostname")
    expect(asked.map((request) => request.permission)).toEqual(["external_directory", "bash"])
  })
})

describe("whose permissions", () => {
  test("an agent's own patterns come after the user's", async () => {
    const agent = {
      careful: { mode: "primary", permission: { bash: { "echo *": "ask" } } },
      free: { mode: "primary", permission: { bash: "allow" } },
      strict: { mode: "primary", permission: { bash: { "*": "deny", pwd: "allow" } } },
    }
    const project = await guardedProject(lab, asking, { config: { agent } })
    const { asked } = answerDialogs(project, () => "once")
    const session = await project.session()
    expect((await run(session, "echo a && echo b", "careful")).text).toBe("a\nb\n")
    expect(asked).toHaveLength(1)
    expect((await run(session, "printf a; eval 'printf b'", "free")).text).toBe("ab")
    expect(asked).toHaveLength(1)
    expect((await run(session, "echo a", "strict")).text).toContain("forbidden by the bash permission pattern `*`")
    expect((await run(session, "echo a && echo b", "build")).text).toBe("a\nb\n")
    expect(asked).toHaveLength(1)
  })

  test("an agent from a markdown file is judged by its own", async () => {
    const text =
      "---\ndescription: d\nmode: primary\npermission:\n  bash:\n    '*': allow\n    'printf *': ask\n---\nBe brief.\n"
    const project = await guardedProject(lab, asking, { files: { ".opencode/agent/brief.md": text } })
    const { asked } = answerDialogs(project, () => "once")
    const session = await project.session()
    await run(session, "rm -f x; true", "brief")
    expect(asked).toHaveLength(0)
    expect((await run(session, "eval 'printf a'", "brief")).text).toBe("a")
    expect(asked).toHaveLength(1)
  })

  test("a subagent is judged by its own", async () => {
    const agent = { helper: { mode: "subagent", description: "helps", permission: { bash: { "echo *": "deny" } } } }
    const project = await guardedProject(lab, asking, { config: { agent } })
    answerDialogs(project, () => "once")
    const session = await project.session()
    const child = [call("bash", { command: "echo child", description: "d" }), say("child done")]
    const turn = await session.prompt("go", [subagent("help out", child, "helper"), say("done")])
    expect(JSON.stringify(turn.childRequests.at(-1)?.raw.messages.at(-1))).toContain(
      "forbidden by the bash permission pattern `echo *`",
    )
  })

  test("a session's own patterns come last", async () => {
    const project = await guardedProject(lab, asking)
    answerDialogs(project, () => "once")
    const permission = [{ permission: "bash", pattern: "echo secret*", action: "deny" as const }]
    const created = await project.client().session.create({ permission })
    const session = await project.session(created.data?.id)
    expect((await run(session, "echo a; e'ch'o secret")).text).toContain("pattern `echo secret*`")
  })

  test("a session that lets everything pass after the marker's rule is never a way around the dialog", async () => {
    const project = await guardedProject(lab, asking)
    const { asked } = answerDialogs(project, () => "once")
    const permission = [
      { permission: "bash", pattern: "*", action: "allow" as const },
      { permission: "bash", pattern: "printf *", action: "ask" as const },
    ]
    const created = await project.client().session.create({ permission })
    const session = await project.session(created.data?.id)
    const outcome = await run(session, "eval 'printf a'")
    expect(outcome.status).toBe("error")
    expect(outcome.text).toContain("no way to ask")
    expect(asked).toEqual([])
  })

  test("a wildcard key behind `bash` does not hide the marker's rule", async () => {
    const project = await guardedProject(lab, { bash: "ask", "ba*": { "echo *": "allow" } })
    const { asked } = answerDialogs(project, () => "once")
    const session = await project.session()
    expect((await run(session, "echo a")).text).toBe("a\n")
    expect(asked).toHaveLength(0)
    expect((await run(session, "eval 'printf a'")).text).toBe("a")
    expect(asked).toHaveLength(1)
  })

  test("a tool that the host keeps from the model is not offered again", async () => {
    for (const permission of ["deny", { bash: "deny" }, { bash: { "ls *": "ask", "*": "deny" } }]) {
      const project = await guardedProject(lab, permission, {
        config: { agent: { own: { mode: "primary", permission } } },
      })
      const session = await project.session()
      for (const agent of ["build", "own"]) {
        const turn = await session.prompt("go", { script: [say("done")], agent })
        expect(turn.requests[0]?.tools).not.toContain("bash")
      }
    }
  })

  test("without anything to guard the guard is off, and says so once", async () => {
    // A lab of its own: nothing else is off in it.
    await using own = await startLab()
    const project = await guardedProject(own, "allow")
    const { asked } = answerDialogs(project, () => "once")
    const session = await project.session()
    expect((await run(session, "eval 'printf a'")).text).toBe("a")
    await run(session, "printf b")
    expect(asked).toEqual([])
    expect(await guardLog(own, "off for the agent", 1)).toHaveLength(1)
  })
})
