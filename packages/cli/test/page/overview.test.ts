import { expect, test } from "bun:test"
import type { PageDay, PageItem } from "../../src/report/page/data.ts"
import { pageData, pageRule } from "./data.ts"
import { openPage } from "./page.ts"

test("the head has the project, its days and the numbers that matter", async () => {
  using page = await openPage(pageData())
  expect(page.outline("header")).toMatchInlineSnapshot(`
    "header
      p.overline "Rule report"
      h1 "app"
      p.muted
        "27 Nov 2026 – 30 Nov 2026 · "
        span.path "/home/dev/app"
      dl.figures
        div
          dt "sessions"
          dd "4"
        div
          dt "requests"
          dd "1,200"
        div
          dt "rules came at least once"
          dd "3 of 5"
        div
          dt "tokens of rules in a request"
          dd "≈ 363""
  `)
})

test("one of a kind is named so, and a name is there for every kind of path", async () => {
  const day = Date.UTC(2026, 10, 30)
  const names: string[] = []
  for (const project of ["/home/dev/app", "C:\\dev\\app", "app", "/"]) {
    using page = await openPage(
      pageData({ project, sessions: 1, requests: 1, startedAt: day, endedAt: day + 1000, rules: [pageRule("a")] }),
    )
    names.push(page.one("h1").textContent ?? "")
    expect(page.texts("header > p.muted")).toEqual([`30 Nov 2026 · ${project}`])
    expect(page.texts("header dl > div")).toEqual([
      "session1",
      "request1",
      "rules came at least once0 of 1",
      "tokens of rules in a request≈ 363",
    ])
  }
  expect(names).toEqual(["app", "app", "app", "/"])
})

test("what is not there has no section, and the foot says what was left out", async () => {
  using page = await openPage(pageData({ notes: ["Skipped 1 line.", "The end is missing."] }))
  expect(page.texts("main > *").length).toBe(3)
  expect(page.texts("h2")).toEqual(["Rules"])
  expect(page.outline("footer")).toMatchInlineSnapshot(`
    "footer
      p.muted "Skipped 1 line."
      p.muted "The end is missing."
      p.muted "Made by opencode-rulebook on 30 Nov 2026, 13:01. Tokens are estimates.""
  `)
})

const item = (text: string, rule?: number): PageItem => ({
  text,
  note: `note of ${text}`,
  ...(rule !== undefined && { rule }),
})

test("findings are cards: rules lead to the table, texts between backticks are code, and more than five are folded", async () => {
  using page = await openPage(
    pageData({
      findings: [
        { title: "Never matched", advice: "Remove them.", items: [item("Deploying", 4), item("House style", 0)] },
        {
          title: "Can't be understood",
          advice: "`opencode-rulebook check` says why, `explain` more.",
          items: ["a", "b", "c", "d", "e", "f", "g"].map((text) => item(text)),
        },
        { title: "Five", advice: "", items: ["1", "2", "3", "4", "5"].map((text) => item(text)) },
      ],
    }),
  )
  expect(page.outline("section[aria-labelledby=findings]")).toMatchInlineSnapshot(`
    "section aria-labelledby="findings"
      h2 id="findings" "Worth a look"
      div.cards
        section.card.finding
          h3
            "Never matched"
            span.count "2"
          p.muted "Remove them."
          ul
            li
              button.link type="button" "Deploying"
              span.note "note of Deploying"
            li
              button.link type="button" "House style"
              span.note "note of House style"
        section.card.finding
          h3
            "Can't be understood"
            span.count "7"
          p.muted
            code "opencode-rulebook check"
            " says why, "
            code "explain"
            " more."
          ul
            li
              span "a"
              span.note "note of a"
            li
              span "b"
              span.note "note of b"
            li
              span "c"
              span.note "note of c"
            li
              span "d"
              span.note "note of d"
            li
              span "e"
              span.note "note of e"
          details
            summary "2 more"
            ul
              li
                span "f"
                span.note "note of f"
              li
                span "g"
                span.note "note of g"
        section.card.finding
          h3
            "Five"
            span.count "5"
          p.muted
          ul
            li
              span "1"
              span.note "note of 1"
            li
              span "2"
              span.note "note of 2"
            li
              span "3"
              span.note "note of 3"
            li
              span "4"
              span.note "note of 4"
            li
              span "5"
              span.note "note of 5""
  `)

  page.one("#filter").focus()
  page.click("button.link", "Deploying")
  expect(page.focused()).toStartWith("Deploying")
})

