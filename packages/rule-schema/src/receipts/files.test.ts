import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  appendReceipts,
  listReceipts,
  makeRoomForReceipts,
  pruneReceipts,
  type Receipt,
  type RuleId,
  readReceipts,
  removeReceipts,
} from "../index.ts"
import { MOST_RECEIPT_BYTES } from "./files.ts"

let directory = ""
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "rulebook-receipts-"))
})
afterEach(async () => {
  await rm(directory, { recursive: true, force: true })
})

const found = (request: number, rule = "project:a.md"): Receipt => {
  return { v: 1, at: 5, request, kind: "found", rules: [rule as RuleId] }
}
const path = (name: string) => join(directory, "receipts", name)
const session = (sessionID: string): Receipt => {
  const told = { directory: "/w", host: "OpenCode 1", plugin: "1", rules: [], broken: [] }
  return { v: 1, at: 5, request: 0, kind: "session", begins: true, sessionID, ...told }
}

describe("receipt files", () => {
  test("what is added is read back, in order, private", async () => {
    expect(await readReceipts(directory, "ses_1")).toBeUndefined()
    expect(await appendReceipts(directory, "ses_1", [found(1), found(2)])).toBe("written")
    expect(await appendReceipts(directory, "ses_1", [found(3)])).toBe("written")
    const read = await readReceipts(directory, "ses_1")
    expect(read).toMatchObject({ sessionID: "ses_1", receipts: [found(1), found(2), found(3)], skipped: 0 })
    expect(await readdir(join(directory, "receipts"))).toEqual(["ses_1.jsonl"])
    // Windows has no such modes.
    if (process.platform === "win32") return
    expect((await stat(join(directory, "receipts"))).mode & 0o777).toBe(0o700)
    expect((await stat(path("ses_1.jsonl"))).mode & 0o777).toBe(0o600)
  })

  test("a torn tail gets its line end: it is lost alone", async () => {
    await appendReceipts(directory, "ses_1", [found(1)])
    await appendFile(path("ses_1.jsonl"), JSON.stringify(found(2)).slice(0, 30))
    await appendReceipts(directory, "ses_1", [found(3)])
    expect(await readReceipts(directory, "ses_1")).toMatchObject({ receipts: [found(1), found(3)], skipped: 1 })
  })

  test("a full file says so once, keeps what it has, and grows no more", async () => {
    const large = found(1, "x".repeat(200_000))
    expect(await appendReceipts(directory, "ses_1", [large, large, large, large])).toBe("written")
    expect(await appendReceipts(directory, "ses_1", [found(2), large, large, found(3)])).toBe("full")
    const before = await readFile(path("ses_1.jsonl"), "utf8")
    expect(before.length).toBeLessThanOrEqual(MOST_RECEIPT_BYTES)
    expect(await appendReceipts(directory, "ses_1", [found(4)])).toBe("full")
    expect(await readFile(path("ses_1.jsonl"), "utf8")).toBe(before)
    const receipts = (await readReceipts(directory, "ses_1"))?.receipts ?? []
    expect(receipts.map(({ kind }) => kind)).toEqual([...Array(6).fill("found"), "full"])
    expect(receipts.at(-1)).toEqual({ v: 1, at: 5, request: 1, kind: "full" })
  })

  test("a file is full at its size in bytes, less room for the line that says so", async () => {
    const bytes = (receipt: Receipt) => Buffer.byteLength(`${JSON.stringify(receipt)}\n`)
    const room = MOST_RECEIPT_BYTES - 128 - bytes(found(1, ""))
    const fitting = (length: number) => found(1, "é".repeat(Math.floor(length / 2)) + "x".repeat(length % 2))
    expect(await appendReceipts(directory, "ses_1", [fitting(room)])).toBe("written")
    expect((await stat(path("ses_1.jsonl"))).size).toBe(MOST_RECEIPT_BYTES - 128)
    expect(await appendReceipts(directory, "ses_1", [])).toBe("written")
    expect(await appendReceipts(directory, "ses_1", [found(7)])).toBe("full")
    expect((await readReceipts(directory, "ses_1"))?.receipts.at(-1)).toEqual({ v: 1, at: 5, request: 7, kind: "full" })
    expect(await appendReceipts(directory, "ses_2", [fitting(room + 1)])).toBe("full")
    expect((await readReceipts(directory, "ses_2"))?.receipts.map(({ kind }) => kind)).toEqual(["full"])
    // The line end that a torn tail gets takes room too.
    await appendReceipts(directory, "ses_3", [])
    await appendFile(path("ses_3.jsonl"), "x")
    expect(await appendReceipts(directory, "ses_3", [fitting(room - 1)])).toBe("full")
    await appendReceipts(directory, "ses_4", [])
    await appendFile(path("ses_4.jsonl"), "x")
    expect(await appendReceipts(directory, "ses_4", [fitting(room - 2)])).toBe("written")
    const read = await readReceipts(directory, "ses_4")
    expect([read?.skipped, read?.receipts.length]).toEqual([1, 1])
  })

  test("a file of up to twice the size is read, as two processes may have found room at once", async () => {
    const line = `${JSON.stringify(found(1))}\n`
    await appendReceipts(directory, "ses_1", [found(1)])
    await appendFile(path("ses_1.jsonl"), " ".repeat(2 * MOST_RECEIPT_BYTES - line.length))
    expect((await readReceipts(directory, "ses_1"))?.receipts).toEqual([found(1)])
    await appendFile(path("ses_1.jsonl"), " ")
    expect(await readReceipts(directory, "ses_1")).toBeUndefined()
  })

  test("a file is its session's own, also one whose name is a digest", async () => {
    const id = "a/b"
    await appendReceipts(directory, id, [found(1)])
    const [name = ""] = await readdir(join(directory, "receipts"))
    const time = new Date(1_700_000_000_000)
    await utimes(path(name), time, time)
    expect(await readReceipts(directory, id)).toEqual({
      ...{ sessionID: name.replace(".jsonl", ""), modified: time.getTime(), receipts: [found(1)], skipped: 0 },
    })
    await appendReceipts(directory, id, [session(id), session("other")])
    expect((await readReceipts(directory, id))?.sessionID).toBe(id)
  })

  test("writers at the same time lose nothing", async () => {
    const requests = Array.from({ length: 50 }, (_, index) => index)
    await Promise.all(requests.map((request) => appendReceipts(directory, "ses_1", [found(request), found(request)])))
    const read = await readReceipts(directory, "ses_1")
    const seen = read?.receipts.map(({ request }) => request).toSorted((a, b) => a - b)
    expect(seen).toEqual(requests.flatMap((request) => [request, request]))
  })

  test("a symbolic link is neither read nor written through, and a folder is no file", async () => {
    await mkdir(join(directory, "receipts"))
    await writeFile(join(directory, "target"), `${JSON.stringify(found(1))}\n`)
    await symlink("../target", path("ses_1.jsonl"))
    await expect(appendReceipts(directory, "ses_1", [found(2)])).rejects.toThrow()
    expect(await readFile(join(directory, "target"), "utf8")).toBe(`${JSON.stringify(found(1))}\n`)
    expect(await readReceipts(directory, "ses_1")).toBeUndefined()
    await mkdir(path("ses_2.jsonl"))
    await expect(appendReceipts(directory, "ses_2", [found(2)])).rejects.toThrow()
    expect(await Array.fromAsync(listReceipts(directory))).toEqual([])
  })

  test("a pipe in a file's place is not written to", async () => {
    // Windows has no pipes among the files of a folder.
    if (process.platform === "win32") return
    await mkdir(join(directory, "receipts"))
    expect(Bun.spawnSync(["mkfifo", path("ses_1.jsonl")]).exitCode).toBe(0)
    await expect(appendReceipts(directory, "ses_1", [found(1)])).rejects.toThrow(
      "the receipts' path is not a regular file",
    )
    expect(await readReceipts(directory, "ses_1")).toBeUndefined()
  })

  test("all sessions are listed, the newest first, under the ids that they say", async () => {
    for (const id of ["ses_1", "a/b", "ses_3"]) await appendReceipts(directory, id, [session(id), found(1)])
    await writeFile(path("ses_4.jsonl"), "no receipt\n")
    for (const name of ["notes.txt", ".ses_5.jsonl", "-ses.jsonl", "ses_5.jsonl.bak", "ses 5.jsonl", "ses_5.json"])
      await writeFile(path(name), JSON.stringify(found(1)))
    await writeFile(path("ses_6.jsonl"), " ".repeat(2 * MOST_RECEIPT_BYTES + 1))
    for (const [name, age] of [["ses_1.jsonl", 2] as const, ["ses_3.jsonl", 3] as const, ["ses_4.jsonl", 4] as const])
      await utimes(path(name), Date.now() / 1000 - age, Date.now() / 1000 - age)
    const all = await Array.fromAsync(listReceipts(directory))
    expect(all.map(({ sessionID }) => sessionID)).toEqual(["a/b", "ses_1", "ses_3", "ses_4"])
    expect(all.map(({ receipts, skipped }) => [receipts.length, skipped])).toEqual([
      [2, 0],
      [2, 0],
      [2, 0],
      [0, 1],
    ])
    const [first] = all
    expect(first).toEqual({
      sessionID: "a/b",
      modified: expect.any(Number),
      receipts: [session("a/b"), found(1)],
      skipped: 0,
    })
    expect(await Array.fromAsync(listReceipts(join(directory, "none")))).toEqual([])
  })

  test("a file that is larger than any of ours is not read", async () => {
    await appendReceipts(directory, "ses_1", [found(1)])
    await appendFile(path("ses_1.jsonl"), "x".repeat(3 * MOST_RECEIPT_BYTES))
    expect(await readReceipts(directory, "ses_1")).toBeUndefined()
  })

  test("removal takes one session's, and pruning the old, the surplus, and what is too much together", async () => {
    const now = Date.now()
    for (const [index, id] of ["ses_0", "ses_1", "ses_2", "ses_3", "ses_4"].entries()) {
      await appendReceipts(directory, id, [found(1)])
      await utimes(path(`${id}.jsonl`), (now - index * 1000) / 1000, (now - index * 1000) / 1000)
    }
    await writeFile(path("notes.txt"), "")
    const names = async () => (await readdir(join(directory, "receipts"))).toSorted()
    await removeReceipts(directory, "ses_0")
    await removeReceipts(directory, "ses_0")
    await pruneReceipts(directory, { maxAgeMs: 3500, maxFiles: 10, now })
    expect(await names()).toEqual(["notes.txt", "ses_1.jsonl", "ses_2.jsonl", "ses_3.jsonl"])
    const { size } = await stat(path("ses_1.jsonl"))
    await pruneReceipts(directory, { maxAgeMs: 3500, maxFiles: 10, maxBytes: 2 * size, now })
    expect(await names()).toEqual(["notes.txt", "ses_1.jsonl", "ses_2.jsonl"])
    await makeRoomForReceipts(directory, "ses_1", { maxAgeMs: 3500, maxFiles: 2, now })
    expect(await names()).toEqual(["notes.txt", "ses_1.jsonl", "ses_2.jsonl"])
    await makeRoomForReceipts(directory, "ses_9", { maxAgeMs: 3500, maxFiles: 2, now })
    expect(await names()).toEqual(["notes.txt", "ses_1.jsonl"])
  })
})
