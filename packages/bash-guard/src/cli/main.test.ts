import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { main } from "./main.ts"

let root = ""
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "guard-cli-"))
  mkdirSync(join(root, "project/.git"), { recursive: true })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(path: string, content: unknown): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), typeof content === "string" ? content : JSON.stringify(content, undefined, 2))
}

async function run(args: readonly string[], stdin = "", env: Readonly<Record<string, string>> = {}) {
  let out = ""
  let errors = ""
  const code = await main(args, {
    cwd: join(root, "project"),
    home: join(root, "home"),
    env,
    write: (text) => {
      out += text
    },
    writeError: (text) => {
      errors += text
    },
    readStdin: () => stdin,
  })
  return { code, out, errors }
}

const permission = { bash: { "*": "ask", "git *": "allow", "git push *": "deny", "timeout *": "allow" } }

describe("explain", () => {
  beforeEach(() => write("project/opencode.json", { permission }))

  test("exits with 0, 1 and 3 for allow, ask and deny, and with 2 for what it can't answer", async () => {
    expect((await run(["explain", "git status"])).code).toBe(0)
    expect((await run(["explain", "npm test"])).code).toBe(1)
    expect((await run(["explain", "git -C . push"])).code).toBe(3)
    expect((await run(["explain", "("])).code).toBe(3)
    expect((await run(["explain"])).code).toBe(2)
    expect(await run(["explain", "--agent", "nobody", "ls"])).toEqual({
      code: 2,
      out: "",
      errors: 'error: OpenCode has no agent "nobody" here; known: build, plan, general, explore\n',
    })
    for (const folder of ["nowhere", "opencode.json"]) {
      const errors = `error: ${join(root, "project", folder)}: no such folder\n`
      expect(await run(["explain", "-C", folder, "ls"])).toEqual({ code: 2, out: "", errors })
    }
  })

  test("shows how each command was read, the pattern that decided with its place, and why", async () => {
    const { out } = await run(["explain", "git status && timeout 5 git -C . push"])
    expect(out).toBe(
      [
        "Denied: it never runs (agent build, permissions of OpenCode 1)",
        "",
        "  allow  git status  by `git *`  (opencode.json:5)",
        "  allow  timeout 5 git -C . push  by `timeout *`  (opencode.json:7)",
        "  deny   git -C . push  by `git push *`  (opencode.json:6)  [started by another command]",
        "         read as git push",
        "",
        "Denied: `git -C . push` (read as `git push`) is forbidden by the bash permission pattern `git push *`. Nothing was run.",
        "",
      ].join("\n"),
    )
  })

  test("shows what stands in substitutions and strings, what is started elsewhere or only assumed, and each reason", async () => {
    const bash = { ...permission.bash, "docker *": "allow", "echo *": "allow" }
    write("project/opencode.json", { permission: { bash, edit: "ask", external_directory: "ask" } })
    const command =
      "echo $(git log $x); docker exec app git status; a=1; cd sub; timeout 5 git log; eval 'npm \tb' > out"
    expect(await run(["explain", command])).toEqual({
      code: 1,
      errors: "",
      out: [
        "Asks: a person decides (agent build, permissions of OpenCode 1)",
        "",
        "  allow  echo $(git log $x)  by `echo *`  (opencode.json:9)",
        "  allow  echo  by `echo *`  (opencode.json:9)  [variables and braces filled in: only a denial counts]",
        "    allow  git log $x  by `git *`  (opencode.json:5)",
        "    allow  git log  by `git *`  (opencode.json:5)  [variables and braces filled in: only a denial counts]",
        "  allow  docker exec app git status  by `docker *`  (opencode.json:8)",
        "  allow  git status  by `git *`  (opencode.json:5)  [started elsewhere: only a denial counts]",
        "  allow  a=1  by `(an assignment)`",
        "  allow  cd sub  by `(a folder change or a test)`",
        "  allow  timeout 5 git log  by `timeout *`  (opencode.json:7)",
        "  allow  git log  by `git *`  (opencode.json:5)  [started by another command]",
        "  ask    eval 'npm \\tb' > out  by `*`  (opencode.json:4)",
        "         read as eval 'npm \\tb'",
        "         read as eval npm \\tb",
        "    ask    npm \\tb  by `*`  (opencode.json:4)",
        "           read as npm b",
        "",
        "Asks: `eval 'npm \\tb' > out`: the bash pattern `*`",
        "Asks: `npm \\tb`: the bash pattern `*`",
        "Asks: `> out`: the edit pattern `*`",
        "",
      ].join("\n"),
    })
  })

  test("shows the place of a pattern that may match, and of the last of equal ones", async () => {
    write("project/.opencode/agent/own.md", "---\npermission:\n  bash:\n    'git push *': ask\n---\n")
    expect((await run(["explain", "git $x y"])).out).toContain(
      "  ask    git $x y  by `git push *`  (opencode.json:6)\n",
    )
    expect((await run(["explain", "--agent", "own", "git push"])).out).toContain(
      "  ask    git push  by `git push *`  (.opencode/agent/own.md:4)\n",
    )
    const env = { OPENCODE_CONFIG_CONTENT: JSON.stringify({ permission: { bash: { "npm *": "deny" } } }) }
    expect((await run(["explain", "-C", "..", "npm t"], "", env)).out).toContain("  ($OPENCODE_CONFIG_CONTENT:1)\n")
  })

  test("says on standard error what is wrong with the files", async () => {
    write("project/opencode.jsonc", "{")
    write("project/.opencode/opencode-bash-guard.jsonc", { restructure: 3 })
    const { code, errors } = await run(["explain", "git status"])
    expect(code).toBe(0)
    expect(errors.replaceAll(`${root}/project/`, "")).toBe(
      [
        "warning: opencode.jsonc:1: not valid JSONC (CloseBraceExpected)",
        'warning: .opencode/opencode-bash-guard.jsonc:2: "restructure" is not an object; restructuring is off until it is corrected; permissions are checked all the same.',
        "",
      ].join("\n"),
    )
  })

  test("OpenCode's own question about folders outside is for the commands that it watches", async () => {
    write("project/opencode.json", { permission: { bash: { "*": "allow", "rm *": "deny" } } })
    expect((await run(["explain", "ls /"])).code).toBe(0)
    expect((await run(["explain", "cat /etc/hosts"])).code).toBe(1)
    write("project/opencode.json", {
      permission: { bash: { "*": "allow", "rm *": "deny" }, external_directory: "ask" },
    })
    expect((await run(["explain", "ls /"])).code).toBe(1)
  })

  test("takes the command from standard input too, and prints JSON", async () => {
    const { code, out } = await run(["explain", "--json", "-"], "git $y;\ngit status\n\n")
    expect(code).toBe(1)
    const origin = { file: join(root, "project/opencode.json"), line: 6 }
    const { rules, ...result } = JSON.parse(out)
    expect(rules).toContainEqual({ permission: "bash", pattern: "git push *", action: "deny", scope: "user", origin })
    const reason = { action: "ask", text: "git $y", pattern: "git push *", form: "git push" }
    expect(result).toEqual({
      version: 1,
      command: "git $y;\ngit status\n",
      verdict: "ask",
      guard: "on",
      agent: "build",
      opencode: 1,
      why: ["`git $y`: it may match the bash pattern `git push *`"],
      reasons: [{ kind: "pattern", certainty: "possible", ...reason }],
      commands: [
        {
          text: "git $y",
          role: "simple",
          depth: 1,
          forms: ["git $y", "git push"],
          action: "ask",
          pattern: "git push *",
          origin,
        },
        {
          text: "git",
          role: "assumed",
          depth: 1,
          forms: ["git"],
          action: "allow",
          pattern: "git *",
          origin: { ...origin, line: 5 },
        },
        {
          text: "git status",
          role: "simple",
          depth: 1,
          forms: ["git status"],
          action: "allow",
          pattern: "git *",
          origin: { ...origin, line: 5 },
        },
      ],
      sentBack: null,
    })
    const own = JSON.parse((await run(["explain", "--json", "--agent", "plan", "a=1"])).out)
    expect([own.agent, own.commands[0].origin]).toEqual(["plan", null])
  })

  test("says when the guard is off, and when a one-liner would go back to the model", async () => {
    write("project/opencode.json", { permission: { bash: "allow" } })
    expect((await run(["explain", "rm x"])).out).toBe(
      [
        "Allowed: it runs without asking (agent build, permissions of OpenCode 1)",
        "",
        "  allow  rm x  by `*`  (opencode.json:3)",
        "",
        "The guard is off: this agent's permissions allow every shell command.",
        "",
      ].join("\n"),
    )
    expect(JSON.parse((await run(["explain", "--json", "rm x"])).out)).toMatchObject({ guard: "off", verdict: "allow" })
    write("project/opencode.json", { permission })
    write("project/.opencode/opencode-bash-guard.jsonc", { restructure: { enabled: true } })
    const { code, out } = await run(["explain", "a; b; c; d"])
    expect(code).toBe(1)
    expect(out.split("\n").slice(12)).toEqual([
      "It is not asked about, but sent back to the model:",
      "Not run: this command needs a person's approval (`a`: the bash pattern `*` (and 3 more)), and it is too hard to review: 4 commands on one line (limit 3).",
      "Send it again in one of these forms; each command is then checked on its own:",
      "1. Separate calls: one command per call.",
      "2. A multi-line script: one command per line.",
      "For this command:",
      "a",
      "b",
      "c",
      "d",
      "",
    ])
    expect(JSON.parse((await run(["explain", "--json", "a; b; c; d"])).out).sentBack).toStartWith(
      "Not run: this command",
    )
    expect((await run(["explain", "a; b; c; git push"])).out).not.toContain("sent back")
    expect((await run(["explain", "a; b; c"])).out).not.toContain("sent back")
  })

  test("reads version 2's configuration by its keys, or when told to", async () => {
    write("project/opencode.json", {
      permissions: [
        { action: "shell", resource: "*", effect: "ask" },
        { action: "*", resource: "git *", effect: "allow" },
        { action: "bash", resource: "*", effect: "allow" },
      ],
      agents: { own: { permissions: [{ action: "shell", resource: "git push *", effect: "deny" }] } },
    })
    expect((await run(["explain", "git push"])).out).toContain(
      "Allowed: it runs without asking (agent build, permissions of OpenCode 2)",
    )
    expect((await run(["explain", "npm test"])).code).toBe(1)
    expect((await run(["explain", "--agent", "own", "git push"])).code).toBe(3)
    expect((await run(["explain", "--opencode", "1", "npm test"])).code).toBe(0)
  })

  test("files have the worktree's names on version 1 and the folder's on version 2", async () => {
    write("project/opencode.json", { permission: { ...permission, edit: { "*": "allow", "sub/*": "deny" } } })
    write("project/sub/x", "")
    expect((await run(["explain", "-C", "sub", "git log > y"])).code).toBe(3)
    expect((await run(["explain", "-C", "sub", "--opencode", "2", "git log > y"])).code).toBe(0)
    expect((await run(["explain", "-C", "sub", "git log > ../y"])).code).toBe(0)
    write("project/opencode.json", {
      permission: { bash: { "*": "ask", "git *": "allow" }, external_directory: "deny" },
    })
    expect((await run(["explain", "-C", "sub", "git log > ../y"])).code).toBe(0)
    expect((await run(["explain", "-C", "sub", "git log > ../../y"])).code).toBe(3)
  })

  test("of what is allowed there is no more to say", async () => {
    expect((await run(["explain", "git status"])).out).toBe(
      "Allowed: it runs without asking (agent build, permissions of OpenCode 1)\n\n  allow  git status  by `git *`  (opencode.json:5)\n",
    )
  })
})

