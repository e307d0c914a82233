import { afterEach, beforeEach, expect, test } from "bun:test"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { appendReceipts, type RuleId, writeState } from "@opencode-rulebook/rule-schema"
import { removeSessionFiles } from "./session-files.ts"

let directory = ""
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "session-files-"))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

test("a session's state and its receipts go, those of another stay, and nothing has to be there", async () => {
  for (const sessionID of ["ses_1", "ses_2"]) {
    await writeState(directory, { version: 1, sessionID, directory: "/w", updatedAt: 1, rules: [] })
    const receipt = { v: 1, at: 1, request: 0, kind: "found", rules: ["project:a.md" as RuleId] } as const
    await appendReceipts(directory, sessionID, [receipt])
  }
  for (const _ of [1, 2]) {
    await removeSessionFiles(directory, "ses_1")
    expect((await readdir(directory, { recursive: true })).toSorted()).toEqual([
      "receipts",
      join("receipts", "ses_2.jsonl"),
      "ses_2.json",
    ])
  }
})
