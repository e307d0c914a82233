import { expect, test } from "bun:test"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { rule, testProject } from "./project.ts"

test("rules in places and under names that are not read are findings, also when there is no other rule", async () => {
  await using project = await testProject({
    ".opencode/rule/a.md": "Text.",
    "rules-of-ours/b.md": rule("keywords: deploy"),
    ".opencode/rules/notes.txt": "Text.",
    ".opencode/rules/.draft.txt": "Text.",
    "docs/c.md": rule("keywords: deploy"),
  })
  await project.write("../app/rules/d.mdc", rule("keywords: deploy"))
  await project.write("../app/README.md", "Text.")
  const { code, out } = await project.run(["check"])
  expect(code).toBe(1)
  expect(out.match(/^\S+ warning not-read .*$/gm)).toEqual([
    ".opencode/rule/a.md:1:1 warning not-read is in a folder that is not read, so this rule never matches",
    "rules/d.mdc:1:1 warning not-read is in a folder that is not read, so this rule never matches",
    ".opencode/rules/notes.txt:1:1 warning not-read does not end in `.md` or `.mdc`, so it is not read as a rule",
  ])
  expect(out).toContain("remedy: Move it to `.opencode/rules/`")
})

test("a folder named rules counts only with rules in it", async () => {
  await using project = await testProject({ "global/a.md": "Text.", "lib/x.ts": "" })
  await mkdir(join(project.directory, "rules"))
  await Bun.write(join(project.directory, "rules/eslint.md"), "# Our lint rules\n")
  expect((await project.run(["check"])).code).toBe(0)
  await Bun.write(join(project.directory, "rules/css.md"), rule('globs: "*.css"'))
  expect((await project.run(["check"])).out).toContain("rules/css.md:1:1 warning not-read")
})

test("check at the root of a repository sees the rules of folders below it; --all does from anywhere in it", async () => {
  const files = {
    "rules/root.md": "Text.",
    "packages/web/.opencode/rules/bad.md": rule("ci: maybe"),
    "packages/api/src/a.ts": "",
  }
  await using project = await testProject(files, true)
  const broken = "packages/web/.opencode/rules/bad.md:2:5 error"
  expect((await project.run(["check"])).out).toContain(broken)
  expect((await project.run(["check", "-C", "packages/api"])).code).toBe(0)
  const { code, out } = await project.run(["check", "--all", "-C", "packages/api"])
  expect(code).toBe(1)
  expect(out).toContain("packages/web/.opencode/rules/bad.md:2:5 error")
})

test("--all needs a repository, and takes no paths", async () => {
  await using project = await testProject({ "rules/a.md": "Text." })
  expect(await project.run(["check", "--all"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("is not in a git repository"),
  })
  expect(await project.run(["check", "--all", "."])).toMatchObject({ code: 2 })
})
