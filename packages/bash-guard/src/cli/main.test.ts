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

async function run(args: readonly string[], stdin = "") {
  let out = ""
  let errors = ""
  const code = await main(args, {
    cwd: join(root, "project"),
    home: join(root, "home"),
    env: {},
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
    expect((await run(["explain", "--agent", "nobody", "ls"])).code).toBe(2)
    expect((await run(["explain", "-C", "nowhere", "ls"])).code).toBe(2)
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
    expect((await run(["explain", "npm test"])).out).toContain("Asks: `npm test`: the bash pattern `*`")
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
    const { code, out } = await run(["explain", "--json", "-"], "eval 'git push'\n")
    expect(code).toBe(3)
    expect(JSON.parse(out)).toMatchObject({
      version: 1,
      command: "eval 'git push'",
      verdict: "deny",
      guard: "on",
      agent: "build",
      opencode: 1,
      why: [expect.stringContaining("git push *")],
      commands: [
        { text: "eval 'git push'", role: "simple", depth: 1, action: "ask", pattern: "*" },
        { text: "git push", depth: 2, action: "deny", pattern: "git push *", origin: { line: 6 } },
      ],
    })
  })

  test("says when the guard is off, and when a one-liner would go back to the model", async () => {
    write("project/opencode.json", { permission: { bash: "allow" } })
    expect((await run(["explain", "rm x"])).out).toContain("The guard is off")
    write("project/opencode.json", { permission })
    write("project/.opencode/opencode-bash-guard.jsonc", { restructure: { enabled: true } })
    expect((await run(["explain", "a; b; c; d"])).out).toContain("4 commands on one line (limit 3)")
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
    write("project/.opencode/agent/bad.md", "---\npermission: [\n---\n")
    write("project/.opencode/opencode-bash-guard.jsonc", { cases: [{ action: "deny", match: ["rm x"] }] })
    const { code, out } = await run(["check"])
    expect(code).toBe(1)
    expect(out).toContain("../home/.config/opencode/opencode.json:4: the bash pattern `rm *` (deny) has no effect")
    expect(out).toContain("opencode.jsonc:5: the bash pattern `a && b` (deny) never matches")
    expect(out).toContain(".opencode/agent/bad.md:")
    expect(out).toContain('the case `rm x` must end in "deny"; got: allow, by `*`')
    expect(out).toContain(
      "note: opencode.jsonc:6: without the guard, the bash pattern `dd *` (deny) would not stop `timeout 5 dd x`",
    )
    expect(out).toContain("4 to correct")
    const json = JSON.parse((await run(["check", "--json"])).out)
    const kinds = json.findings.map(({ kind }: { kind: string }) => kind)
    expect(new Set(kinds)).toEqual(
      new Set(["unreadable", "no-effect", "never-matches", "failed-case", "needs-the-guard"]),
    )
  })

  test("a wrong value in the guard's own configuration is to be corrected", async () => {
    write("project/.opencode/opencode-bash-guard.jsonc", { restructure: { max_depth: 0 } })
    expect(await run(["check"])).toMatchObject({ code: 1, out: expect.stringContaining("max_depth") })
  })
})

test("help, version and wrong usage", async () => {
  expect(await run(["--help"])).toMatchObject({ code: 0, out: expect.stringContaining("explain [options] <command>") })
  expect((await run(["explain", "--help"])).out).toContain("0 allowed, 1 a person is asked, 2 wrong usage")
  expect((await run(["check", "--help"])).out).toContain("0 nothing to correct")
  expect(await run(["--version"])).toMatchObject({ code: 0, out: "0.1.0\n" })
  expect((await run(["nothing"])).code).toBe(2)
  expect((await run(["check", "--opencode", "3"])).code).toBe(2)
})
