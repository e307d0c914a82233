import { expect, test } from "bun:test"
import type { watch } from "node:fs"
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
  expect(await watches(tmpdir(), platform, refuse)).toMatchObject({ severity: "warning", remedy })
})
