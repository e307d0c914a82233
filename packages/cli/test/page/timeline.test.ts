import { expect, test } from "bun:test"
import type { MarkKind, PageSession } from "../../src/report/page/data.ts"
import { pageData, plainSession, STORY } from "./data.ts"
import { type OpenPage, openPage } from "./page.ts"

const open = (session: PageSession) => openPage(pageData({ shown: [session] }))

test("requests across, rules down: a line where a rule is there, a mark where something happened", async () => {
  using page = await open(STORY)
  expect(page.outline(".timeline")).toMatchInlineSnapshot(`
    "div.timeline
      div.scroll
        div.grid role="grid" aria-label="Requests across, rules down. The arrow keys move." aria-colcount="4" aria-rowcount="5" style="--columns: 3;"
          i.guide role="none" hidden
          div.row.head role="row"
            span.label role="columnheader" "tokens"
            div.cell.request.prompted role="columnheader" data-tip data-column="1" aria-colindex="2" style="--column: 1;" aria-label="Request 1, 12:01. about 300 tokens of rules. before it: prompt. build · anthropic/claude" tabindex="0"
              i style="--share: 0.2;"
              span aria-hidden="true" "1"
            div.cell.request role="columnheader" data-tip data-column="2" aria-colindex="3" style="--column: 2;" aria-label="Request 2, 12:02. about 600 tokens of rules. before it: read src/a.ts, src/b.ts; ✗ bash. build" tabindex="-1"
              i style="--share: 0.4;"
              span aria-hidden="true" "2"
            div.cell.request.prompted.restart role="columnheader" data-tip data-column="3" aria-colindex="4" style="--column: 3;" aria-label="Request 4, 12:04. about 1,500 tokens of rules. the host was started again before it. before it: prompt; edit src/a.ts" tabindex="-1"
              i style="--share: 1;"
              span aria-hidden="true" "4"
          div.row role="row"
            span.label role="rowheader" title="House style"
              "House style"
              span.hidden ", in 4 requests"
            i.span.durable role="none" style="--from: 1; --length: 3;"
            div.cell.event role="gridcell" data-tip data-column="1" aria-colindex="2" style="--column: 1;" aria-label="House style. request 1. matched: always, durable, about 180 tokens" tabindex="-1"
              svg.mark.came.solid viewBox="0 0 16 16" aria-hidden="true"
            div.cell.event role="gridcell" data-tip data-column="3" aria-colindex="4" style="--column: 3;" aria-label="House style. request 4. followed: src/a.ts. forbidden: src/a.ts:7. reminded, durable, about 180 tokens" tabindex="-1"
              svg.mark.forbidden.line viewBox="0 0 16 16" aria-hidden="true"
              span.more aria-hidden="true" "3"
          div.row role="row"
            span.label role="rowheader" title="While building"
              "While building"
              span.hidden ", in 2 requests"
            i.span.transient role="none" style="--from: 1; --length: 1;"
            i.span.transient role="none" style="--from: 3; --length: 1;"
            div.cell.event role="gridcell" data-tip data-column="1" aria-colindex="2" style="--column: 1;" aria-label="While building. request 1. matched: agent build, transient" tabindex="-1"
              svg.mark.came.solid viewBox="0 0 16 16" aria-hidden="true"
            div.cell.event role="gridcell" data-tip data-column="2" aria-colindex="3" style="--column: 2;" aria-label="While building. request 2. left: ended" tabindex="-1"
              svg.mark.left.line viewBox="0 0 16 16" aria-hidden="true"
            div.cell.event role="gridcell" data-tip data-column="3" aria-colindex="4" style="--column: 3;" aria-label="While building. request 4. again: reverted" tabindex="-1"
              svg.mark.again.line viewBox="0 0 16 16" aria-hidden="true"
          div.row role="row"
            span.label role="rowheader" title="No force"
              "No force"
              span.hidden ", in 0 requests"
            div.cell.event role="gridcell" data-tip data-column="2" aria-colindex="3" style="--column: 2;" aria-label="No force. request 2. blocked: bash" tabindex="-1"
              svg.mark.stopped.line viewBox="0 0 16 16" aria-hidden="true"
          div.row role="row"
            span.label role="rowheader" title="api errors"
              "api errors"
              span.hidden ", in 1 request"
            i.span.durable role="none" style="--from: 2; --length: 1;"
      ul.legend aria-label="What the marks mean"
        li
          svg.mark.came.solid viewBox="0 0 16 16" aria-hidden="true"
          "came"
        li
          svg.mark.again.line viewBox="0 0 16 16" aria-hidden="true"
          "came again"
        li
          svg.mark.reminded.solid viewBox="0 0 16 16" aria-hidden="true"
          "reminder"
        li
          svg.mark.left.line viewBox="0 0 16 16" aria-hidden="true"
          "left"
        li
          svg.mark.stopped.line viewBox="0 0 16 16" aria-hidden="true"
          "stopped a call"
        li
          svg.mark.forbidden.line viewBox="0 0 16 16" aria-hidden="true"
          "was broken"
        li
          svg.mark.followed.line viewBox="0 0 16 16" aria-hidden="true"
          "was followed"
        li
          i.span.durable
          "is there"
        li
          i.span.transient
          "is there, transient""
  `)
})

