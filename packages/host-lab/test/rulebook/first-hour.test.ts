import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { call, type Lab, say, startLab } from "../../src/index.ts"
import { counts, RULEBOOK } from "./support.ts"

setDefaultTimeout(180_000)

const REPOSITORY = join(import.meta.dir, "../../../..")

let lab: Lab
beforeAll(async () => {
  lab = await startLab()
})
afterAll(() => lab.stop())

/** The blocks below a heading, in order, each with its language; the indentation of a list is taken off. */
function blocksBelow(
  markdown: string,
  heading: string,
): readonly { readonly language: string; readonly text: string }[] {
  const section = markdown.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? ""
  const found = section.matchAll(/^( *)```(\w+)\n([\s\S]*?)^ *```$/gm)
  return Array.from(found, ([, indent = "", language = "", text = ""]) => {
    return { language, text: text.replaceAll(new RegExp(`^${indent}`, "gm"), "") }
  })
}

test("what the README says to get the plugin and to build it, word for word: a clone loads as it was built", async () => {
  const readme = await Bun.file(join(REPOSITORY, "README.md")).text()
  const [clone] = blocksBelow(readme, "Get it").map(({ text }) => text.trim())
  const [build] = blocksBelow(readme, "60-second start").map(({ text }) => text.trim())
  const folder = await mkdtemp(join(tmpdir(), "first-hour-"))
  try {
    const published = await publish(join(folder, "published"))
    const steps = `${clone} && ${build}`.replace("<address of this repository>", published)
    expect(steps).toContain("git clone ")
    expect(await run(["sh", "-c", steps], folder)).toMatchObject({ code: 0, out: expect.stringContaining("Built ") })
    const built = join(folder, "opencode-rulebook/packages/opencode-rulebook")
    const project = await lab.project({ rules: { "a.md": "Rule of the clone." }, plugins: [built] })
    const { requests } = await (await project.session()).prompt("hello", [say("done")])
    expect(counts(requests, "Rule of the clone.")).toEqual([1])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test("the steps of the README behind the build, word for word, in a home that has nothing", async () => {
  const readme = await Bun.file(join(REPOSITORY, "README.md")).text()
  const steps = blocksBelow(readme, "60-second start")
  expect(steps.map(({ language }) => language)).toEqual(["sh", "sh", "markdown", "sh"])
  const [build, install, rule, check] = steps.map(({ text }) => text.trim())

  // The package is built before these tests run, by the same command.
  expect(build).toBe("npx -y bun run build")
  expect(await Bun.file(join(RULEBOOK, "dist/cli.js")).exists()).toBe(true)

  const project = await lab.project({ files: { "src/sum.test.ts": "test('adds', () => {})\n" } })
  const [program, ...args] = (install ?? "").replace(/\/path\/to\/opencode-rulebook\/\S+/, RULEBOOK).split(" ")
  expect(program).toBe("opencode")
  expect((await lab.run(project.directory, args)).code).toBe(0)

  const place = /for example `([^`]+)`/.exec(readme)?.[1] ?? ""
  await mkdir(dirname(project.path(place)), { recursive: true })
  await writeFile(project.path(place), `${rule}\n`)

  const [checked, explained] = await Promise.all((check ?? "").split("\n").map((line) => shell(line, REPOSITORY)))
  expect(checked).toMatchObject({ code: 0, out: expect.stringContaining("no findings") })
  expect(explained).toMatchObject({ code: 0, out: expect.stringContaining("Unsafe Rust") })
  const cli = join(REPOSITORY, "packages/opencode-rulebook/dist/cli.js")
  expect(await shell(`node ${cli} check`, project.directory)).toMatchObject({ code: 0 })
  const { out } = await shell(`node ${cli} explain --file src/sum.test.ts`, project.directory)
  expect(out).toContain("durable: in the request after reading src/sum.test.ts")

  await lab.restart()
  const session = await project.session()
  const read = call("read", { filePath: project.path("src/sum.test.ts") })
  const { requests } = await session.prompt("Read the test.", [read, say("done")])
  expect(counts(requests, "A test has one reason to fail.")).toEqual([0, 1])
})

/** Makes a repository of the files as they are here, committed or not, and returns its address. */
async function publish(folder: string): Promise<string> {
  await mkdir(folder)
  const git = ["git", "--git-dir", join(folder, ".git"), "-c", "user.name=Lab", "-c", "user.email=lab@example.com"]
  for (const args of [
    ["init", "-q"],
    ["--work-tree", REPOSITORY, "add", "-A"],
    ["commit", "-q", "-m", "All"],
  ]) {
    expect(await run([...git, ...args], REPOSITORY)).toMatchObject({ code: 0 })
  }
  return folder
}

/** Runs a line of the README; none of its commands needs more of a shell. */
async function shell(line: string, cwd: string): Promise<Ended> {
  return await run(line.split(" "), cwd)
}

interface Ended {
  readonly code: number
  readonly out: string
}

async function run(command: string[], cwd: string): Promise<Ended> {
  const child = Bun.spawn(command, { cwd, stdout: "pipe", stderr: "inherit" })
  const out = await child.stdout.text()
  return { code: await child.exited, out }
}
