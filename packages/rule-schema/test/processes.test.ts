import { expect, test } from "bun:test"
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readState } from "../src/index.ts"
import { parseState } from "../src/state/format.ts"

test("two processes that write the same states leave no reader half a file, and nothing behind", async () => {
  const directory = await mkdtemp(join(tmpdir(), "rulebook-processes-"))
  try {
    const script = join(import.meta.dir, "state-writer.ts")
    const writers = [1, 2].map(() => Bun.spawn([process.execPath, script, directory, "150"], { stderr: "inherit" }))
    const ended = Promise.all(writers.map(({ exited }) => exited))
    const authors = new Set<string | undefined>()
    let isOver = false
    void ended.then(() => {
      isOver = true
    })
    while (!isOver) {
      for (const sessionID of ["ses_one", "ses_two"]) {
        const text = await readFile(join(directory, `${sessionID}.json`), "utf8").catch(() => undefined)
        if (text === undefined) continue
        const state = parseState(text)
        expect(state?.sessionID).toBe(sessionID)
        expect(state?.rules).toHaveLength(200)
        expect(new Set(state?.rules.map(({ digest }) => digest)).size).toBe(1)
        authors.add(state?.rules[0]?.digest)
      }
      await Bun.sleep(0)
    }
    expect(await ended).toEqual([0, 0])
    expect((await readdir(directory)).toSorted()).toEqual(["ses_one.json", "ses_two.json"])
    expect((await readState(directory, "ses_one"))?.updatedAt).toBe(150)
    expect(authors.size).toBeGreaterThan(0)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}, 60_000)
