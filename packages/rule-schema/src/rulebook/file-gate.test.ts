import { afterEach, beforeEach, expect, spyOn, test } from "bun:test"
import { mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { loadRulebook } from "../index.ts"
import { createFileGate, type FileGate, fileGate, readRegularFile } from "./file-gate.ts"

/** Short enough for a test, and long enough for what answers. */
const PATIENCE_MS = 200

let root = ""
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "rulebook-gate-"))
})
afterEach(() => rm(root, { recursive: true, force: true }))

/** A gate behind which work on some paths hangs, as on a dead mount, until `end`. Counts how much of it was begun. */
function hangingGate(hangs: (path: string) => boolean) {
  const gate = createFileGate(PATIENCE_MS)
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const begun: string[] = []
  const deaf: FileGate = {
    pass: (path, isForeign, work) =>
      gate.pass(path, isForeign, async () => {
        if (hangs(path)) {
          begun.push(path)
          await ended
        }
        return work()
      }),
  }
  return { gate: deaf, begun, end }
}

test("work that ends is as without the gate", async () => {
  const gate = createFileGate(PATIENCE_MS)
  expect(await gate.pass("/a", false, async () => 1)).toBe(1)
  expect(await gate.pass("/a", true, async () => 2)).toBe(2)
  await expect(gate.pass("/a", true, () => Promise.reject(new Error("no")))).rejects.toThrow("no")
  await expect(gate.pass("/a", false, () => Promise.reject(new Error("no")))).rejects.toThrow("no")
})

test("of work behind links no more than one piece hangs, however much there is, and what hangs is not begun again", async () => {
  const { gate, begun, end } = hangingGate(() => true)
  const paths = ["/a", "/b", "/c", "/d", "/e", "/a"]
  const results = await Promise.allSettled(paths.map((path) => gate.pass(path, true, async () => path)))
  expect(results.map(({ status }) => status)).toEqual(paths.map(() => "rejected"))
  expect(begun).toEqual(["/a"])
  await expect(gate.pass("/a", false, async () => 1)).rejects.toThrow("no answer within 0.2 seconds")
  expect(begun).toEqual(["/a"])
  end()
  await new Promise(setImmediate)
  expect(await gate.pass("/a", true, async () => 1)).toBe(1)
})

test("links into a file system that is gone: one problem each, all other rules work, and once it is back so do these", async () => {
  const { gate, begun, end } = hangingGate((path) => path.includes("dead"))
  await writeFile(join(root, "good.md"), "Good")
  await writeFile(join(root, "other.txt"), "Linked")
  for (let index = 0; index < 10; index += 1) await symlink(join(root, "other.txt"), join(root, `dead${index}.md`))
  await symlink(join(root, "other.txt"), join(root, "live.md"))
  const directories = [{ scope: "project", path: root, root, prefix: "" } as const]
  const book = await loadRulebook(directories, undefined, gate)
  expect(book.rules.map(({ name }) => name)).toEqual(["good"])
  const names = [...Array.from({ length: 10 }, (_, index) => `dead${index}.md`), "live.md"]
  const reasons = names.map((_, index) =>
    index === 0
      ? "can't be read: no answer within 0.2 seconds"
      : `can't be read: not looked at as long as ${join(root, "dead0.md")} does not answer`,
  )
  expect(book.problems.map(({ file }) => file.slice(root.length + 1))).toEqual(names)
  expect(book.problems.map(({ reason }) => reason)).toEqual(reasons)
  expect(begun).toHaveLength(1)
  end()
  await new Promise(setImmediate)
  expect((await loadRulebook(directories, undefined, gate)).rules.map(({ name }) => name)).toEqual(["dead0", "good"])
})

test("a rules folder that does not answer keeps no other folder's rules away", async () => {
  const { gate } = hangingGate((path) => path === "/gone/rules")
  await writeFile(join(root, "good.md"), "Good")
  const book = await loadRulebook(
    [
      { scope: "global", path: "/gone/rules", root, prefix: "" },
      { scope: "project", path: root, root, prefix: "" },
    ],
    undefined,
    gate,
  )
  expect(book.rules.map(({ name }) => name)).toEqual(["good"])
  expect(book.problems.map(({ file, code, reason }) => [file, code, reason])).toEqual([
    ["/gone/rules", "bad-directory", "can't be read: no answer within 0.2 seconds"],
  ])
})

