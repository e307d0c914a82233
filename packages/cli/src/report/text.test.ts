import { expect, test } from "bun:test"
import { figures, ruleFigures } from "../../test/support/figures.ts"
import { ruleId } from "../../test/support/receipts.ts"
import type { Paint } from "../io.ts"
import type { Figures } from "./figures.ts"
import type { Findings } from "./findings.ts"
import { reportJson } from "./json.ts"
import { formatReport, notesOf, percent } from "./text.ts"

const NONE: Findings = {
  ...{ onDisk: new Set(), dead: [], always: [], together: [], expensive: [], broken: [], withoutRule: [] },
}
const DEAR = ruleFigures("dear.md", {
  ...{ name: "Dear\u001b[2J", tokens: 1200, carried: 3400, cost: 4_080_000, matched: 9, moments: "1:1" },
  ...{ forbidden: 1, followed: 3, stopped: { blocked: 7, held: 8, refused: 2 } },
})
const NEW = ruleFigures("new.md", { lifetime: "transient", activation: "hooks" })
const ALL: Findings = {
  onDisk: new Set([DEAR.id]),
  dead: [NEW],
  always: [DEAR, NEW],
  together: [
    [DEAR, NEW],
    [NEW, NEW, NEW],
  ],
  expensive: [DEAR],
  broken: [DEAR],
  withoutRule: [
    { pattern: "src/*.ts", files: 1234, touched: 5678 },
    { pattern: "Make\nfile", files: 1, touched: 2 },
  ],
}
const FIGURES = figures({
  rules: [DEAR, NEW],
  broken: [{ id: ruleId("bad\t.md"), sessions: 3 }],
  days: [{ day: "2026-11-30", sessions: 1, requests: 2, tokens: 3 }],
  skipped: { lines: 2, files: 1, full: 1 },
  hasMoreFiles: true,
})

const plain: Paint = (_, text) => text
const marked: Paint = (style, text) => `<${style}>${text}</>`

test("each list with its advice and its figures", () => {
  expect(formatReport("/home/dev/app\u0007", FIGURES, ALL, 90, plain)).toMatchInlineSnapshot(`
    "Rules of /home/dev/app\\u0007
    9 sessions from 2026-11-28 to 2026-11-30, 1,200 requests, about 363 tokens of rules in
    each

    Never matched (1)
    Remove them, or loosen their conditions.
    rule      file            sessions
    new       project:new.md         4

    Always match (2)
    Remove their conditions: then they are there from the first request on.
    rule           file             sessions  tokens
    Dear\\u001b[2J  project:dear.md         4   1,200
    new            project:new.md          4

    Always match together (2)
    Each group may be one rule: its rules match in the same sessions, after the same requests.
    rules                            sessions
    Dear\\u001b[2J (project:dear.md)         9
    new (project:new.md)
    new (project:new.md)                    0
    new (project:new.md)
    new (project:new.md)

    Cost the most (1)
    Shorten them, or let them come later. Tokens are estimates.
    rule           file             tokens  requests   together
    Dear\\u001b[2J  project:dear.md   1,200     3,400  4,080,000

    Broken the most often (1)
    Say it more clearly, or hold the calls back.
    rule           file             broken  refused  followed  kept
    Dear\\u001b[2J  project:dear.md       1        2         3  50 %

    Can't be understood (1)
    These files never match. \`opencode-rulebook check\` says why.
    file              sessions
    project:bad\\t.md         3

    Files without a rule (2)
    The agent read or changed them, and no rule has globs that match them.
    files       number  touched
    src/*.ts     1,234    5,678
    Make\\nfile       1        2

    Skipped 2 lines of receipts: torn, or of another version.
    Skipped 1 file of receipts without a session.
    Of 1 session the end is missing: the file of receipts reached its size.
    More files were touched than are looked at: those of the newest sessions are.
    "
  `)
})

test("lists with nothing in them are left out", () => {
  expect(formatReport("/app", figures({ sessions: 3, requests: 0, tokens: 0 }), NONE, undefined, plain)).toBe(
    "Rules of /app\n3 sessions from 2026-11-28 to 2026-11-30, 0 requests, about 0 tokens of rules in each\n",
  )
})

test("titles are bold, identities, heads and notes dim", () => {
  const some = { ...NONE, dead: [NEW] }
  expect(formatReport("/app", figures({ sessions: 1 }), some, 60, marked)).toMatchInlineSnapshot(`
    "<bold>Rules of /app</>
    1 session from 2026-11-28 to 2026-11-30, 1,200 requests,
    about 363 tokens of rules in each

    <bold>Never matched (1)</>
    Remove them, or loosen their conditions.
    <dim>rule</>      <dim>file</>            <dim>sessions</>
    new       <dim>project:new.md</>         4

    <dim>Which rules never or always match is said from 3 sessions</>
    <dim>on.</>
    "
  `)
})

