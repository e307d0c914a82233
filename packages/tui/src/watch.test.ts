import { expect, test } from "bun:test"
import { EventEmitter } from "node:events"
import type { watch } from "node:fs"
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createFolderWatch } from "./watch.ts"

const target = { folder: tmpdir(), name: undefined }

/** A file system whose one watcher the test makes speak. */
function fakeWatch() {
  const watcher = Object.assign(new EventEmitter(), { close: () => undefined })
  let listener: (event: string, name: string) => void = () => undefined
  const give = (_folder: string, _options: unknown, listen: typeof listener) => {
    listener = listen
    return watcher
  }
  return { watcher, give: give as unknown as typeof watch, tell: (name: string) => listener("rename", name) }
}

test("a folder that can't be watched is told, and hinders nothing", async () => {
  const troubles: string[] = []
  const refuse = () => {
    throw new Error("ENOSPC: System limit for number of file watchers reached")
  }
  const folders = createFolderWatch(expect.unreachable, (reason) => troubles.push(reason), refuse as typeof watch)
  expect(await folders.watch([target])).toBeTrue()
  expect(await folders.watch([target])).toBeFalse()
  folders.stop()
  expect(troubles).toEqual(["ENOSPC: System limit for number of file watchers reached"])
})

test("a watcher that fails later is told", async () => {
  const { watcher, give } = fakeWatch()
  const told = Promise.withResolvers<string>()
  const folders = createFolderWatch(expect.unreachable, told.resolve, give)
  await folders.watch([target])
  watcher.emit("error", new Error("EIO"))
  expect(await told.promise).toBe("EIO")
  folders.stop()
})

test("after the end no failure is told", async () => {
  const { watcher, give } = fakeWatch()
  const folders = createFolderWatch(expect.unreachable, expect.unreachable, give)
  await folders.watch([target])
  watcher.emit("error", new Error("EIO"))
  folders.stop()
  // One that fails later and is told: the first would have been by then.
  const other = fakeWatch()
  const told = Promise.withResolvers<string>()
  const others = createFolderWatch(expect.unreachable, told.resolve, other.give)
  await others.watch([target])
  other.watcher.emit("error", new Error("EMFILE"))
  expect(await told.promise).toBe("EMFILE")
  others.stop()
})

test("a watcher that fails because its folder was removed tells of a change, and the folder made anew is watched", async () => {
  const folder = await mkdtemp(join(tmpdir(), "rulebook-watch-"))
  const { watcher, give } = fakeWatch()
  const changed = Promise.withResolvers<void>()
  const folders = createFolderWatch(changed.resolve, expect.unreachable, give)
  await folders.watch([{ folder, name: undefined }])
  await rm(folder, { recursive: true })
  watcher.emit("error", new Error("EPERM: operation not permitted, watch"))
  await changed.promise
  await mkdir(folder)
  expect(await folders.watch([{ folder, name: undefined }])).toBeTrue()
  folders.stop()
  await rm(folder, { recursive: true })
})

test.each([
  ["Rules", "rules", 1],
  ["re\u0301gles", "r\u00e9gles", 1],
  ["rules2", "rules", 0],
])("a change of %p counts where %p is of interest: %i", async (changed, name, expected) => {
  const { give, tell } = fakeWatch()
  let changes = 0
  const folders = createFolderWatch(() => changes++, expect.unreachable, give)
  await folders.watch([{ folder: tmpdir(), name }])
  tell(changed)
  folders.stop()
  expect(changes).toBe(expected)
})

test("another name in a folder that is watched already is new", async () => {
  const folders = createFolderWatch(() => undefined, expect.unreachable, fakeWatch().give)
  const named = (name: string) => ({ folder: tmpdir(), name })
  expect(await folders.watch([named("a")])).toBeTrue()
  expect(await folders.watch([named("a")])).toBeFalse()
  expect(await folders.watch([named("a"), named("b")])).toBeTrue()
  folders.stop()
})

test("a folder that is not there is left out, and nothing is watched after the end", async () => {
  const folders = createFolderWatch(expect.unreachable, expect.unreachable)
  expect(await folders.watch([{ folder: "/no/such/folder", name: undefined }])).toBeFalse()
  folders.stop()
  expect(await folders.watch([target])).toBeFalse()
})

test("a watched folder does not keep the process alive", async () => {
  const script = `
    import { createFolderWatch } from ${JSON.stringify(join(import.meta.dir, "watch.ts"))}
    const folders = createFolderWatch(() => undefined, () => undefined)
    console.log(await folders.watch([{ folder: ${JSON.stringify(tmpdir())}, name: "none" }]))
  `
  const child = Bun.spawn([process.execPath, "-e", script], { stdio: ["ignore", "pipe", "inherit"] })
  expect(await new Response(child.stdout).text()).toBe("true\n")
  expect(await child.exited).toBe(0)
})

test("what is watched no more is closed, and a change counts when it is of a name that is watched, or of none", async () => {
  const closed: string[] = []
  let changes = 0
  const listeners = new Map<string, (event: string, name: string | null) => void>()
  const give = ((folder: string, _options: object, listener: (event: string, name: string | null) => void) => {
    listeners.set(folder, listener)
    return Object.assign(new EventEmitter(), { close: () => closed.push(folder) })
  }) as unknown as typeof watch
  const folders = createFolderWatch(() => void changes++, expect.unreachable, give)
  const named = { folder: tmpdir(), name: "rules" }
  await folders.watch([named, { folder: "/", name: undefined }])
  for (const name of ["rules", "other", null]) listeners.get(tmpdir())?.("rename", name)
  expect(changes).toBe(2)
  listeners.get("/")?.("rename", "anything")
  expect(changes).toBe(3)
  await folders.watch([named])
  expect(closed).toEqual(["/"])
  folders.stop()
  expect(closed).toEqual(["/", tmpdir()])
})
