import { expect, test } from "bun:test"
import type { watch } from "node:fs"
import { readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { watches } from "./state.ts"

const refuse = (() => {
  throw new Error("EMFILE: too many open files, watch")
}) as typeof watch

test.each([
  ["linux", "Raise fs.inotify.max_user_watches and max_user_instances, or close programs that watch files"],
  ["darwin", "Close programs that watch files"],
  ["win32", "Close programs that watch files"],
])("where %s gives no file watch, what it says can be done there", async (platform, remedy) => {
  const most = await readFile("/proc/sys/fs/inotify/max_user_watches", "utf8").catch(() => "")
  const limit = most === "" ? "" : `; the limit is ${most.trim()}`
  expect(await watches(tmpdir(), platform, refuse)).toEqual({
    check: "file watches",
    severity: "warning",
    message: `the system gives no file watch (EMFILE: too many open files, watch${limit}), so the sidebar may miss changes of rule files`,
    remedy,
  })
})

test("the watch that it tries keeps no process alive and is given back", async () => {
  const calls: unknown[] = []
  const give = ((...args: readonly unknown[]) => {
    calls.push(args)
    return { close: () => calls.push("close") }
  }) as unknown as typeof watch
  expect(await watches("/state", "linux", give)).toEqual({
    check: "file watches",
    severity: "ok",
    message: "the system has file watches left",
  })
  expect(calls).toEqual([["/state", { persistent: false }], "close"])
})
