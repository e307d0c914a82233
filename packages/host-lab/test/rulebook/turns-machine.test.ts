import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { call, type Lab, say, startLab } from "../../src/index.ts"
import { counts, openPair, playIn } from "./support.ts"

setDefaultTimeout(180_000)

let lab: Lab
beforeAll(async () => {
  lab = await startLab()
})
afterAll(() => lab.stop())

const run = (command: string) => call("bash", { command, description: "run it" })
const projectRule = (tag: string) => `---\nproject: [${tag}]\n---\nRule for ${tag}.`

test("project: tags of the working tree's root hold in a package of it; a marker that appears in a turn is seen by its next request", async () => {
  const pair = await openPair(lab, {
    files: { "package.json": '{"workspaces": ["packages/*"]}', "packages/x/a.txt": "" },
    rules: { "node.md": projectRule("node"), "monorepo.md": projectRule("monorepo"), "go.md": projectRule("go") },
    git: "main",
    subfolder: "packages/x",
  })
  const runs = await playIn(pair, async (project) => {
    const session = await project.session()
    await session.prompt("go", [run("true"), run("touch go.mod"), run("true"), say("done")])
    await session.prompt("on", [say("done")])
    return session.requests()
  })
  for (const tag of ["node", "monorepo"]) expect(counts(runs.result, `Rule for ${tag}.`)).toEqual([1, 1, 1, 1, 1])
  expect(counts(runs.result, "Rule for go.")).toEqual([0, 0, 1, 1, 1])
})

test("branch: a repository with its references in tables has no branch that is known", async () => {
  const pair = await openPair(lab, {
    rules: {
      "any.md": "---\nbranch: '*'\n---\nRule of any branch.",
      "dot.md": "---\nbranch: .invalid\n---\nRule of no branch.",
      "all.md": "---\nkeywords: [go]\nbranch: '!main'\nmatch: all\n---\nRule of another branch.",
    },
    git: "main",
  })
  const runs = await playIn(pair, async (project) => {
    // What git 2.45 and later have there; the host's own git may be older, and is not asked.
    const before = (await (await project.session()).prompt("go", [say("done")])).requests
    await Bun.write(project.path(".git/HEAD"), "ref: refs/heads/.invalid\n")
    return [...before, ...(await (await project.session()).prompt("go", [say("done")])).requests]
  })
  expect(counts(runs.result, "Rule of any branch.")).toEqual([1, 0])
  for (const rule of ["Rule of no branch.", "Rule of another branch."])
    expect(counts(runs.result, rule)).toEqual([0, 0])
})
