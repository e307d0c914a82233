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
  writer.publish(state("pending"))
  await writer.settled()
  expect(await statusOnDisk()).toBe("pending")
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
  expect(warnings).toHaveLength(1)
  await rm(target)
  writer.publish(state("pending"))
  await writer.settled()
  expect(await readdir(target)).toEqual(["ses_1.json"])
})
