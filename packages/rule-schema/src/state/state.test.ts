import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { createHash } from "node:crypto"
import { mkdir, mkdtemp, open, readdir, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { runs } from "../../test/runs.ts"
import {
  createSnapshotReader,
  type MatchedRuleState,
  makeRoomForState,
  pruneStates,
  type RuleId,
  readState,
  removeState,
  snapshotOf,
  stateDirectory,
  writeState,
} from "../index.ts"
import { parseState, stateFileName } from "./format.ts"

let directory = ""
beforeEach(async () => {
  directory = join(await mkdtemp(join(tmpdir(), "rulebook-state-")), "nested")
})
afterEach(async () => {
  await rm(join(directory, ".."), { recursive: true, force: true })
})

const state = (sessionID: string): MatchedRuleState => ({
  version: 1,
  sessionID,
  directory: "/w",
  updatedAt: 5,
  rules: [{ id: "project:a.md", digest: "d", status: "pending" }],
})

describe("state files", () => {
  test("round trip, private, nothing left behind", async () => {
    await writeState(directory, state("ses_1"))
    await writeState(directory, { ...state("ses_1"), updatedAt: 6 })
    expect(await readState(directory, "ses_1")).toEqual({ ...state("ses_1"), updatedAt: 6 })
    expect(await readdir(directory)).toEqual(["ses_1.json"])
    // Windows has no such modes: who may read a file there is told by its folder.
    if (process.platform === "win32") return
    expect((await stat(directory)).mode & 0o777).toBe(0o700)
    expect((await stat(join(directory, "ses_1.json"))).mode & 0o777).toBe(0o600)
  })

  test("room is made for a state that is new, and not for one that is there already", async () => {
    const keep = { maxAgeMs: 1_000_000, maxFiles: 3, now: Date.now() }
    for (const id of ["ses_1", "ses_2", "ses_3"]) await writeState(directory, state(id))
    await makeRoomForState(directory, "ses_2", keep)
    expect(await readdir(directory)).toHaveLength(3)
    await makeRoomForState(directory, "ses_4", keep)
    expect(await readdir(directory)).toHaveLength(2)
  })

  test("a reader that has begun on the old one ends on it: a state is put in the place of the other whole", async () => {
    await writeState(directory, state("ses_1"))
    const reader = await open(join(directory, stateFileName("ses_1")))
    try {
      await writeState(directory, { ...state("ses_1"), updatedAt: 6 })
      expect(parseState(await reader.readFile("utf8"))).toEqual(state("ses_1"))
    } finally {
      await reader.close()
    }
    expect(await readState(directory, "ses_1")).toEqual({ ...state("ses_1"), updatedAt: 6 })
  })

  test("any session id is a file in the directory", async () => {
    for (const id of ["../../x", "a/b", "", ".", "CON", "x".repeat(500), "é\u0000\n"]) {
      await writeState(directory, state(id))
      expect(await readState(directory, id)).toEqual(state(id))
    }
    const name = fc.string({ unit: "binary", maxLength: 200 })
    fc.assert(fc.property(name, (id) => /^[A-Za-z0-9][\w-]{0,100}\.json$/.test(stateFileName(id))))
    for (const device of ["COM1", "lpt9"]) expect(stateFileName(device)).toStartWith("x-")
    expect(stateFileName("a/b")).not.toBe(stateFileName("a:b"))
  })

  test("a session's file has its id for a name where that is safe on every system, else a digest of it", () => {
    const digest = (id: string) => createHash("sha256").update(id).digest("hex").slice(0, 16)
    for (const id of ["ses_1", "abcd", "A-_9", "1ses", "com10", "x".repeat(100)])
      expect(stateFileName(id)).toBe(`${id}.json`)
    for (const [id, readable] of [
      ["abc", "abc"],
      ["com1", "com1"],
      ["LPT9", "LPT9"],
      ["-abcd", "-abcd"],
      ["_abcd", "_abcd"],
      ["a b//c", "a-b-c"],
      ["ses_1\n", "ses_1-"],
      ["é", "-"],
      ["x".repeat(101), "x".repeat(40)],
      ["", ""],
    ] as const) {
      expect(stateFileName(id)).toBe(`x-${readable}-${digest(id)}.json`)
    }
  })

  test("whatever is in a state comes back, and any other text is no state or one of the same form", async () => {
    const text = fc.string({ unit: "binary", maxLength: 20 })
    const status = fc.constantFrom("unmatched", "pending", "delivered", "transient")
    const rules = fc.array(fc.record({ id: text, digest: text, status }), { maxLength: 5 })
    const any = fc.record({
      version: fc.constant(1 as const),
      sessionID: text,
      directory: text,
      updatedAt: fc.nat(),
      rules,
    })
    await fc.assert(
      fc.asyncProperty(any, fc.jsonValue(), async (one, value) => {
        // JSON has no lone surrogates; UTF-8 neither.
        const written = JSON.parse(JSON.stringify(one).toWellFormed()) as MatchedRuleState
        await writeState(directory, written)
        expect(await readState(directory, written.sessionID)).toEqual(written)
        const other = parseState(JSON.stringify(value))
        if (other !== undefined) expect(value).toMatchObject({ version: 1 })
        expect(parseState(JSON.stringify(written).slice(1))).toBeUndefined()
      }),
      { numRuns: runs(50) },
    )
  })

  test("missing, torn, foreign and of another version are no state", async () => {
    expect(await readState(directory, "ses_1")).toBeUndefined()
    await writeState(directory, state("ses_1"))
    const file = join(directory, "ses_1.json")
    const text = await readFile(file, "utf8")
    for (let length = 0; length < text.length - 2; length += 1)
      expect(parseState(text.slice(0, length))).toBeUndefined()
    for (const value of [
      {},
      [],
      null,
      3,
      { ...state("ses_1"), version: 3 },
      { ...state("ses_1"), snapshot: 1 },
      { ...state("ses_1"), rules: [{ id: 1 }] },
    ]) {
      await writeFile(file, JSON.stringify(value))
      expect(await readState(directory, "ses_1")).toBeUndefined()
    }
    await writeFile(file, JSON.stringify(state("ses_2")))
    expect(await readState(directory, "ses_1")).toBeUndefined()
    await rm(file)
    await writeFile(join(directory, "elsewhere"), JSON.stringify(state("ses_1")))
    await symlink("elsewhere", file)
    expect(await readState(directory, "ses_1")).toBeUndefined()
  })

  test("removal takes one session's, and what is not there is removed already", async () => {
    await writeState(directory, state("ses_1"))
    await writeState(directory, state("a/b"))
    await removeState(directory, "a/b")
    await removeState(directory, "a/b")
    expect(await readdir(directory)).toEqual(["ses_1.json"])
  })

  test("writers at the same time leave one whole state", async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, updatedAt) => writeState(directory, { ...state("ses_1"), updatedAt })),
    )
    expect((await readState(directory, "ses_1"))?.sessionID).toBe("ses_1")
    expect(await readdir(directory)).toEqual(["ses_1.json"])
  })

  test("a directory that can't be made is a rejection", async () => {
    await writeState(directory, state("ses_1"))
    await expect(writeState(join(directory, "ses_1.json"), state("ses_1"))).rejects.toThrow()
  })

  test("a state whose place is taken by a folder is a rejection, and nothing is left behind", async () => {
    await mkdir(join(directory, "ses_1.json", "x"), { recursive: true })
    await expect(writeState(directory, state("ses_1"))).rejects.toThrow()
    expect(await readdir(directory)).toEqual(["ses_1.json"])
    expect(await readState(directory, "ses_1")).toBeUndefined()
    await expect(removeState(directory, "ses_1")).rejects.toThrow()
  })

  test("pruning takes the old and the surplus, and nothing that is not ours", async () => {
    const now = 1_800_000_000_000
    const put = async (name: string, ageMs: number) => {
      await writeFile(join(directory, name), "{}")
      await utimes(join(directory, name), (now - ageMs) / 1000, (now - ageMs) / 1000)
    }
    await writeState(directory, state("ses_new0"))
    await put("ses_new0.json", 0)
    await put("ses_new1.json", 1000)
    await put("ses_new2.json", 2000)
    await put("ses_old.json", 100_000)
    await put("notes.txt", 100_000_000)
    await put(".ses_a.json.0a-b.tmp", 100_000_000)
    await put(".ses_b.json.0a-b.tmp", 3_600_000)
    await put(".ses_c.json.0a-b.tmp", 3_601_000)
    for (const name of [
      "ses_x.json.bak",
      ".ses_x.json",
      "-ses.json",
      "ses x.json",
      ".ses_x.json.G.tmp",
      ".ses_x.json.0a.tmp.bak",
    ]) {
      await put(name, 100_000_000)
    }
    await mkdir(join(directory, "ses_folder.json"))
    await pruneStates(directory, { maxAgeMs: 50_000, maxFiles: 2, now })
    const left = (await readdir(directory)).toSorted()
    expect(left).toEqual([
      "-ses.json",
      ".ses_b.json.0a-b.tmp",
      ".ses_x.json",
      ".ses_x.json.0a.tmp.bak",
      ".ses_x.json.G.tmp",
      "notes.txt",
      "ses x.json",
      "ses_folder.json",
      "ses_new0.json",
      "ses_new1.json",
      "ses_x.json.bak",
    ])
    await pruneStates(join(directory, "none"), { maxAgeMs: 1, maxFiles: 1, now })
  })
})