describe("check", () => {
  test("finds nothing to correct, and exits with 0", async () => {
    write("project/opencode.json", { permission })
    expect(await run(["check"])).toEqual({
      code: 0,
      out: expect.stringContaining("0 to correct (4 agents, 0 cases, permissions of OpenCode 1)."),
      errors: "",
    })
  })

  test("says no more when there is nothing else to say", async () => {
    write("project/opencode.json", { permission: { bash: { "*": "ask" } } })
    expect((await run(["check"])).out).toBe("0 to correct (4 agents, 0 cases, permissions of OpenCode 1).\n")
  })

  test("finds what has no effect, never matches, fails, can't be read or needs the guard", async () => {
    write("home/.config/opencode/opencode.json", { permission: { bash: { "rm *": "deny" } } })
    write("project/opencode.jsonc", { permission: { bash: { "*": "allow", "a && b": "deny", "dd *": "deny" } } })
    write("project/.opencode/agent/bad.md", "---\npermission: never\n---\n")
    write("project/.opencode/opencode-bash-guard.jsonc", { cases: [{ action: "deny", match: ["rm x"] }] })
    const { code, out } = await run(["check"])
    expect(code).toBe(1)
    expect(out).toBe(
      [
        'error: .opencode/agent/bad.md:2: "never" is not "allow", "ask" or "deny".',
        "  OpenCode does not start with it, or goes without it, until it is corrected.",
        "error: ../home/.config/opencode/opencode.json:4: the bash pattern `rm *` (deny) has no effect, because `*` (allow) stands behind it and the last pattern that matches wins.",
        "  put `*` in front of it.",
        'error: .opencode/opencode-bash-guard.jsonc:6: the case `rm x` must end in "deny"; got: allow, by `*`.',
        "  correct the permissions of OpenCode, or the case.",
        "error: opencode.jsonc:5: the bash pattern `a && b` (deny) never matches: it holds 2 commands, and each is compared by itself.",
        "  write a pattern for each.",
        "note: opencode.jsonc:6: without the guard, the bash pattern `dd *` (deny) would not stop `timeout 5 dd x`, `env dd x`, `command dd x`, `/usr/bin/dd x`, which `*` allows.",
        "  the guard denies them.",
        "",
        "4 to correct (5 agents, 1 case, permissions of OpenCode 1).",
        "",
      ].join("\n"),
    )
    const json = JSON.parse((await run(["check", "--json"])).out)
    expect(json).toMatchObject({ version: 1, opencode: 1, cases: 1, warnings: [] })
    expect(json.agents).toEqual(["build", "plan", "general", "explore", "bad"])
    expect(json.findings.map(({ kind, severity }: { kind: string; severity: string }) => [kind, severity])).toEqual([
      ["unreadable", "error"],
      ["no-effect", "error"],
      ["failed-case", "error"],
      ["never-matches", "error"],
      ["needs-the-guard", "note"],
    ])
    expect(json.findings[0]).toEqual({
      kind: "unreadable",
      severity: "error",
      origin: { file: join(root, "project/.opencode/agent/bad.md"), line: 2 },
      message: '"never" is not "allow", "ask" or "deny"',
      remedy: "OpenCode does not start with it, or goes without it, until it is corrected",
    })
  })

  test("a wrong value in the guard's own configuration is to be corrected", async () => {
    write("project/.opencode/opencode-bash-guard.jsonc", { restructure: { max_depth: 0 } })
    const warning = `${root}/project/.opencode/opencode-bash-guard.jsonc:3: "restructure.max_depth" must be a whole number from 1; 2 is used until it is.`
    expect(await run(["check"])).toEqual({
      code: 1,
      out: `error: ${warning}\n\n1 to correct (4 agents, 0 cases, permissions of OpenCode 1).\n`,
      errors: "",
    })
    const { code, out } = await run(["check", "--json"])
    expect([code, JSON.parse(out)]).toEqual([
      1,
      {
        version: 1,
        opencode: 1,
        agents: ["build", "plan", "general", "explore"],
        cases: 0,
        findings: [],
        warnings: [warning],
      },
    ])
  })

  test("the settings and cases of the repository and of the folder count", async () => {
    const cases = (name: string) => ({ cases: [{ action: "deny", match: [name] }] })
    write("project/.opencode/opencode-bash-guard.jsonc", cases("repo"))
    write("project/sub/.opencode/opencode-bash-guard.jsonc", cases("sub"))
    write(".opencode/opencode-bash-guard.jsonc", cases("above"))
    const failed = async () => {
      const { findings } = JSON.parse((await run(["check", "--json", "--directory", "sub"])).out)
      return findings.map(({ message }: { message: string }) => message.split("`")[1])
    }
    expect(await failed()).toEqual(["repo", "sub"])
    rmSync(join(root, "project/.git"), { recursive: true })
    expect(await failed()).toEqual(["sub"])
  })
})

test("help, version and wrong usage", async () => {
  expect(await run(["--help"])).toMatchObject({ code: 0, out: expect.stringContaining("explain [options] <command>") })
  expect((await run(["explain", "--help"])).out).toContain("0 allowed, 1 a person is asked, 2 wrong usage")
  expect((await run(["check", "--help"])).out).toContain("0 nothing to correct")
  expect(await run(["--version"])).toMatchObject({ code: 0, out: "0.1.0\n" })
  expect(await run(["-V"])).toEqual(await run(["--version"]))
  expect(await run(["nothing"])).toEqual({
    code: 2,
    out: "",
    errors: "error: unknown command 'nothing'\nRun it with --help to see what it takes.\n",
  })
  expect(await run(["check", "--opencode", "3"])).toMatchObject({ code: 2, out: "" })
  expect(await run(["explain", "a", "b"])).toMatchObject({ code: 2, out: "" })
})
