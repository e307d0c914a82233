import { afterEach, beforeEach, expect, test } from "bun:test"
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Receipt, type RuleId, readReceipts } from "@opencode-rulebook/rule-schema"
import { createReceiptsWriter } from "./receipts-writer.ts"

let directory = ""
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "rulebook-receipts-"))
})
afterEach(async () => {
  await rm(directory, { recursive: true, force: true })
})

const receipt = (request: number, text = "a"): Receipt => {
  return { v: 1, at: Date.now(), request, kind: "found", rules: [text as RuleId] }
}
const requests = async (sessionID = "ses_1") =>
  (await readReceipts(directory, sessionID))?.receipts.map(({ request, kind }) => (kind === "full" ? kind : request))

test("what was added is on disk once it has settled, in order, session by session", async () => {
  const writer = createReceiptsWriter(directory, expect.unreachable)
  for (let request = 0; request < 100; request += 1) {
    writer.add("ses_1", receipt(request))
    writer.add("ses_2", receipt(request))
  }
  await writer.settled()
  writer.add("ses_1", receipt(100))
  await writer.settled()
  expect(await requests()).toEqual(Array.from({ length: 101 }, (_, index) => index))
  expect(await requests("ses_2")).toHaveLength(100)
})

test("what an event leads to some microtasks later is waited for", async () => {
  const writer = createReceiptsWriter(directory, expect.unreachable)
  queueMicrotask(() => writer.add("ses_1", receipt(1)))
  await writer.settled()
  expect(await requests()).toEqual([1])
})

test("two writers of one session, as two processes are, lose nothing", async () => {
  const writers = [1, 2].map(() => createReceiptsWriter(directory, expect.unreachable))
  for (let request = 0; request < 50; request += 1) {
    for (const writer of writers) writer.add("ses_1", receipt(request))
    if (request % 10 === 0) await writers[0]?.settled()
  }
  await Promise.all(writers.map((writer) => writer.settled()))
  const seen = (await requests())?.toSorted((a, b) => Number(a) - Number(b))
  expect(seen).toEqual(Array.from({ length: 100 }, (_, index) => Math.floor(index / 2)))
})

test("a folder that can't be written is one warning", async () => {
  await writeFile(join(directory, "receipts"), "in the way")
  const warnings: string[] = []
  const writer = createReceiptsWriter(directory, (message) => warnings.push(message))
  for (const session of ["ses_1", "ses_2", "ses_1"]) {
    writer.add(session, receipt(1))
    writer.remove("ses_3")
    await writer.settled()
  }
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toMatch(/^receipts can't be written to .*; rules work without them$/)
})

test("of a deleted session nothing is written any more, also not what waited", async () => {
  const writer = createReceiptsWriter(directory, expect.unreachable)
  writer.add("ses_1", receipt(1))
  await writer.settled()
  writer.add("ses_1", receipt(2))
  writer.remove("ses_1")
  writer.add("ses_1", receipt(3))
  await writer.settled()
  expect(await readdir(join(directory, "receipts"))).toEqual([])
})

test("a full file ends with the line that says so", async () => {
  const writer = createReceiptsWriter(directory, expect.unreachable)
  for (let request = 0; request < 4; request += 1) {
    writer.add("ses_1", receipt(request, "x".repeat(400_000)))
    await writer.settled()
  }
  expect(await requests()).toEqual([0, 1, "full"])
})

test("receipts that come faster than they are written are lost at some point, with one warning", async () => {
  const warnings: string[] = []
  const writer = createReceiptsWriter(directory, (message) => warnings.push(message))
  for (let request = 0; request < 10_010; request += 1) writer.add("ses_1", receipt(request))
  expect(warnings).toHaveLength(1)
  await writer.settled()
  expect((await readReceipts(directory, "ses_1"))?.receipts.length).toBeGreaterThan(9_000)
  writer.add("ses_2", receipt(1))
  await writer.settled()
  expect(await requests("ses_2")).toEqual([1])
})

test("what waited of a deleted session makes room for others", async () => {
  const writer = createReceiptsWriter(directory, expect.unreachable)
  for (let request = 0; request < 10_000; request += 1) writer.add("ses_1", receipt(request))
  writer.remove("ses_1")
  writer.remove("ses_1")
  writer.add("ses_2", receipt(1))
  await writer.settled()
  expect(await requests("ses_2")).toEqual([1])
})

test("old receipts go while the plugin runs, looked for once in an hour", async () => {
  const hour = 60 * 60 * 1000
  const writer = createReceiptsWriter(directory, expect.unreachable)
  const write = async (sessionID: string, at: number) => {
    writer.add(sessionID, { ...receipt(1), at })
    await writer.settled()
    return (await readdir(join(directory, "receipts"))).toSorted()
  }
  await write("ses_1", Date.now())
  const later = Date.now() + 30 * 24 * hour - hour + 1_000
  expect(await write("ses_2", later)).toEqual(["ses_1.jsonl", "ses_2.jsonl"])
  // The first is too old by now.
  expect(await write("ses_2", later + hour - 1)).toEqual(["ses_1.jsonl", "ses_2.jsonl"])
  expect(await write("ses_2", later + hour)).toEqual(["ses_2.jsonl"])
})

test("old receipts go when new ones come", async () => {
  const folder = join(directory, "receipts")
  await mkdir(folder)
  for (const [name, days] of [["ses_old", 31] as const, ["ses_new", 29] as const]) {
    await writeFile(join(folder, `${name}.jsonl`), "{}\n")
    const at = Date.now() / 1000 - days * 86_400
    await utimes(join(folder, `${name}.jsonl`), at, at)
  }
  const writer = createReceiptsWriter(directory, expect.unreachable)
  writer.add("ses_1", receipt(1))
  await writer.settled()
  expect((await readdir(folder)).toSorted()).toEqual(["ses_1.jsonl", "ses_new.jsonl"])
})