test("in a narrow terminal long names go on below, further in", () => {
  const long = ruleFigures("packages/api/handlers.md", { name: "How handlers report errors" })
  const some = { ...NONE, dead: [long], together: [[long, NEW]] }
  expect(formatReport("/app", figures(), some, 44, plain)).toMatchInlineSnapshot(`
    "Rules of /app
    9 sessions from 2026-11-28 to 2026-11-30,
    1,200 requests, about 363 tokens of rules in
    each

    Never matched (1)
    Remove them, or loosen their conditions.
    rule          file                sessions
    How handlers  project:packages/a         4
      report        pi/handlers.md
      errors

    Always match together (1)
    Each group may be one rule: its rules match
    in the same sessions, after the same
    requests.
    rules                             sessions
    How handlers report errors (proj         0
      ect:packages/api/handlers.md)
    new (project:new.md)
    "
  `)
})

test("ten rows of a list are shown, and how many more there are", () => {
  const rules = (count: number) => Array.from({ length: count }, (_, index) => ruleFigures(`r${index}.md`))
  const rows = (count: number) => {
    const text = formatReport("/app", figures(), { ...NONE, dead: rules(count) }, undefined, marked)
    return text.split("\n").slice(6)
  }
  const ten = rules(10).map(({ name, id }) => `${name}        <dim>${id}</>         4`)
  expect(rows(10)).toEqual([...ten, ""])
  expect(rows(12)).toEqual([...ten, "<dim>and 2 more: --json has all</>", ""])
})

test("what was left out, or is chance so far", () => {
  const notes = (rest: Partial<Figures>) => notesOf(figures(rest))
  expect(notes({})).toEqual([])
  expect(notes({ sessions: 3 })).toEqual([])
  expect(notes({ sessions: 2, skipped: { lines: 1, files: 2, full: 3 }, hasMoreFiles: true })).toEqual([
    "Which rules never or always match is said from 3 sessions on.",
    "Skipped 1 line of receipts: torn, or of another version.",
    "Skipped 2 files of receipts without a session.",
    "Of 3 sessions the end is missing: the file of receipts reached its size.",
    "More files were touched than are looked at: those of the newest sessions are.",
  ])
})

test("a share of times is rounded down, so that 100 % is all", () => {
  const shares = [1, 0.999, 57 / 100, 2 / 3, 0, undefined]
  expect(shares.map(percent)).toEqual(["100 %", "99 %", "57 %", "66 %", "0 %", ""])
})

test("the report for programs", () => {
  expect(reportJson("/app", FIGURES, ALL)).toEqual({
    ...{ version: 1, project: "/app", sessions: 9, requests: 1200, tokens: 435_000 },
    ...{ startedAt: "2026-11-28T09:00:00.000Z", endedAt: "2026-11-30T17:30:00.000Z" },
    rules: [
      {
        ...{
          id: ruleId("dear.md"),
          name: "Dear\u001b[2J",
          lifetime: "durable",
          activation: "conditions",
          isOnDisk: true,
        },
        ...{ sessions: 4, matched: 9, throughout: 0, arrivals: 0, tokens: 1200, carried: 3400, cost: 4_080_000 },
        ...{ stopped: { blocked: 7, held: 8, refused: 2 }, forbidden: 1, followed: 3, adherence: 0.5 },
      },
      {
        ...{ id: ruleId("new.md"), name: "new", lifetime: "transient", activation: "hooks", isOnDisk: false },
        ...{ sessions: 4, matched: 0, throughout: 0, arrivals: 0, tokens: null, carried: 0, cost: 0 },
        ...{ stopped: { blocked: 0, held: 0, refused: 0 }, forbidden: 0, followed: 0, adherence: null },
      },
    ],
    findings: {
      dead: [NEW.id],
      always: [DEAR.id, NEW.id],
      together: [
        [DEAR.id, NEW.id],
        [NEW.id, NEW.id, NEW.id],
      ],
      expensive: [DEAR.id],
      broken: [DEAR.id],
      withoutRule: [
        { pattern: "src/*.ts", files: 1234, touched: 5678 },
        { pattern: "Make\nfile", files: 1, touched: 2 },
      ],
      unreadable: [{ id: ruleId("bad\t.md"), sessions: 3 }],
    },
    days: [{ day: "2026-11-30", sessions: 1, requests: 2, tokens: 3 }],
    skipped: { lines: 2, files: 1, full: 1 },
  })
})
