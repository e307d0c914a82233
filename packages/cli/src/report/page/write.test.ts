import { expect, test } from "bun:test"
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { UsageError } from "../../usage-error.ts"
import { GENERATOR } from "./html.ts"
import { writePage } from "./write.ts"

const PAGE = `<!doctype html>\n${GENERATOR}\nnew`

/** A folder with these files, by name; what `use` gives back when `writePage` was tried on one of them. */
async function tried(name: string, force: boolean, files: Readonly<Record<string, string>> = {}) {
  const folder = await mkdtemp(join(tmpdir(), "rulebook-page-"))
  try {
    await mkdir(join(folder, "folder"))
    for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text)
    await symlink("old.html", join(folder, "link.html"))
    const error = await writePage(join(folder, name), PAGE, force).then(
      () => undefined,
      (reason: unknown) => (reason instanceof UsageError ? reason.message.replaceAll(folder, "") : reason),
    )
    const names = (await readdir(folder)).filter((each) => each !== "folder" && each !== "link.html")
    const texts = await Promise.all(names.map(async (each) => [each, await readFile(join(folder, each), "utf8")]))
    return { error, files: Object.fromEntries(texts), link: await readlink(join(folder, "link.html")).catch(() => "") }
  } finally {
    await rm(folder, { recursive: true })
  }
}

const OLD = `<!doctype html>\n${GENERATOR}\nold`
const link = "old.html"

test("a page takes the place of an earlier one, of an empty file, or of nothing, and leaves nothing else behind", async () => {
  for (const files of [{}, { "a.html": "" }, { "a.html": OLD }])
    expect(await tried("a.html", false, files)).toEqual({ error: undefined, files: { "a.html": PAGE }, link })
})

test("through a link its target is replaced", async () => {
  const files = { "old.html": OLD }
  expect(await tried("link.html", false, files)).toEqual({ error: undefined, files: { "old.html": PAGE }, link })
})

test("another file stays, but for force", async () => {
  const late = `${" ".repeat(512 - GENERATOR.length + 1)}${GENERATOR}`
  for (const text of ["mine", late]) {
    expect(await tried("a.html", false, { "a.html": text })).toEqual({
      error: "/a.html is there and is not a report: choose another name, or overwrite it with --force",
      ...{ files: { "a.html": text }, link },
    })
    expect(await tried("a.html", true, { "a.html": text })).toEqual({
      error: undefined,
      files: { "a.html": PAGE },
      link,
    })
  }
  expect((await tried("a.html", false, { "a.html": late.slice(1) })).files).toEqual({ "a.html": PAGE })
})

test("a folder is never replaced, and what can't be written leaves nothing behind", async () => {
  const { error, ...rest } = await tried("folder", false)
  expect([error, rest]).toEqual([
    "/folder is there and is not a report: choose another name, or overwrite it with --force",
    { files: {}, link },
  ])
  for (const [name, force] of [
    ["folder", true],
    ["none/a.html", false],
  ] as const) {
    const refused = await tried(name, force)
    expect(refused).toEqual({
      error: expect.stringMatching(new RegExp(`^/${name} can't be written: E`)),
      files: {},
      link,
    })
  }
})
