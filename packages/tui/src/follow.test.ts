import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import type { watch } from "node:fs"
import { mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import {
  loadRulebook,
  type MatchedRuleState,
  type RuleDirectory,
  type RuleStatus,
  removeState,
  ruleDirectories,
  writeState,
} from "@opencode-rulebook/rule-schema"
import { createWaiting } from "../test/waiting.ts"
import { type FollowedSession, type FollowInput, followSession } from "./follow.ts"
import type { RulesView } from "./rows.ts"

let root = ""
let stateDirectory = ""
let views: RulesView[] = []
let followed: FollowedSession | undefined
const { wake, until } = createWaiting()

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "rulebook-follow-")))
  stateDirectory = join(root, "state/opencode/rulebook")
  views = []
})
afterEach(async () => {
  followed?.stop()
  await rm(root, { recursive: true, force: true })
})

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
}

function state(status: RuleStatus, sessionID = "ses_1"): MatchedRuleState {
  return { version: 1, sessionID, directory: root, updatedAt: 1, rules: [{ id: "project:a.md", digest: "d", status }] }
}

function appDirectories(): readonly RuleDirectory[] {
  return ruleDirectories({ env: {}, home: join(root, "home"), directory: join(root, "app"), worktree: undefined })
}

function follow(into = views, more: Partial<FollowInput> = {}): FollowedSession {
  followed = followSession({
    sessionID: "ses_1",
    directories: appDirectories(),
    stateDirectory,
    delayMs: 20,
    onChange(view) {
      into.push(view)
      wake()
    },
    ...more,
  })
  return followed
}

/** Resolves when the newest view is like this: changes come by the file system's own notices. */
async function shows(expected: string): Promise<void> {
  await until(() => shown(views.at(-1)) === expected)
}

/** Rule names and digest-free standing, then the state's status. */
function shown(view: RulesView | undefined): string {
  if (view?.kind !== "ready") return view?.kind ?? "nothing"
  const names = [...view.rulebook.rules, ...view.rulebook.broken].map((rule) => `${rule.scope[0]}:${rule.name}`)
  return `${names.join(" ")} | ${view.state?.rules[0]?.status ?? "no state"}`
}

describe("rule files", () => {
  test("appear in folders that are there, new ones, and rules directories that were missing", async () => {
    await mkdir(join(root, "app"))
    follow()
    await shows(" | no state")
    await put("app/.opencode/rules/a.md", "Text.")
    await shows("p:a | no state")
    await put("app/.opencode/rules/web/css/b.md", "Text.")
    await shows("p:a p:b | no state")
    await put("home/.config/opencode/rules/c.md", "Text.")
    await shows("g:c p:a p:b | no state")
    await put("app/.opencode/rules/web/css/d.md", "Text.")
    await shows("g:c p:a p:b p:d | no state")
  })

  test("change, break, go, and come back with their folder", async () => {
    await put("app/.opencode/rules/a.md", "---\nname: one\n---\nText.")
    await put("app/.opencode/rules/b.md", "Text.")
    follow()
    await shows("p:one p:b | no state")
    await put("app/.opencode/rules/a.md", "---\nname: two\n---\nText.")
    await shows("p:two p:b | no state")
    await put("app/.opencode/rules/b.md", "---\nglobs: [\n---\nText.")
    await shows("p:two p:b | no state")
    await rm(join(root, "app/.opencode/rules/b.md"))
    await shows("p:two | no state")
    await rename(join(root, "app/.opencode/rules"), join(root, "app/.opencode/away"))
    await shows(" | no state")
    await rename(join(root, "app/.opencode/away"), join(root, "app/.opencode/rules"))
    await shows("p:two | no state")
    await rm(join(root, "app/.opencode"), { recursive: true })
    await shows(" | no state")
    await put("app/.opencode/rules/a.md", "---\nname: three\n---\nText.")
    await shows("p:three | no state")
    await put("app/.opencode/rules/a.md", "---\nname: four\n---\nText.")
    await shows("p:four | no state")
  })

  test("are followed where links lead", async () => {
    await put("app/shared/a.md", "---\nname: one\n---\nText.")
    await mkdir(join(root, "app/.opencode/rules"), { recursive: true })
    await symlink(join(root, "app/shared/a.md"), join(root, "app/.opencode/rules/a.md"))
    follow()
    await shows("p:one | no state")
    await put("app/shared/a.md", "---\nname: two\n---\nText.")
    await shows("p:two | no state")
  })
})

