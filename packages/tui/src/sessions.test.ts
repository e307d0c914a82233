import { expect, test } from "bun:test"
import { mkdir } from "node:fs/promises"
import { type RuleDirectory, ruleDirectories } from "@opencode-rulebook/rule-schema"
import { testProject } from "../test/project.ts"
import { createWaiting } from "../test/waiting.ts"
import type { RulesView } from "./rows.ts"
import type { ReadRules } from "./rule-reader.ts"
import { createFollowedSessions } from "./sessions.ts"

const { path, put, publish } = testProject()

/** The rules directories of a folder in no repository, of a user without rules. */
function directoriesOf(directory: string): readonly RuleDirectory[] {
  return ruleDirectories({ env: {}, home: directory, directory, worktree: undefined })
}

test("the folder's rules are read before any session is on the screen; a host that can't say where they are is no failure", () => {
  const directories = directoriesOf("/home/dev/app")
  const asked: unknown[] = []
  const readRules: ReadRules = async (read) => {
    asked.push(read)
    return { rules: [], broken: [], problems: [], folders: [] }
  }
  createFollowedSessions({ places: () => ({ directories }) }, readRules)
  expect(asked).toEqual([directories])
  const places = () => {
    throw new Error("not yet")
  }
  createFollowedSessions({ places }, readRules)
  expect(asked).toHaveLength(1)
})

test("a session that goes on without an answer says nothing of the server part", async () => {
  await mkdir(path("empty"))
  const sessions = createFollowedSessions({ places: () => ({ directories: directoriesOf(path("empty")) }) })
  let wake: (view: RulesView) => void = () => undefined
  const shows = (fits: (view: RulesView) => boolean) =>
    new Promise<RulesView>((resolve) => {
      wake = (view) => fits(view) && resolve(view)
    })
  const first = shows(({ kind }) => kind === "ready")
  // No session has this id: it has no state.
  const id = "ses_that_never_was"
  const stop = sessions.follow(id, (view) => wake(view))
  expect(await first).toMatchObject({ isUnserved: false })

  sessions.wentOn(id, false)
  sessions.wentOn("ses_other", true)
  const changed = shows((view) => view.kind === "ready" && view.rulebook.rules.length === 1)
  await put("empty/.opencode/rules/a.md", "Text.")
  expect(await changed).toMatchObject({ isUnserved: false })
  stop()
  sessions.stop()
})

test("a session that goes on is read again, and no other", async () => {
  const directories = directoriesOf(path("app"))
  const reads: Record<string, number> = {}
  const { wake, until } = createWaiting()
  const ids = ["ses_a", "ses_b"]
  for (const id of ids) await publish(id, "unmatched")
  const sessions = createFollowedSessions({
    places: (id) => ({
      directories,
      async directoriesOf() {
        reads[id] = (reads[id] ?? 0) + 1
        wake()
        return directories
      },
    }),
  })
  for (const id of ids) sessions.follow(id, () => undefined)
  // Each twice: what changed before it was watched is looked for once more.
  await until(() => ids.every((id) => reads[id] === 2))
  for (const count of [3, 4]) {
    sessions.wentOn("ses_a", true)
    await until(() => reads["ses_a"] === count)
  }
  expect(reads).toEqual({ ses_a: 4, ses_b: 2 })
  sessions.stop()
})

test("the end of one, or of all that are followed: nothing is told afterwards", async () => {
  const directories = directoriesOf(path("empty"))
  await mkdir(path("empty"))
  const [ended, other] = [1, 2].map(() => createFollowedSessions({ places: () => ({ directories }) }))
  const told: [name: string, rules: number][] = []
  const { wake, until } = createWaiting()
  const tell = (name: string) => (view: RulesView) => {
    if (view.kind === "ready") told.push([name, view.rulebook.rules.length])
    wake()
  }
  const has = (name: string, count: number) => told.some(([one, rules]) => one === name && rules === count)
  ended?.follow("ses_a", tell("a"))
  const endOfB = other?.follow("ses_b", tell("b"))
  other?.follow("ses_c", tell("c"))
  await until(() => ["a", "b", "c"].every((name) => has(name, 0)))
  ended?.stop()
  endOfB?.()
  for (const count of [1, 2]) {
    await put(`empty/.opencode/rules/${count}.md`, "Text.")
    await until(() => has("c", count))
  }
  expect(told.filter(([name, count]) => name !== "c" && count > 0)).toEqual([])
  other?.stop()
})