/** One rule with these marks. */
function withMarks(requests: number, marks: PageSession["rows"][number]["marks"]): PageSession {
  return plainSession("ses_1", requests, { rows: [{ rule: 0, spans: [], marks }] })
}

/** Those that matter most first. */
const BY_WEIGHT: readonly MarkKind[] = ["stopped", "forbidden", "came", "hook", "again", "reminded", "followed", "left"]

test("of several marks at one request the one that matters most is shown, and how many there are", async () => {
  const pairs = BY_WEIGHT.slice(1).map((weaker, index) => [weaker, BY_WEIGHT[index] ?? weaker] as const)
  const marks = pairs.flatMap(([weaker, stronger], index) =>
    [weaker, stronger].map((kind) => ({ request: index + 1, kind, text: kind })),
  )
  using page = await open(withMarks(pairs.length, marks))
  const shown = Array.from(page.window.document.querySelectorAll(".event"), (cell) => [
    cell.querySelector(".mark")?.classList[1],
    cell.querySelector(".more")?.textContent,
  ])
  expect(shown).toEqual(pairs.map(([, stronger]) => [stronger, "2"]))
})

test("the legend names the kinds of marks and lines that the session has, each with a shape of its own", async () => {
  const marks = BY_WEIGHT.map((kind, index) => ({ request: index + 1, kind, text: kind }))
  using page = await open(withMarks(8, marks))
  expect(page.outline(".legend")).toMatchInlineSnapshot(`
    "ul.legend aria-label="What the marks mean"
      li
        svg.mark.came.solid viewBox="0 0 16 16" aria-hidden="true"
        "came"
      li
        svg.mark.hook.solid viewBox="0 0 16 16" aria-hidden="true"
        "came by a hook"
      li
        svg.mark.again.line viewBox="0 0 16 16" aria-hidden="true"
        "came again"
      li
        svg.mark.reminded.solid viewBox="0 0 16 16" aria-hidden="true"
        "reminder"
      li
        svg.mark.left.line viewBox="0 0 16 16" aria-hidden="true"
        "left"
      li
        svg.mark.stopped.line viewBox="0 0 16 16" aria-hidden="true"
        "stopped a call"
      li
        svg.mark.forbidden.line viewBox="0 0 16 16" aria-hidden="true"
        "was broken"
      li
        svg.mark.followed.line viewBox="0 0 16 16" aria-hidden="true"
        "was followed"
      li
        i.span.durable
        "is there""
  `)
  const shapes = (where: string) =>
    new Map(
      Array.from(page.window.document.querySelectorAll(`${where} .mark`), (mark) => [
        mark.getAttribute("class"),
        mark.querySelector("path")?.getAttribute("d"),
      ]),
    )
  expect(new Set(shapes(".legend").values()).size).toBe(8)
  expect(shapes(".grid")).toEqual(shapes(".legend"))
  // Elsewhere a browser draws nothing.
  const pictures = Array.from(page.window.document.querySelectorAll("svg, path"))
  expect(new Set(pictures.map(({ namespaceURI }) => namespaceURI))).toEqual(new Set(["http://www.w3.org/2000/svg"]))
})

test("up to twelve requests each have their number, of more the first and each fifth", async () => {
  for (const [count, numbers] of [
    [12, "1 2 3 4 5 6 7 8 9 10 11 12"],
    [13, "1 5 10"],
  ] as const) {
    using page = await open(plainSession("ses_1", count))
    expect(page.texts(".head .cell span").filter((text) => text !== "")).toEqual(numbers.split(" "))
  }
})