describe("the state", () => {
  beforeEach(() => put("app/.opencode/rules/a.md", "Text."))

  test("is followed from before its folder is there to after its removal", async () => {
    follow()
    await shows("p:a | no state")
    for (const status of ["unmatched", "pending", "delivered", "transient"] as const) {
      await writeState(stateDirectory, state(status))
      await shows(`p:a | ${status}`)
    }
    await removeState(stateDirectory, "ses_1")
    await shows("p:a | no state")
  })

  test("is shown again when only the conditions that are met have changed", async () => {
    follow()
    await shows("p:a | no state")
    for (const met of ["file", "keywords"]) {
      await writeState(stateDirectory, { ...state("delivered"), partlyMet: [{ id: "project:b.md", met: [met] }] })
      await until(() => {
        const view = views.at(-1)
        return view?.kind === "ready" && view.state?.partlyMet?.[0]?.met[0] === met
      })
    }
  })

  test("half-written, foreign and of another version is nothing matched yet", async () => {
    await writeState(stateDirectory, state("delivered"))
    follow()
    const whole = JSON.stringify(state("delivered"))
    for (const text of [
      "",
      whole.slice(0, 40),
      "{}",
      "[]",
      whole.replace('"version":1', '"version":7'),
      whole.replace("ses_1", "ses_2"),
    ]) {
      await writeState(stateDirectory, state("delivered"))
      await shows("p:a | delivered")
      await writeFile(join(stateDirectory, "ses_1.json"), text)
      await shows("p:a | no state")
    }
  })

  test("a host's notice is enough where the file system gives none", async () => {
    const session = follow()
    await shows("p:a | no state")
    await writeState(stateDirectory, state("pending"))
    session.refresh()
    await shows("p:a | pending")
  })

  test("of another session changes nothing", async () => {
    follow()
    await shows("p:a | no state")
    const before = views.length
    await writeState(stateDirectory, state("delivered", "ses_2"))
    await writeState(stateDirectory, state("pending"))
    await shows("p:a | pending")
    expect(views).toHaveLength(before + 1)
  })
})

test("a rule file that comes between the reading of the folder and its first watching is found", async () => {
  await put("app/.opencode/rules/a.md", "Text.")
  let isFirst = true
  const readRules: FollowInput["readRules"] = async (directories) => {
    const read = await loadRulebook(directories)
    if (isFirst) await put("app/.opencode/rules/late.md", "Text.")
    isFirst = false
    return read
  }
  follow(views, { readRules })
  await shows("p:a p:late | no state")
})

test("what is read again and is as before is not told again", async () => {
  await put("app/.opencode/rules/a.md", "Text.")
  await writeState(stateDirectory, state("unmatched"))
  let reads = 0
  const directoriesOf = async () => {
    reads += 1
    wake()
    return appDirectories()
  }
  const session = follow(views, { directoriesOf })
  await shows("p:a | unmatched")
  const before = views.length
  for (let more = 0; more < 3; more += 1) {
    const known = reads
    session.refresh()
    await until(() => reads > known)
  }
  await writeState(stateDirectory, state("delivered"))
  await shows("p:a | delivered")
  expect(views).toHaveLength(before + 1)
})

test("nothing is read as long as nothing changes", async () => {
  await put("app/.opencode/rules/a.md", "Text.")
  await writeState(stateDirectory, state("unmatched"))
  const reads = { quiet: 0, busy: 0 }
  const counted = (who: keyof typeof reads): Partial<FollowInput> => ({
    async directoriesOf() {
      reads[who] += 1
      wake()
      return appDirectories()
    },
    async problemsOf() {
      reads[who] += 1
      wake()
      return []
    },
  })
  const quiet = follow([], counted("quiet"))
  const busy = follow([], counted("busy"))
  // Rules and state, and both once more: they may have changed before their folders were watched.
  await until(() => reads.quiet >= 4 && reads.busy >= 4)
  for (const count of [5, 6, 7]) {
    busy.refresh()
    await until(() => reads.busy >= count)
  }
  expect(reads).toEqual({ quiet: 4, busy: 7 })
  quiet.stop()
})

test("what fails while it is read is told as a failure, and what follows is shown", async () => {
  await put("app/.opencode/rules/a.md", "Text.")
  let fails = true
  const problemsOf = async () => {
    if (fails) throw new Error("EIO\u0007")
    return []
  }
  follow(views, { problemsOf })
  await shows("failed")
  expect(views[0]).toEqual({ kind: "failed", message: "Error: EIO\\u0007" })
  for (const text of ["One.", "Two."]) {
    fails = false
    await put("app/.opencode/rules/b.md", text)
    await shows("p:a p:b | no state")
    fails = true
    await put("app/.opencode/rules/a.md", "Text.")
    await shows("failed")
  }
  fails = false
  await put("app/.opencode/rules/a.md", "Text.")
  await shows("p:a p:b | no state")
})

test("why changes may go unseen is told once, with what there is to show", async () => {
  await put("app/.opencode/rules/a.md", "Text.")
  let failures = 0
  const watchFolder = (() => {
    failures += 1
    throw new Error(`ENOSPC\u0007: failure ${failures}`)
  }) as unknown as typeof watch
  const session = follow(views, { watchFolder })
  await shows("p:a | no state")
  await writeState(stateDirectory, state("delivered"))
  session.refresh()
  await shows("p:a | delivered")
  const told = views.map((view) => (view.kind === "ready" ? view.trouble : view.kind))
  expect(told).toEqual(views.map(() => "Changes on disk may go unseen: ENOSPC\\u0007: failure 1"))
})

