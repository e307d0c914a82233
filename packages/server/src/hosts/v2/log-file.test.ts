import { afterEach, beforeEach, expect, test } from "bun:test"
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openLogFile } from "./log-file.ts"

let folder = ""
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "rulebook-log-"))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test("lines are in order, one each, with time and level; the file is the user's own", async () => {
  const path = join(folder, "state/rulebook.log")
  const log = openLogFile(path, () => 0)
  log.write("warn", "one\n  at two")
  log.write("error", "three")
  await log.settled()
  const time = "1970-01-01T00:00:00.000Z"
  expect(await readFile(path, "utf8")).toBe(`${time} WARN one at two\n${time} ERROR three\n`)
  // Windows has no such modes.
  if (process.platform === "win32") return
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect((await stat(join(folder, "state"))).mode & 0o777).toBe(0o700)
})

test("a log of 1 MiB goes on", async () => {
  const path = join(folder, "rulebook.log")
  await writeFile(path, "x".repeat(1024 * 1024))
  const log = openLogFile(path, () => 0)
  log.write("warn", "new")
  await log.settled()
  expect((await stat(path)).size).toBe(1024 * 1024 + "1970-01-01T00:00:00.000Z WARN new\n".length)
  expect(await readdir(folder)).toEqual(["rulebook.log"])
})

test("a log that has grown large is set aside", async () => {
  const path = join(folder, "rulebook.log")
  await writeFile(path, "x".repeat(1024 * 1024 + 1))
  const log = openLogFile(path, () => 0)
  log.write("warn", "new")
  await log.settled()
  expect(await readFile(path, "utf8")).toEndWith("WARN new\n")
  expect((await stat(path)).size).toBeLessThan(100)
  expect((await stat(`${path}.old`)).size).toBe(1024 * 1024 + 1)
})

test("a line is not lost where the large log can't be set aside", async () => {
  const path = join(folder, "rulebook.log")
  await writeFile(path, "x".repeat(1024 * 1024 + 1))
  await mkdir(`${path}.old`)
  const log = openLogFile(path, () => 0)
  log.write("warn", "new")
  await log.settled()
  expect(await readFile(path, "utf8")).toEndWith("WARN new\n")
})

test("a log that can't be written disturbs nothing", async () => {
  await writeFile(join(folder, "file"), "")
  const log = openLogFile(join(folder, "file/rulebook.log"), () => 0)
  log.write("warn", "lost")
  await log.settled()
})