test("a file stays as long as its age, and what all take together, are no more than what is kept", async () => {
  const now = 1_800_000_000_000
  await writeState(directory, state("ses_0000"))
  for (const [index, size] of [10, 20, 30, 40].entries()) {
    const path = join(directory, `ses_000${index}.json`)
    await writeFile(path, "x".repeat(size))
    await utimes(path, (now - index * 1000) / 1000, (now - index * 1000) / 1000)
  }
  const left = async (keep: { maxAgeMs: number; maxFiles: number; maxBytes?: number }) => {
    await pruneStates(directory, { ...keep, now })
    return (await readdir(directory)).length
  }
  expect(await left({ maxAgeMs: 3000, maxFiles: 4, maxBytes: 100 })).toBe(4)
  expect(await left({ maxAgeMs: 2999, maxFiles: 4 })).toBe(3)
  expect(await left({ maxAgeMs: 3000, maxFiles: 3, maxBytes: 59 })).toBe(2)
  expect(await left({ maxAgeMs: 3000, maxFiles: 1 })).toBe(1)
  expect(await readdir(directory)).toEqual(["ses_0000.json"])
})

test("room is made for a tenth of the files at once", async () => {
  for (let index = 0; index < 20; index += 1) await writeState(directory, state(`ses_${index}`))
  for (const name of ["notes.txt", ".ses_a.json.0a-b.tmp"]) await writeFile(join(directory, name), "")
  const keep = { maxAgeMs: 1_000_000, now: Date.now() }
  await makeRoomForState(directory, "ses_new", { ...keep, maxFiles: 21 })
  expect(await readdir(directory)).toHaveLength(22)
  await makeRoomForState(directory, "ses_new", { ...keep, maxFiles: 20 })
  expect(await readdir(directory)).toHaveLength(20)
  await makeRoomForState(join(directory, "none"), "ses_new", { ...keep, maxFiles: 0 })
})