test("a state of other folders is shown with their rules only", async () => {
  await put("app/.opencode/rules/a.md", "Text.")
  await put("other/.opencode/rules/b.md", "Text.")
  await writeState(stateDirectory, state("unmatched"))
  const others = ruleDirectories({ env: {}, home: root, directory: join(root, "other"), worktree: undefined })
  const directoriesOf = async (read: MatchedRuleState) => (read.notices === undefined ? appDirectories() : others)
  follow(views, { directoriesOf })
  await shows("p:a | unmatched")
  await writeState(stateDirectory, { ...state("delivered"), notices: ["moved"] })
  await shows("p:b | delivered")
  expect(views.map(shown)).not.toContain("p:a | delivered")
})

test("the end leaves no watcher behind", async () => {
  await put("app/.opencode/rules/web/a.md", "Text.")
  await writeState(stateDirectory, state("unmatched"))
  const before = await inotifyWatches()
  const session = follow()
  await shows("p:a | unmatched")
  // More than one folder: rules, state, and the places at which they appear.
  expect((await inotifyWatches()) - before).toBeGreaterThan(process.platform === "linux" ? 4 : -1)
  session.stop()
  while ((await inotifyWatches()) > before) await new Promise(setImmediate)
})

/** How many files and folders this process watches, as Linux counts them; elsewhere none. */
async function inotifyWatches(): Promise<number> {
  if (process.platform !== "linux") return 0
  let watches = 0
  for (const fd of await readdir("/proc/self/fdinfo")) {
    const info = await readFile(`/proc/self/fdinfo/${fd}`, "utf8").catch(() => "")
    watches += info.split("\n").filter((line) => line.startsWith("inotify ")).length
  }
  return watches
}

test("a problem that belongs to no rule is told when it comes and when it goes", async () => {
  await put("app/.opencode/rules/a.md", "Text.")
  follow()
  await shows("p:a | no state")
  const problems = (what: "code" | "file" = "code") => {
    const view = views.at(-1)
    return view?.kind === "ready" ? view.rulebook.problems.map((problem) => problem[what]).join() : ""
  }
  await symlink(join(root, "nowhere.md"), join(root, "app/.opencode/rules/gone.md"))
  await until(() => problems() === "unreadable")
  await rename(join(root, "app/.opencode/rules/gone.md"), join(root, "app/.opencode/rules/lost.md"))
  await until(() => problems("file").endsWith("/lost.md"))
  await rm(join(root, "app/.opencode/rules/lost.md"))
  await until(() => problems() === "")
})

test("a folder that was replaced by another of its name within one burst is followed", async () => {
  await put("app/.opencode/rules/web/a.md", "---\nname: one\n---\nText.")
  await put("app/next/a.md", "---\nname: two\n---\nText.")
  follow()
  await shows("p:one | no state")
  await rename(join(root, "app/.opencode/rules/web"), join(root, "app/before"))
  await rename(join(root, "app/next"), join(root, "app/.opencode/rules/web"))
  await shows("p:two | no state")
  await put("app/.opencode/rules/web/a.md", "---\nname: three\n---\nText.")
  await shows("p:three | no state")
})

test.each([
  ["rules", "done"],
  ["rules", "failed"],
  ["state", "done"],
  ["state", "failed"],
] as const)("the end in the middle of a reading: %s, %s after it, are not told", async (part, outcome) => {
  await put("app/.opencode/rules/a.md", "Text.")
  await writeState(stateDirectory, state("unmatched"))
  const reached = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  let holds: typeof part | undefined
  async function reading(what: typeof part): Promise<void> {
    if (holds !== what) return
    reached.resolve()
    await held.promise
  }
  const told = views
  const session = follow(told, {
    problemsOf: () => reading("rules").then(() => []),
    directoriesOf: () => reading("state").then(appDirectories),
  })
  await shows("p:a | unmatched")
  holds = part
  if (part === "rules") await put("app/.opencode/rules/b.md", "Text.")
  else await writeState(stateDirectory, state("delivered"))
  await reached.promise
  session.stop()
  const before = told.length
  if (outcome === "done") held.resolve()
  else held.reject(new Error("EIO"))
  // Another follower reads all of it: the first one would have told by then.
  views = []
  follow(views)
  await shows(part === "rules" ? "p:a p:b | unmatched" : "p:a | delivered")
  expect(told).toHaveLength(before)
})

test("nothing is told after the end", async () => {
  await put("app/.opencode/rules/a.md", "Text.")
  await writeState(stateDirectory, state("unmatched"))
  const ended = follow()
  await shows("p:a | unmatched")
  const told = views
  const before = told.length
  ended.refresh()
  ended.stop()
  await writeState(stateDirectory, state("delivered"))
  await put("app/.opencode/rules/b.md", "Text.")
  ended.refresh()
  // Another follower has seen the changes: the first one would have, too.
  views = []
  follow(views)
  await shows("p:a p:b | delivered")
  await put("app/.opencode/rules/c.md", "Text.")
  await shows("p:a p:b p:c | delivered")
  expect(told).toHaveLength(before)
})
