import { expect, test } from "bun:test"
import { pageData, plainSession, STORY } from "./data.ts"
import { openPage } from "./page.ts"

const OLDEST = plainSession("ses_0", 1, { startedAt: STORY.startedAt - 3 * 86_400_000, endedAt: STORY.startedAt })
const THREE = [STORY, plainSession("ses_1", 2), OLDEST]

test("a bar for each session, the newest last and chosen, and the newest in full", async () => {
  using page = await openPage(pageData({ shown: THREE }))
  expect(page.outline("section[aria-labelledby=sessions] > p")).toMatchInlineSnapshot(
    `"p.muted "The newest 3; the other 1 count in the figures above. A bar's height: the tokens of rules in the session's newest request.""`,
  )
  expect(page.outline(".picker")).toMatchInlineSnapshot(`
    "div.card.chart.picker
      div.bars.strip role="listbox" aria-orientation="horizontal" aria-label="Sessions, the newest last"
        div.bar role="option" data-tip aria-label="27 Nov 2026 – 30 Nov 2026. 1 request · 0 rules came. about 100 tokens of rules at its end" tabindex="-1" aria-selected="false"
          i style="--share: 0.06666666666666667;"
          span aria-hidden="true"
        div.bar role="option" data-tip aria-label="29 Nov 2026, 12:00–12:01. 2 requests · 0 rules came. about 100 tokens of rules at its end" tabindex="-1" aria-selected="false"
          i style="--share: 0.06666666666666667;"
          span aria-hidden="true"
        div.bar role="option" data-tip aria-label="30 Nov 2026, 12:00–12:09. 3 requests · 3 rules came. about 1,500 tokens of rules at its end" tabindex="0" aria-selected="true"
          i style="--share: 1;"
          span aria-hidden="true"
      div.steps
        button type="button" "‹ Older"
        button type="button" disabled "Newer ›""
  `)
  expect(page.texts("article h3")).toEqual(["30 Nov 2026, 12:00–12:09"])
  expect(page.texts("article > p")).toEqual([
    "3 requests · 3 rules came · OpenCode 1 in packages/api · ses_2",
    "Its receipts reached their size: what happened later is not shown.",
  ])
  expect(page.outline(".missing")).toMatchInlineSnapshot(`
    "details.missing
      summary "2 rules not in the newest request, and why"
      ul
        li
          strong "api errors"
          span " not all of its conditions are met"
          ul
            li.met
              "✓ met: "
              "**/*.ts, saw src/a.ts"
            li
              "✗ not met: "
              "prompt \\"release\\""
        li
          strong "Deploying"
          span " on request""
  `)
})

test("a session that is whole, in the project's own folder, with nothing missing", async () => {
  using page = await openPage(pageData({ shown: [plainSession("ses_1", 1)], sessions: 1 }))
  expect(page.texts("section[aria-labelledby=sessions] > *:not(.session)")).toEqual([
    "The session",
    "A bar's height: the tokens of rules in the session's newest request.",
  ])
  expect(page.texts("article > *:not(.timeline)")).toEqual([
    "29 Nov 2026, 12:00–12:01",
    "1 request · 0 rules came · OpenCode 2 · ses_1",
  ])
})

test("a session without a request, and one that begins and ends on different days", async () => {
  using page = await openPage(pageData({ shown: [plainSession("ses_3", 0), OLDEST], sessions: 2 }))
  expect(page.texts("article > *")).toEqual([
    "29 Nov 2026, 12:00–12:01",
    "0 requests · 0 rules came · OpenCode 2 · ses_3",
    "No request was sent.",
  ])
  page.click("button", "‹ Older")
  expect(page.texts("article h3")).toEqual(["27 Nov 2026 – 30 Nov 2026"])
  expect(page.texts("section[aria-labelledby=sessions] > p")).toEqual([
    "A bar's height: the tokens of rules in the session's newest request.",
  ])
})

test("older and newer, a click on a bar and the arrow keys choose a session, which is then the one tab stop", async () => {
  using page = await openPage(pageData({ shown: THREE }))
  const bars = () =>
    Array.from(page.window.document.querySelectorAll("[role=option]"), (bar) =>
      [bar.getAttribute("tabindex"), bar.getAttribute("aria-selected")].join(" "),
    )
  const chosen = () => ({
    id: page.texts("article .path").join(),
    bars: bars(),
    disabled: page.texts("button:disabled"),
  })
  const [first, middle, last] = [
    { id: "ses_0", bars: ["0 true", "-1 false", "-1 false"], disabled: ["‹ Older"] },
    { id: "ses_1", bars: ["-1 false", "0 true", "-1 false"], disabled: [] },
    { id: "ses_2", bars: ["-1 false", "-1 false", "0 true"], disabled: ["Newer ›"] },
  ]
  expect(chosen()).toEqual(last)
  page.click("button", "‹ Older")
  expect(chosen()).toEqual(middle)
  page.click("button", "‹ Older")
  expect(chosen()).toEqual(first)
  page.click("button", "Newer ›")
  expect(chosen()).toEqual(middle)
  page.click("[role=option]:nth-child(3)")
  expect(chosen()).toEqual(last)
  expect(page.focused()).toStartWith("30 Nov 2026, 12:00–12:09.")
  page.press("Home")
  expect(chosen()).toEqual(first)
  page.press("ArrowRight")
  expect(chosen()).toEqual(middle)
})

test("the session that is shown stays as it is when it is chosen again", async () => {
  using page = await openPage(pageData({ shown: THREE }))
  const before = page.one("article")
  page.click("[role=option]:nth-child(3)")
  expect(page.one("article") === before).toBe(true)
})

test("bars that are wider than their box are moved so that the chosen one is in its middle", async () => {
  using page = await openPage(pageData({ shown: THREE }))
  const list = page.one(".strip")
  const put = (selector: string, layout: Readonly<Record<string, number>>) => {
    for (const [name, value] of Object.entries(layout)) Object.defineProperty(page.one(selector), name, { value })
  }
  put(".strip", { offsetLeft: 40, clientWidth: 200 })
  put("[role=option]:nth-child(2)", { offsetLeft: 640 })
  put("[role=option]:nth-child(3)", { offsetLeft: 740 })
  page.draw()
  expect(list.scrollLeft).toBe(600)
  page.click("button", "‹ Older")
  page.draw()
  expect(list.scrollLeft).toBe(500)
})
