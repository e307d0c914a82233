import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { existsSync } from "node:fs"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { build } from "../build.ts"
import { root } from "../install.ts"
import { changelogProblems } from "./changelog.ts"
import { releaseProblems, tagProblems } from "./check.ts"
import { contentProblems } from "./content.ts"
import { identityProblems, readIdentity } from "./identity.ts"
import { RELEASED } from "./packages.ts"
import { absoluteLinks, stagePackage } from "./stage.ts"

setDefaultTimeout(60_000)

const identity = {
  repository: "https://forge.example/rules/opencode-rulebook",
  homepage: "https://forge.example/rules/opencode-rulebook",
  bugs: "https://forge.example/rules/opencode-rulebook/issues",
}

let scratch: string
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "rulebook-release-test-"))
  await build()
})
afterAll(() => rm(scratch, { recursive: true }))

test("what is built can be released once the project has addresses, and not before", async () => {
  expect(await releaseProblems(identity)).toEqual([])
  const missing = identityProblems(await readIdentity())
  expect(await releaseProblems(await readIdentity())).toEqual(missing)
})

test("a tag must name the version", () => {
  expect(tagProblems("1.2.3", "v1.2.3")).toEqual([])
  expect(tagProblems("1.2.3", undefined)).toEqual([])
  expect(tagProblems("1.2.3", "v1.2.4")).toEqual([
    "The tag v1.2.4 does not name the version 1.2.3. Tag the commit v1.2.3, or change the version.",
  ])
})

test.each([
  ["", "is empty"],
  ["http://forge.example/a", "must be an https address"],
  ["https://forge.example/a/", "must be an https address"],
  ["https://forge.example", "must be an https address"],
])("the address %p can't be published", (repository, reason) => {
  expect(identityProblems({ ...identity, repository })).toEqual([expect.stringContaining(reason)])
})

test("a staged package names its place and carries nothing of the workspace", async () => {
  const folder = join(scratch, "staged")
  await stagePackage("packages/bash-guard", folder, identity)
  const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8"))
  expect(manifest.repository).toEqual({
    type: "git",
    url: "git+https://forge.example/rules/opencode-rulebook.git",
    directory: "packages/bash-guard",
  })
  expect(manifest.bugs).toEqual({ url: identity.bugs })
  expect(Object.keys(manifest)).not.toContain("devDependencies")
  expect(Object.keys(manifest)).not.toContain("scripts")
  expect(await readFile(join(folder, "README.md"), "utf8")).not.toMatch(/\]\((?!https:|#)/)
})

test("a missing file, a file that does not belong and a package that grew are each named", async () => {
  const folder = join(scratch, "odd")
  await stagePackage("packages/bash-guard", folder, identity)
  await rm(join(folder, "LICENSE"))
  await writeFile(join(folder, "guard.test.js"), "")
  expect(await contentProblems({ ...RELEASED[1], maxKilobytes: 1 }, folder)).toEqual([
    expect.stringContaining("LICENSE is not in the tarball"),
    expect.stringContaining("guard.test.js does not belong"),
    expect.stringMatching(/holds \d+ kB, more than 1 kB/),
  ])
})

test("each link of the registry's README leads to a file of the repository, and no command needs a checkout", async () => {
  const text = await readFile(join(root, "packages/opencode-rulebook/PACKAGE.md"), "utf8")
  const paths = Array.from(text.matchAll(/\]\((?!https:)([^)#]+)/g), ([, path = ""]) => path)
  expect(paths.length).toBeGreaterThan(5)
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
  expect(text).not.toMatch(/bun run|git clone/)
})

test("a README's links and pictures become addresses of the released version", () => {
  const markdown = "[a](docs/rules.md#keys) ![b](docs/images/x.svg) [c](#top) [d](https://e.example)"
  expect(absoluteLinks(markdown, "packages/opencode-rulebook", "1.2.3", "https://f.example/r")).toBe(
    "[a](https://f.example/r/blob/v1.2.3/docs/rules.md#keys) ![b](https://f.example/r/raw/v1.2.3/docs/images/x.svg) " +
      "[c](#top) [d](https://e.example)",
  )
  expect(absoluteLinks("[a](docs/x.md)", "packages/bash-guard", "1.2.3", "https://f.example/r")).toBe(
    "[a](https://f.example/r/blob/v1.2.3/packages/bash-guard/docs/x.md)",
  )
})

test.each([
  ["## [1.0.0] - 2026-01-02\n\n- Something.\n", []],
  ["## [Unreleased]\n", ["has no section"]],
  ["## [1.0.0]\n\n- Undated.\n", ["has no section"]],
  ["## [1.0.0] - 2026-01-02\n\n## [0.9.0] - 2026-01-01\n\n- Older.\n", ["says nothing about 1.0.0"]],
  ["## [1.0.0] - 2026-13-40\n\n- Something.\n", ["is not a date"]],
])("a changelog of %p", (changelog, reasons) => {
  expect(changelogProblems(changelog, "1.0.0")).toEqual(reasons.map((reason) => expect.stringContaining(reason)))
})
