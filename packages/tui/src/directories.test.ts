import { expect, test } from "bun:test"
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { type MatchedRuleState, writeState } from "@opencode-rulebook/rule-schema"
import { sessionPlaces } from "./directories.ts"
import { followSession } from "./follow.ts"
import { type RulesView, sectionRows } from "./rows.ts"

const FILES = {
  ".opencode/rules/own.md": "Text.",
  ".opencode/rules/release.md": "---\ndescription: How we release\nalwaysApply: false\n---\nText.",
  ".opencode/rules/nobody.md": "---\nalwaysApply: false\n---\nText.",
  ".cursor/rules/rust.mdc": "---\nglobs: '*.rs'\n---\nText.",
  ".claude/rules/other.md": "Text.",
  "packages/api/.opencode/rules/api.md": "Text.",
  "packages/web/.opencode/rules/web.md": "Text.",
  "node_modules/@acme/rules/package.json": '{"version":"1.2.0","opencode-rulebook":{"rules":"rules"}}',
  "node_modules/@acme/rules/rules/css.md": "---\nglobs: '*.css'\n---\nText.",
}

/** The rows of the section as soon as they are these. */
async function showsRows(
  state: Pick<MatchedRuleState, "rules" | "rulesOf" | "packs" | "nested"> | undefined,
  options: Readonly<Record<string, unknown>>,
  expected: readonly string[],
  toggled: readonly string[] = [],
): Promise<void> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "rulebook-places-")))
  const directory = join(root, "app")
  for (const [name, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(directory, name)), { recursive: true })
    await writeFile(join(directory, name), text)
  }
  const stateDirectory = join(root, "state")
  if (state) await writeState(stateDirectory, { version: 2, sessionID: "ses_1", directory, updatedAt: 1, ...state })
  const { promise, resolve } = Promise.withResolvers<void>()
  const seen: string[][] = []
  const place = { env: {}, home: join(root, "home"), directory, worktree: undefined }
  const followed = followSession({
    ...sessionPlaces(place, options),
    sessionID: "ses_1",
    stateDirectory,
    delayMs: 20,
    onChange(view: RulesView) {
      const rows = sectionRows(view, new Set(toggled), 100)
      seen.push(rows.map(({ indent, spans }) => " ".repeat(indent) + spans.map(({ text }) => text).join("")))
      if (expected.every((row) => seen.at(-1)?.includes(row))) resolve()
    },
  })
  await promise
  followed.stop()
  // No view on the way shows what the session has as removed.
  expect(seen.flat().filter((row) => row.includes("removed"))).toEqual([])
  await rm(root, { recursive: true })
}

const MATCHED = [
  { id: "project:.cursor/rules/rust.mdc", digest: "d", status: "delivered" as const },
  { id: "project:packages/api/api.md", digest: "d", status: "delivered" as const },
]

test("rules of other tools, packs and nested folders are shown as the session's state tells of them, with their source", async () => {
  await showsRows({ rules: MATCHED, rulesOf: ["cursor"], packs: ["@acme/rules"], nested: ["packages/api"] }, {}, [
    "▼ Rules 2 of 6 matched",
    "✓ rust edited  Cursor: *.rs",
    "✓ api edited  always",
    "@acme/rules 1.2.0",
  ])
})

test("a state that names nothing more leaves the places as they are", async () => {
  const place = { env: {}, home: "/home/dev", directory: "/home/dev/app", worktree: undefined }
  const places = sessionPlaces(place, {})
  const state: MatchedRuleState = { version: 2, sessionID: "s", directory: place.directory, updatedAt: 1, rules: [] }
  expect(await places.directoriesOf?.(state)).toEqual([...places.directories])
})

test("before there is a state, the host's configuration tells of other tools", async () => {
  await showsRows(undefined, { rulesOf: ["claude"] }, ["▼ Rules 0 of 4 matched", "• other  Claude Code: always"])
})

test("rules on request say so, and that one without a description is never heard of", async () => {
  await showsRows(
    { rules: [] },
    {},
    [
      "  on request: an index in the conversation names it",
      "  on request, without a description: the model never sees it",
    ],
    ["rule:project:release.md", "rule:project:nobody.md"],
  )
})

test("an unfolded rule names its source", async () => {
  const toggled = ["rule:project:.cursor/rules/rust.mdc"]
  await showsRows({ rules: MATCHED.slice(0, 1), rulesOf: ["cursor"] }, {}, ["  source: Cursor"], toggled)
})
