import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { buildCommand } from "../../../scripts/build.ts"
import { rule } from "./project.ts"

setDefaultTimeout(60_000)

/** A folder with the built command and a project, and no packages anywhere around. */
let scratch: string
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "rulebook-built-"))
  await buildCommand(join(scratch, "bin"))
  await mkdir(join(scratch, "app/.opencode/rules"), { recursive: true })
  const hook = "hooks: { type: PreToolUse, tool: bash, match: '.*' }"
  await writeFile(join(scratch, "app/.opencode/rules/a.md"), rule(`globs: "*.rs"\nfileContains: unsafe\n${hook}`))
})
afterAll(() => rm(scratch, { recursive: true }))

async function run(program: readonly string[], args: readonly string[], stdin = "") {
  const child = Bun.spawn([...program, join(scratch, "bin/cli.js"), ...args], {
    cwd: join(scratch, "app"),
    env: { PATH: process.env["PATH"] ?? "", HOME: scratch },
    stdio: [new Blob([stdin]), "pipe", "pipe"],
  })
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { code, out, err }
}

const REQUEST =
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{}}}'
/** A language client's first message. */
const INITIALIZE = `Content-Length: ${REQUEST.length}\r\n\r\n${REQUEST}`

/** What a language server answers to the first message. */
async function firstAnswer(command: readonly string[]): Promise<string> {
  const child = Bun.spawn([...command], { cwd: join(scratch, "app"), stdio: ["pipe", "pipe", "inherit"] })
  child.stdin.write(INITIALIZE)
  child.stdin.flush()
  const decoder = new TextDecoder()
  let answer = ""
  for await (const chunk of child.stdout) {
    answer += decoder.decode(chunk, { stream: true })
    if (answer.endsWith("}")) break
  }
  child.kill()
  await child.exited
  return answer
}

const programs: readonly [name: string, program: readonly string[]][] = [
  ["Node", ["node"]],
  ["Bun", [process.execPath]],
  ["its own first line", []],
]

for (const [name, program] of programs) {
  test(`the built command runs by ${name}`, async () => {
    const checked = await run(program, ["check"])
    expect({ code: checked.code, err: checked.err }).toEqual({ code: 1, err: "" })
    expect(checked.out).toMatch(/^\.opencode\/rules\/a\.md:4:\d+ warning always-true-regex hooks\[0\]\.match: /)

    const explained = await run(program, ["explain", "--file", "x.rs", "--content-from", "-"], "unsafe { }")
    expect({ code: explained.code, err: explained.err }).toEqual({ code: 0, err: "" })
    expect(explained.out).toContain("durable: in the request after reading x.rs")

    for (const args of [["doctor"], ["init", "--dry-run"], ["completions", "bash"]]) {
      const { code, err } = await run(program, args)
      expect({ args, code: code < 2, err }).toEqual({ args, code: true, err: "" })
    }
    expect(await firstAnswer([...program, join(scratch, "bin/cli.js"), "lsp", "--stdio"])).toContain(
      '"hoverProvider":true',
    )
    expect(await run(program, ["nothing"])).toMatchObject({ code: 2, out: "" })
    expect((await run(program, ["--version"])).out).toMatch(/^\d+\.\d+\.\d+\n$/)
  })
}

test("a reader that stops reading ends it without a word", async () => {
  const child = Bun.spawn(["sh", "-c", `node "${join(scratch, "bin/cli.js")}" explain --help | head -n 1`], {
    stdio: ["ignore", "pipe", "pipe"],
  })
  expect(await child.stderr.text()).toBe("")
  expect(await child.stdout.text()).toBe("Usage: opencode-rulebook explain [options]\n")
})

test("nothing in it needs a newer Node than the package says, which is 20", async () => {
  const text = await readFile(join(scratch, "bin/cli.js"), "utf8")
  const NEWER =
    /Promise\.(?:withResolvers|try)\b|(?:Object|Map)\.groupBy\b|Array\.fromAsync\b|RegExp\.escape\b|Symbol\.asyncDispose\b/g
  expect(text.match(NEWER) ?? []).toEqual([])
})
