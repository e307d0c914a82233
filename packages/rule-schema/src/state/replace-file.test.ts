import { expect, test } from "bun:test"
import { replaceFile } from "./replace-file.ts"

/** How often it was tried, when the first `refusals` tries are refused. */
async function tries(platform: string, code: string, refusals: number) {
  let tried = 0
  const pauses: number[] = []
  const move = async (from: string, to: string) => {
    expect([from, to]).toEqual(["a", "b"])
    tried++
    if (tried <= refusals) throw Object.assign(new Error(code), { code })
  }
  const outcome = await replaceFile("a", "b", { platform, move, pause: async (ms) => pauses.push(ms) }).then(
    () => "replaced",
    (error) => String(error.code),
  )
  return { tried, outcome, pauses }
}

test.each<[platform: string, code: string, refusals: number, tried: number, outcome: string]>([
  ["win32", "EPERM", 0, 1, "replaced"],
  ["win32", "EPERM", 3, 4, "replaced"],
  ["win32", "EBUSY", 5, 6, "replaced"],
  ["win32", "EACCES", 99, 6, "EACCES"],
  ["win32", "ENOSPC", 99, 1, "ENOSPC"],
  ["linux", "EACCES", 99, 1, "EACCES"],
  ["darwin", "EPERM", 1, 1, "EPERM"],
])("on %s with %s %i times: %i tries, %s", async (platform, code, refusals, tried, outcome) => {
  const pauses = [10, 20, 40, 80, 160].slice(0, tried - 1)
  expect(await tries(platform, code, refusals)).toEqual({ tried, outcome, pauses })
})
