import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { join } from "node:path"
import { call, type Files, type Lab, type Project, say, seedConfigFolder, startLab } from "../../src/index.ts"
import { arrivals, rule, ruleFiles } from "./observations.ts"
import { playFree } from "./support.ts"

setDefaultTimeout(180_000)

let lab: Lab
beforeAll(async () => {
  lab = await startLab({ globalRules: { "everywhere.md": rule("everywhere", 'globs: ["/zone/**", "!zone/own/**"]') } })
})
afterAll(() => lab.stop())

test("a pattern meets absolute and relative paths alike", async () => {
  const paths = ["src/gen/a.rs", "src/b.rs", "lib/src/c.rs"]
  const files = Object.fromEntries(paths.map((path) => [path, "text\n"]))
  const rules = ruleFiles({
    deep: "globs: src/**/*.rs",
    name: "globs: '*.rs'",
    dotted: "globs: ./src/**",
    rooted: "globs: /src/**",
    excluding: 'globs: ["!**/gen/**", "src/**"]',
    library: "globs: lib/**",
    deeper: "globs: '**/lib/*/*c.rs'",
    flat: "globs: /*.rs",
  })
  const ways = await playFree(lab, { files, rules }, async (project) => {
    const absolute = (path: string) => project.path(path)
    return [
      await readAll(project, paths.map(absolute)),
      await readAll(project, paths.map(dotted)),
      await addAll(project, paths.map(renamed("new"))),
      await addAll(project, paths.map(renamed("newer")).map(absolute)),
    ]
  })
  const expected = [[], ["deep", "dotted", "name", "rooted"], ["excluding"], ["deeper", "library"]]
  expect(ways).toEqual(ways.map(() => expected))
})

test("in a subfolder of a repository, a rule's patterns start where its rules directory is", async () => {
  const app = "packages/app"
  const inner = ruleFiles({ own: "globs: src/**", ownRoot: "globs: [/src/**]", above: "globs: lib/**" })
  const rules = ruleFiles({
    whole: "globs: packages/app/src/**",
    outer: "globs: /src/**",
    library: "globs: lib/**",
    middle: "globs: app/src/**",
  })
  const paths = ["src/a.rs", "../../lib/b.rs", "zone/own/c.rs", "../../zone/d.rs", "zone/e.rs"]
  const files = {
    ...Object.fromEntries(paths.map((path) => [join(app, path), "text\n"])),
    ...(await configFolder(`${app}/.opencode`)),
    ...Object.fromEntries(Object.entries(inner).map(([name, text]) => [`${app}/.opencode/rules/${name}`, text])),
  }
  const options = { files, rules, git: "main", subfolder: app }
  const ways = await playFree(lab, options, async (project) => {
    const absolute = (path: string) => project.path(join(app, path))
    const ways = [await readAll(project, paths.map(absolute)), await addAll(project, paths.map(renamed("new")))]
    expect(await Bun.file(absolute("src/new-a.rs")).text()).toBe("added\n")
    return ways
  })
  const expected = [[], ["own", "ownRoot", "whole"], ["library"], [], [], ["everywhere"]]
  expect(ways).toEqual([expected, expected])
})

test("a file outside the project is met by its name, by `**` and by its absolute path only", async () => {
  const outside = join(lab.root, "outside")
  const rules = ruleFiles({
    name: "globs: out.rs",
    any: "globs: '**/src/out.rs'",
    absolute: `globs: ${outside}/**`,
    inside: "globs: [src/**, /src/**, ./src/**, '*/src/**']",
  })
  await Bun.write(join(outside, "src/out.rs"), "out\n")
  const arrived = await playFree(lab, { rules }, (project) => readAll(project, [join(outside, "src/out.rs")]))
  expect(arrived).toEqual([[], ["absolute", "any", "name"]])
})

/** The rules that come with each Read, in a session of its own. */
function readAll(project: Project, paths: readonly string[]): Promise<string[][]> {
  return walk(
    project,
    paths.map((filePath) => call("read", { filePath })),
    "plain",
  )
}

/** The rules that come with each patch that adds a file, in a session of its own. */
function addAll(project: Project, paths: readonly string[]): Promise<string[][]> {
  const patch = (path: string) => `*** Begin Patch\n*** Add File: ${path}\n+added\n*** End Patch`
  return walk(
    project,
    paths.map((path) => call("apply_patch", { patchText: patch(path) })),
    "gpt-5-lab",
  )
}

async function walk(project: Project, steps: ReturnType<typeof call>[], model: string): Promise<string[][]> {
  const session = await project.session()
  return arrivals((await session.prompt("go", { script: [...steps, say("done")], model })).requests)
}

function dotted(path: string): string {
  return `./lib/../${path}`
}

function renamed(prefix: string): (path: string) => string {
  return (path) => path.replace(/(\w\.rs)$/, `${prefix}-$1`)
}

/** What makes a config folder one that the host leaves alone. */
async function configFolder(path: string): Promise<Files> {
  const seeded = join(lab.root, "seeded")
  await seedConfigFolder(seeded)
  const read = async (name: string) => [`${path}/${name}`, await Bun.file(join(seeded, name)).text()] as const
  const files = await Promise.all([read("package.json"), read("package-lock.json")])
  return { ...Object.fromEntries(files), [`${path}/node_modules/.keep`]: "" }
}
