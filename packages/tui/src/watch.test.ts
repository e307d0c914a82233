import { expect, test } from "bun:test"
import { EventEmitter } from "node:events"
import type { watch } from "node:fs"
import { tmpdir } from "node:os"
import { createFolderWatch } from "./watch.ts"

const target = { folder: tmpdir(), name: undefined }

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
  const troubles: string[] = []
  const watcher = Object.assign(new EventEmitter(), { close: () => undefined })
  const give = (() => watcher) as unknown as typeof watch
  const folders = createFolderWatch(expect.unreachable, (reason) => troubles.push(reason), give)
  await folders.watch([target])
  watcher.emit("error", new Error("EIO"))
  folders.stop()
  expect(troubles).toEqual(["EIO"])
})

test("a folder that is not there is left out, and nothing is watched after the end", async () => {
  const folders = createFolderWatch(expect.unreachable, expect.unreachable)
  expect(await folders.watch([{ folder: "/no/such/folder", name: undefined }])).toBeFalse()
  folders.stop()
  expect(await folders.watch([target])).toBeFalse()
})