test("requests without tokens have no height", async () => {
  const [request] = plainSession("ses_1", 1).requests
  using page = await open(plainSession("ses_1", 1, { requests: request ? [{ ...request, tokens: 0 }] : [] }))
  expect(page.outline(".head .cell i")).toBe('i style="--share: 0;"')
})

test("where the receipts of a request are lost, what was with it stands at the one before", async () => {
  const { requests } = plainSession("ses_1", 5)
  const rows: PageSession["rows"] = [
    {
      rule: 0,
      spans: [
        [1, 2],
        [3, 4],
      ],
      marks: [
        { request: 1, kind: "came", text: "came" },
        { request: 4, kind: "left", text: "left" },
      ],
    },
  ]
  using page = await open(
    plainSession("ses_1", 0, { requests: requests.filter(({ number }) => [2, 3, 5].includes(number)), rows }),
  )
  const places = Array.from(page.window.document.querySelectorAll(".row:not(.head) i, .event"), (element) =>
    element.getAttribute("style"),
  )
  expect(places).toEqual(["--from: 1; --length: 1;", "--from: 2; --length: 1;", "--column: 1;", "--column: 2;"])
})

/** The guide's column; undefined: it is hidden. */
function guide(page: OpenPage): string | undefined {
  const line = page.one(".guide")
  return line.hidden ? undefined : line.style.getPropertyValue("--column")
}

test("a line guides the eye down the column under the pointer or with the focus", async () => {
  using page = await open(STORY)
  expect(guide(page)).toBeUndefined()
  page.enter(page.one(".head .cell:nth-of-type(2) i"))
  expect(guide(page)).toBe("2")
  // The picture of a mark counts as its cell.
  page.enter(page.one(".event[aria-label^='House style. request 4'] path"))
  expect(guide(page)).toBe("3")
  page.enter(page.one(".label[title='House style']"))
  expect(guide(page)).toBeUndefined()
  page.one(".head [tabindex='0']").focus()
  expect(guide(page)).toBe("1")
  page.one(".grid").dispatchEvent(new page.window.PointerEvent("pointerleave"))
  expect(guide(page)).toBeUndefined()
})

test("the grid is one tab stop, and the keys move in it as in a table", async () => {
  using page = await open(STORY)
  const stops = () => page.texts(".grid [tabindex='0']").length
  page.one(".grid [tabindex='0']").focus()
  const moves: readonly (readonly [key: string, to: string])[] = [
    ["ArrowLeft", "Request 1"],
    ["ArrowRight", "Request 2"],
    ["ArrowRight", "Request 4"],
    ["ArrowRight", "Request 4"],
    ["ArrowUp", "Request 4"],
    ["Home", "Request 1"],
    ["End", "Request 4"],
    ["ArrowLeft", "Request 2"],
    // House style has none at request 2; both of its marks are as near, so that it is the first.
    ["ArrowDown", "House style. request 1"],
    ["ArrowRight", "House style. request 4"],
    ["ArrowDown", "While building. request 4"],
    ["Home", "While building. request 1"],
    ["ArrowDown", "No force. request 2"],
    // The last row has no marks.
    ["ArrowDown", "No force. request 2"],
    ["ArrowUp", "While building. request 2"],
    ["Control+Home", "Request 1"],
    ["Control+End", "No force. request 2"],
  ]
  for (const [key, to] of moves) {
    const before = page.focused()
    const { isTaken } = page.press(key.replace("Control+", ""), { ctrlKey: key.startsWith("Control+") })
    const after = page.focused()
    expect([key, after.slice(0, to.length), isTaken, stops()]).toEqual([key, to, after !== before, 1])
  }
  expect(page.press("a")).toEqual({ isTaken: false })
})

test("a row without marks is passed over", async () => {
  const [first, second, third, fourth] = STORY.rows
  using page = await open({ ...STORY, rows: [first, fourth, second, third].flatMap((row) => row ?? []) })
  page.one(".grid [tabindex='0']").focus()
  for (const to of ["House style", "While building", "No force"]) {
    page.press("ArrowDown")
    expect(page.focused()).toStartWith(`${to}. `)
  }
})

test("what gets the focus by a click is where the keys go on from", async () => {
  using page = await open(STORY)
  page.one(".event[aria-label^='While building. request 2']").focus()
  expect(page.texts(".grid [tabindex='0']").length).toBe(1)
  page.press("ArrowRight")
  expect(page.focused()).toStartWith("While building. request 4")
})