test("a process that was busy itself for longer takes in the answer that has come meanwhile", async () => {
  await writeFile(join(root, "a.md"), "Text")
  const gate = createFileGate(PATIENCE_MS)
  const read = gate.pass("a.md", false, () => readRegularFile(join(root, "a.md"), 100))
  for (const end = Date.now() + 2 * PATIENCE_MS; Date.now() < end; );
  expect((await read).kind).toBe("bytes")
})

test("a file whose reading does not end is one problem", async () => {
  const { gate } = hangingGate((path) => path.endsWith("slow.md"))
  for (const name of ["a.md", "slow.md", "z.md"]) await writeFile(join(root, name), "Text")
  const directories = [{ scope: "project", path: root, root, prefix: "" } as const]
  const book = await loadRulebook(directories, undefined, gate)
  expect(book.rules.map(({ name }) => name)).toEqual(["a", "z"])
  expect(book.problems).toHaveLength(1)
})

test("only regular files are read, to their end, and no further than told", async () => {
  const pipe = join(root, "pipe")
  const irregular = process.platform === "win32" ? [] : [pipe, "/dev/zero"]
  if (irregular.includes(pipe)) expect(Bun.spawnSync(["mkfifo", pipe]).exitCode).toBe(0)
  for (const path of [...irregular, root]) {
    const refused = [{ kind: "not-regular" }, "EISDIR", ...(process.platform === "win32" ? ["EPERM", "EACCES"] : [])]
    expect(await readRegularFile(path, 100).catch((error) => error.code)).toBeOneOf(refused)
  }
  for (const size of [0, 1, 100, 32_767, 32_768, 32_769, 65_536, 200_000]) {
    const text = "x".repeat(size)
    await writeFile(join(root, "file"), text)
    const read = await readRegularFile(join(root, "file"), 200_000)
    expect(read.kind === "bytes" && Buffer.from(read.bytes).toString()).toBe(text)
  }
  expect(await readRegularFile(join(root, "file"), 199_999)).toEqual({ kind: "too-large" })
  const status = await readRegularFile("/proc/self/status", 100_000).catch(() => undefined)
  if (process.platform !== "linux") return
  expect(status?.kind === "bytes" && status.bytes.length).toBeGreaterThan(100)
  // It has no size that would tell.
  expect(await readRegularFile("/proc/self/status", 100)).toEqual({ kind: "too-large" })
})

test("of a file of any size no more is read than is allowed", async () => {
  // There a file takes its whole size of the disk.
  if (process.platform === "win32") return
  await writeFile(join(root, "huge"), "")
  await truncate(join(root, "huge"), 2 ** 40)
  expect(await readRegularFile(join(root, "huge"), 100)).toEqual({ kind: "too-large" })
})

test("a look or a reading may take three seconds", async () => {
  const waits: unknown[] = []
  const { setTimeout: real } = globalThis
  const clock = spyOn(globalThis, "setTimeout").mockImplementation(((run: () => void, ms: number) => {
    waits.push(ms)
    return real(run, 0)
  }) as typeof setTimeout)
  const { promise, resolve } = Promise.withResolvers<void>()
  try {
    await expect(fileGate.pass("/hangs", false, () => promise)).rejects.toThrow("no answer within 3 seconds")
    expect(waits).toEqual([3000, 20])
  } finally {
    clock.mockRestore()
    resolve()
  }
})

test("work that has ended keeps no process from ending", () => {
  const gate = JSON.stringify(join(import.meta.dir, "file-gate.ts"))
  const script = `const { createFileGate } = await import(${gate})
    const gate = createFileGate(600_000)
    console.log(await gate.pass("a", false, async () => "done"))`
  const { stdout, exitCode } = Bun.spawnSync([process.execPath, "-e", script], { timeout: 20_000 })
  expect([stdout.toString().trim(), exitCode]).toEqual(["done", 0])
}, 30_000)
