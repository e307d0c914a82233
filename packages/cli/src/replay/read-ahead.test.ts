import { expect, test } from "bun:test"
import type { StoredSession } from "@opencode-rulebook/server/dry-run"
import { UsageError } from "../usage-error.ts"
import type { SessionEntry } from "./entry.ts"
import { readAhead } from "./read-ahead.ts"
import { newest } from "./source.ts"

const EMPTY: Omit<StoredSession, "id"> = {
  ...{ host: "OpenCode 1", parentID: undefined, title: "", directory: "/app", created: 1, updated: 1 },
  ...{ events: [], delivered: [], subagents: [], keeps: { kind: "part" }, unread: 0, isRedacted: false },
}

/** Sessions by their ids, each with the subagents that it started; what is asked of them is noted. */
function sessions(all: Readonly<Record<string, StoredSession["subagents"] | Error | string>>) {
  const asked: string[] = []
  let [open, most] = [0, 0]
  const entryOf = (id: string): SessionEntry => ({
    ...{ id, updated: undefined },
    async read(command) {
      asked.push(command === undefined ? id : `${id} by /${command}`)
      open += 1
      most = Math.max(most, open)
      await Promise.resolve()
      open -= 1
      const subagents = all[id]
      if (typeof subagents === "string" || subagents instanceof Error) throw subagents
      return { ...EMPTY, id, subagents: subagents ?? [] }
    },
  })
  return { entryOf, asked, most: () => most }
}

/** What is read, in order: ids or errors, with how many were left. */
async function read(...given: Parameters<typeof readAhead>): Promise<readonly string[]> {
  const results: string[] = []
  for await (const one of readAhead(...given)) {
    const what = one.kind === "read" ? one.session.id : `${one.error.message} ${one.error instanceof UsageError}`
    results.push(`${what} ${one.left}`)
  }
  return results
}

const agent = (id: string, command?: string) => ({ id, command })

test("each session has those of its subagents behind it, as soon as they can be read", async () => {
  const { entryOf, asked, most } = sessions({
    ses_a: [agent("ses_a1", "review"), agent("ses_b"), agent("ses_a2"), agent("../secret")],
    ses_a1: [agent("ses_a"), agent("ses_a1x")],
    ses_d: [agent("ses_a1")],
  })
  const entries = ["ses_a", "ses_b", "ses_c", "ses_d", "ses_e"].map(entryOf)
  const commands = new Map([["ses_c", "ship"]])
  expect(await read(entries, { commands, subagent: entryOf })).toEqual([
    ...["ses_a 7", "ses_b 6", "ses_c 5", "ses_a1 5", "ses_a2 4", "ses_d 3", "ses_a1x 2", "ses_e 1"],
  ])
  expect(asked).toEqual([
    ...["ses_a", "ses_b", "ses_c by /ship", "ses_a1 by /review", "ses_a2", "ses_d", "ses_a1x", "ses_e"],
  ])
  expect(most()).toBe(3)
})

test("without a way to subagents, only the entries are read", async () => {
  const { entryOf } = sessions({ ses_a: [agent("ses_a1")] })
  expect(await read([entryOf("ses_a")], { commands: new Map() })).toEqual(["ses_a 1"])
})

test("one that can't be read is an error in its place, and the others are read", async () => {
  const { entryOf } = sessions({ ses_a: new UsageError("torn"), ses_b: new Error("gone"), ses_c: "odd" })
  const entries = ["ses_a", "ses_b", "ses_c", "ses_d"].map(entryOf)
  expect(await read(entries, { commands: new Map() })).toEqual([
    ...["torn true 4", "gone true 3", "odd true 2", "ses_d 1"],
  ])
})

test("wanted are the newest ones since a time; one whose time is not known may be the newest", () => {
  const { entryOf } = sessions({})
  const times = [
    ["ses_1", 10],
    ["ses_2", 30],
    ["ses_3", undefined],
    ["ses_4", 20],
    ["ses_5", 30],
    ["ses_6", undefined],
  ] as const
  const entries = times.map(([id, updated]) => ({ ...entryOf(id), updated }))
  const ids = (since: number, limit: number) => newest(entries, { since, limit }).map(({ id }) => id)
  expect(ids(0, Number.POSITIVE_INFINITY)).toEqual(["ses_3", "ses_6", "ses_2", "ses_5", "ses_4", "ses_1"])
  expect(ids(20, 9)).toEqual(["ses_3", "ses_6", "ses_2", "ses_5", "ses_4"])
  expect(ids(21, 3)).toEqual(["ses_3", "ses_6", "ses_2"])
})
