import { afterEach, beforeEach, expect, test } from "bun:test"
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type MatchedRuleState, type RuleStatus, readState } from "@opencode-rulebook/rule-schema"
import { createStateWriter } from "./state-writer.ts"

let directory = ""
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "rulebook-writer-"))
})
afterEach(async () => {
  await chmod(directory, 0o700)
  await rm(directory, { recursive: true, force: true })
})

function state(status: RuleStatus, sessionID = "ses_1"): MatchedRuleState {
  const rules = [{ id: "project:a.md", digest: "d", status }]
  return { version: 1, sessionID, directory: "/w", updatedAt: Date.now(), rules }
}

async function statusOnDisk(): Promise<RuleStatus | undefined> {
  return (await readState(directory, "ses_1"))?.rules[0]?.status
}

test("a burst ends with the newest state, also when that says what an earlier one said", async () => {
  const writer = createStateWriter(directory, expect.unreachable)
  for (const status of ["unmatched", "pending", "delivered"] as const) writer.publish(state(status))
  await writer.settled()
  expect(await statusOnDisk()).toBe("delivered")
  writer.publish(state("transient"))
  writer.publish(state("delivered"))
  await writer.settled()
  expect(await statusOnDisk()).toBe("delivered")
})

test("what changes nothing is not written", async () => {
  const writer = createStateWriter(directory, expect.unreachable)
  writer.publish(state("pending"))
  await writer.settled()
  const before = await stat(join(directory, "ses_1.json"))
  writer.publish({ ...state("pending"), updatedAt: 1 })
  await writer.settled()
  const after = await stat(join(directory, "ses_1.json"))
  expect(after.ino).toBe(before.ino)
})

test("a deleted session's state goes, also while it is being written", async () => {
  const writer = createStateWriter(directory, expect.unreachable)
  writer.publish(state("pending"))
  writer.publish(state("pending", "ses_2"))
  writer.remove("ses_1")
  await writer.settled()
  expect(await readdir(directory)).toEqual(["ses_2.json"])
})

test("what is published of a deleted session, by a call that ends late, writes nothing", async () => {
  const writer = createStateWriter(directory, expect.unreachable)
  writer.publish(state("pending"))
  writer.remove("ses_1")
  writer.publish(state("delivered"))
  await writer.settled()
  writer.publish(state("transient"))
  writer.remove("ses_never")
  writer.publish(state("transient", "ses_never"))
  await writer.settled()
  expect(await readdir(directory)).toEqual([])
})

test("there are never more than 500 states, whatever was there and however many sessions there are; the newest stay", async () => {
  for (let index = 0; index < 600; index += 1) await writeFile(join(directory, `ses_old${index}.json`), "{}")
  const writer = createStateWriter(directory, expect.unreachable)
  let most = 0
  for (let index = 0; index < 700; index += 1) {
    writer.publish(state("pending", `ses_new${index}`))
    await writer.settled()
    most = Math.max(most, (await readdir(directory)).length)
  }
  expect(most).toBe(500)
  const left = new Set(await readdir(directory))
  for (let index = 300; index < 700; index += 1) expect(left.has(`ses_new${index}.json`)).toBe(true)
  writer.publish(state("delivered", "ses_new0"))
  await writer.settled()
  expect((await readState(directory, "ses_new0"))?.rules[0]?.status).toBe("delivered")
}, 60_000)

test("old states go while the plugin runs, looked for once in an hour", async () => {
  const hour = 60 * 60 * 1000
  const writer = createStateWriter(directory, expect.unreachable)
  let count = 0
  const write = async (sessionID: string, updatedAt: number) => {
    writer.publish({ ...state("pending", sessionID), updatedAt, notices: [`${++count}`] })
    await writer.settled()
    return (await readdir(directory)).toSorted()
  }
  await write("ses_1", Date.now())
  const later = Date.now() + 30 * 24 * hour - hour + 1_000
  expect(await write("ses_2", later)).toEqual(["ses_1.json", "ses_2.json"])
  // The first is too old by now.
  expect(await write("ses_2", later + hour - 1)).toEqual(["ses_1.json", "ses_2.json"])
  expect(await write("ses_2", later + hour)).toEqual(["ses_2.json"])
})

test("a folder that takes no files is warned about once, and tried again", async () => {
  const warnings: string[] = []
  const target = join(directory, "states")
  await writeFile(target, "a file in its place")
  const writer = createStateWriter(target, (message) => warnings.push(message))
  writer.publish(state("pending"))
  await writer.settled()
  writer.publish(state("pending"))
  await writer.settled()
  expect(warnings).toEqual([
    expect.stringMatching(/^the sidebar's state can't be written to \S+states \(.*\); rules work without it$/),
  ])
  await rm(target)
  writer.publish(state("pending"))
  await writer.settled()
  expect(await readdir(target)).toEqual(["ses_1.json"])
})