const DAYS: readonly PageDay[] = Array.from({ length: 17 }, (_, index) => ({
  ...{
    day: `2026-11-${`${index + 1}`.padStart(2, "0")}`,
    sessions: index === 1 ? 1 : 2,
    requests: index === 1 ? 1 : 1500,
  },
  tokens: index === 3 ? 2500 : index * 100,
}))

test("the course over days: a bar for each, as high as its share of the most", async () => {
  using page = await openPage(pageData({ days: DAYS.slice(0, 4) }))
  expect(page.outline("section[aria-labelledby=days]")).toMatchInlineSnapshot(`
    "section aria-labelledby="days"
      h2 id="days" "Tokens over time"
      p.muted "Of all rules in a request, on average of a day. The most was about 2.5K."
      div.card.chart
        div.bars role="group" aria-label="Tokens of rules in a request, by day. The arrow keys move."
          div.bar role="img" data-tip aria-label="1 Nov. about 0 tokens of rules in a request. 2 sessions, 1,500 requests" tabindex="0"
            i style="--share: 0;"
            span aria-hidden="true" "1 Nov"
          div.bar role="img" data-tip aria-label="2 Nov. about 100 tokens of rules in a request. 1 session, 1 request" tabindex="-1"
            i style="--share: 0.04;"
            span aria-hidden="true" "2 Nov"
          div.bar role="img" data-tip aria-label="3 Nov. about 200 tokens of rules in a request. 2 sessions, 1,500 requests" tabindex="-1"
            i style="--share: 0.08;"
            span aria-hidden="true" "3 Nov"
          div.bar role="img" data-tip aria-label="4 Nov. about 2,500 tokens of rules in a request. 2 sessions, 1,500 requests" tabindex="-1"
            i style="--share: 1;"
            span aria-hidden="true" "4 Nov""
  `)
})

test("fewer than three days are not a course", async () => {
  for (const [count, titles] of [
    [2, ["Rules"]],
    [3, ["Tokens over time", "Rules"]],
  ] as const) {
    using page = await openPage(pageData({ days: DAYS.slice(0, count) }))
    expect(page.texts("h2")).toEqual([...titles])
  }
})

test("of many days eight at most have their name below, and the arrow keys move between all of them", async () => {
  const labels: (readonly [days: number, labels: readonly string[]])[] = []
  for (const count of [8, 9, 16, 17]) {
    using page = await openPage(pageData({ days: DAYS.slice(0, count) }))
    labels.push([count, page.texts(".bar span").map((text) => text.replace(" Nov", ""))])
    page.one(".bar[tabindex='0']").focus()
    expect(page.press("End").isTaken).toBe(true)
    expect(page.focused()).toStartWith(`${count} Nov. about`)
  }
  expect(labels).toEqual([
    [8, ["1", "2", "3", "4", "5", "6", "7", "8"]],
    [9, ["1", "", "3", "", "5", "", "7", "", "9"]],
    [16, ["1", "", "3", "", "5", "", "7", "", "9", "", "11", "", "13", "", "15", ""]],
    [17, ["1", "", "", "4", "", "", "7", "", "", "10", "", "", "13", "", "", "16", ""]],
  ])
})

test("days without tokens have bars without height", async () => {
  using page = await openPage(pageData({ days: DAYS.slice(0, 3).map((day) => ({ ...day, tokens: 0 })) }))
  const shares = Array.from(page.window.document.querySelectorAll(".bar i"), (bar) => bar.getAttribute("style"))
  expect(shares).toEqual(["--share: 0;", "--share: 0;", "--share: 0;"])
})