test("a snapshot tells the rules that it has from edited and new ones, by what is matched and by its marks", () => {
  const rules = Array.from({ length: 2000 }, (_, index) => ({
    id: `project:r${index}.md` as RuleId,
    digest: `d${index}`,
  }))
  const [first, second, third] = rules
  if (!first || !second || !third) throw new Error("no rules")
  const matched = [
    { ...first, status: "pending" },
    { ...second, digest: "before", status: "delivered" },
  ] as const
  const snapshot = snapshotOf(rules)
  const verdict = createSnapshotReader({ ...state("ses_1"), version: 2, snapshot, rules: matched })
  expect(rules.map(verdict)).toEqual(rules.map((rule) => (rule === second ? "edited" : "same")))
  expect(verdict({ ...third, digest: "edited" })).toBe("unknown")
  expect(verdict({ ...third, id: "project:new.md" as RuleId })).toBe("unknown")
  expect(snapshot).toHaveLength(8000)
})

test("a state of version 1, which has its unmatched rules, says the same of them", () => {
  const old = parseState(
    JSON.stringify({ ...state("ses_1"), rules: [{ id: "project:a.md", digest: "d", status: "unmatched" }] }),
  )
  if (!old) throw new Error("no state")
  const verdict = createSnapshotReader(old)
  expect(verdict({ id: "project:a.md" as RuleId, digest: "d" })).toBe("same")
  expect(verdict({ id: "project:a.md" as RuleId, digest: "e" })).toBe("edited")
  expect(verdict({ id: "project:b.md" as RuleId, digest: "d" })).toBe("unknown")
})

test("stateDirectory", () => {
  expect(stateDirectory({}, "/home/dev", "linux")).toBe("/home/dev/.local/state/opencode/rulebook")
  expect(stateDirectory({ XDG_STATE_HOME: "/s" }, "/home/dev", "darwin")).toBe("/s/opencode/rulebook")
  expect(stateDirectory({ XDG_STATE_HOME: "s" }, "/home/dev", "linux")).toBe("/home/dev/.local/state/opencode/rulebook")
  expect(stateDirectory({}, "/Users/dev", "darwin")).toBe("/Users/dev/Library/Application Support/opencode/rulebook")
  expect(stateDirectory({ LOCALAPPDATA: "C:\\l" }, "C:\\u", "win32")).toBe("C:\\l\\opencode\\rulebook")
  expect(stateDirectory({ LOCALAPPDATA: "l" }, "C:\\u", "win32")).toBe("C:\\u\\AppData\\Local\\opencode\\rulebook")
  expect(stateDirectory({ LOCALAPPDATA: "C:\\l" }, "/home/dev", "linux")).toBe(
    "/home/dev/.local/state/opencode/rulebook",
  )
  expect(stateDirectory({ XDG_STATE_HOME: "D:\\s" }, "C:\\u", "win32")).toBe("D:\\s\\opencode\\rulebook")
  expect(stateDirectory({}, "C:\\u", "win32")).toBe("C:\\u\\AppData\\Local\\opencode\\rulebook")
})
