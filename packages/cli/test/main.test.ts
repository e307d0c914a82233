import { expect, test } from "bun:test"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import packageJson from "../../opencode-rulebook/package.json" with { type: "json" }
import { rule, testProject } from "./project.ts"

const HINT = "Run it with --help to see what it takes.\n"

test.each<[args: readonly string[], err: string]>([
  [["chek"], `error: unknown command 'chek'\n(Did you mean check?)\n${HINT}`],
  [["help"], `error: unknown command 'help'\n${HINT}`],
  [["check", "--jsn"], `error: unknown option '--jsn'\n(Did you mean --json?)\n${HINT}`],
  [["lsp", "x"], `error: too many arguments for 'lsp'. Expected 0 arguments but got 1.\n${HINT}`],
  [["completions"], `error: missing required argument 'shell'\n${HINT}`],
  [
    ["init", "--opencode", "3"],
    `error: option '--opencode <major>' argument '3' is invalid. Allowed choices are 1, 2.\n${HINT}`,
  ],
])("%j: what is wrong with it, on standard error alone", async (args, err) => {
  await using project = await testProject({})
  expect(await project.run(args)).toEqual({ code: 2, out: "", err })
})

test("a folder to start in is one that is there", async () => {
  await using project = await testProject({ "notes.txt": "" })
  for (const name of ["notes.txt", "nowhere"]) {
    const err = `error: ${join(project.directory, name)}: no such folder\n`
    expect(await project.run(["check", "-C", name])).toEqual({ code: 2, out: "", err })
  }
})

test("a failure that nobody foresaw is reported with where it came from", async () => {
  await using project = await testProject({})
  await mkdir(join(project.directory, "opencode.json"))
  const { code, out, err } = await project.run(["init", "--yes"])
  expect({ code, out }).toEqual({ code: 2, out: "" })
  expect(err).toMatch(/^error: .*EISDIR.*\n(?:.*\n)+$/)
})

test("without a command it says what there is, and that is a wrong use", async () => {
  await using project = await testProject({})
  const { code, out, err } = await project.run([])
  expect({ code, out }).toEqual({ code: 2, out: "" })
  const asked = await project.run(["--help"])
  expect(asked).toEqual({ code: 0, out: err, err: "" })
  expect([...err.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name).filter((name) => name !== "opencode")).toEqual(
    "check explain test report replay init doctor lsp completions".split(" "),
  )
  expect(err).toEndWith(`
Examples:
  opencode-rulebook check
  opencode-rulebook explain --file src/buffer.rs

Exit codes: 0 nothing was found, 1 something was found, 2 wrong usage or a failure.
`)
})

test("the version is the package's", async () => {
  await using project = await testProject({})
  for (const flag of ["-v", "--version"]) {
    expect(await project.run([flag])).toEqual({ code: 0, out: `${packageJson.version}\n`, err: "" })
  }
})

test("colours are for those who want them, wherever the option stands", async () => {
  await using project = await testProject({ "rules/a.md": rule("keywords: code") })
  const isColoured = async (args: readonly string[], hasColors: boolean) =>
    (await project.run(args, { hasColors })).out.includes("\u001b[")
  expect(await isColoured(["check"], true)).toBe(true)
  expect(await isColoured(["check"], false)).toBe(false)
  expect(await isColoured(["check", "--no-color"], true)).toBe(false)
  expect(await isColoured(["--no-color", "check"], true)).toBe(false)
})
