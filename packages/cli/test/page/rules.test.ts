import { expect, test } from "bun:test"
import { pageData, pageRule } from "./data.ts"
import { type OpenPage, openPage } from "./page.ts"

/** The names in the table's order. */
const names = (page: OpenPage) => page.texts("tbody .title")

/** Which column is sorted by, and how. */
function sorting(page: OpenPage): readonly (string | null)[] {
  const heads = Array.from(page.window.document.querySelectorAll("th[aria-sort]"))
  return heads.flatMap((head) => [head.textContent, head.getAttribute("aria-sort")])
}

function choose(page: OpenPage, column: string): void {
  const choice = page.one("#sort") as unknown as HTMLSelect
  choice.value = column
  page.one("#sort").dispatchEvent(new page.window.Event("change"))
}

function type(page: OpenPage, text: string): void {
  const filter = page.one("#filter") as unknown as HTMLSelect
  filter.value = text
  page.one("#filter").dispatchEvent(new page.window.Event("input"))
}

interface HTMLSelect {
  value: string
}

test("the table of all rules", async () => {
  using page = await openPage(pageData())
  expect(page.outline("section[aria-labelledby=rules]")).toMatchInlineSnapshot(`
    "section aria-labelledby="rules"
      h2 id="rules" "Rules"
      div.tools
        label.hidden for="filter" "Filter rules by name"
        input type="search" id="filter" placeholder="Filter" autocomplete="off" spellcheck="false"
        span.narrow
          label for="sort" "Sort by "
          select id="sort"
            option value="0" "Rule"
            option value="1" "Matched in"
            option value="2" "Tokens"
            option value="3" "Requests"
            option value="4" "Tokens in all"
            option value="5" "Stopped"
            option value="6" "Broken"
            option value="7" "Kept"
        p.muted role="status" "5 rules"
      table.rules role="table"
        thead
          tr
            th scope="col"
              button type="button"
                "Rule"
                i.arrow aria-hidden="true"
            th scope="col"
              button type="button"
                "Matched in"
                i.arrow aria-hidden="true"
            th scope="col"
              button type="button"
                "Tokens"
                i.arrow aria-hidden="true"
            th scope="col"
              button type="button"
                "Requests"
                i.arrow aria-hidden="true"
            th scope="col" aria-sort="descending"
              button type="button"
                "Tokens in all"
                i.arrow aria-hidden="true"
            th scope="col"
              button type="button"
                "Stopped"
                i.arrow aria-hidden="true"
            th scope="col"
              button type="button"
                "Broken"
                i.arrow aria-hidden="true"
            th scope="col"
              button type="button"
                "Kept"
                i.arrow aria-hidden="true"
        tbody role="rowgroup"
          tr role="row" tabindex="-1"
            th scope="row" role="rowheader"
              span.name
                span.title "House style"
                span.tag "always"
              span.path "project:house-style.md"
            td role="cell" data-head="Matched in"
              span
                i.meter aria-hidden="true" style="--share: 1;"
                span.figure "4 of 4"
            td role="cell" data-head="Tokens"
              span "180"
            td role="cell" data-head="Requests"
              span "20"
            td role="cell" data-head="Tokens in all"
              span
                i.meter aria-hidden="true" style="--share: 1;"
                span.figure "3,600"
            td role="cell" data-head="Stopped"
              span "–"
            td role="cell" data-head="Broken"
              span "1"
            td role="cell" data-head="Kept"
              span "66 %"
          tr role="row" tabindex="-1"
            th scope="row" role="rowheader"
              span.name
                span.title "While building"
                span.tag "transient"
              span.path "project:while-building.md"
            td role="cell" data-head="Matched in"
              span
                i.meter aria-hidden="true" style="--share: 0.5;"
                span.figure "2 of 4"
            td role="cell" data-head="Tokens"
              span "96"
            td role="cell" data-head="Requests"
              span "15"
            td role="cell" data-head="Tokens in all"
              span
                i.meter aria-hidden="true" style="--share: 0.25;"
                span.figure "900"
            td role="cell" data-head="Stopped"
              span "–"
            td role="cell" data-head="Broken"
              span "–"
            td role="cell" data-head="Kept"
              span "–"
          tr role="row" tabindex="-1"
            th scope="row" role="rowheader"
              span.name
                span.title "api errors"
              span.path "project:api-errors.md"
            td role="cell" data-head="Matched in"
              span
                i.meter aria-hidden="true" style="--share: 0.25;"
                span.figure "1 of 4"
            td role="cell" data-head="Tokens"
              span "96"
            td role="cell" data-head="Requests"
              span "3"
            td role="cell" data-head="Tokens in all"
              span
                i.meter aria-hidden="true" style="--share: 0.08;"
                span.figure "288"
            td role="cell" data-head="Stopped"
              span "1,234"
            td role="cell" data-head="Broken"
              span "–"
            td role="cell" data-head="Kept"
              span "100 %"
          tr role="row" tabindex="-1"
            th scope="row" role="rowheader"
              span.name
                span.title "No force"
                span.tag "removed"
                span.tag "hooks"
              span.path "project:no-force.md"
            td role="cell" data-head="Matched in"
              span
                i.meter aria-hidden="true" style="--share: 1;"
                span.figure "2 of 2"
            td role="cell" data-head="Tokens"
              span "–"
            td role="cell" data-head="Requests"
              span "–"
            td role="cell" data-head="Tokens in all"
              span
                i.meter aria-hidden="true" style="--share: 0;"
                span.figure "–"
            td role="cell" data-head="Stopped"
              span "–"
            td role="cell" data-head="Broken"
              span "–"
            td role="cell" data-head="Kept"
              span "0 %"
          tr role="row" tabindex="-1"
            th scope="row" role="rowheader"
              span.name
                span.title "Deploying"
                span.tag "on request"
              span.path "project:deploying.md"
            td role="cell" data-head="Matched in"
              span
                i.meter aria-hidden="true" style="--share: 0;"
                span.figure "0 of 3"
            td role="cell" data-head="Tokens"
              span "–"
            td role="cell" data-head="Requests"
              span "–"
            td role="cell" data-head="Tokens in all"
              span
                i.meter aria-hidden="true" style="--share: 0;"
                span.figure "–"
            td role="cell" data-head="Stopped"
              span "–"
            td role="cell" data-head="Broken"
              span "–"
            td role="cell" data-head="Kept"
              span "–""
  `)
})

const COLUMNS: readonly (readonly [head: string, direction: string, names: string])[] = [
  // Names whatever their case; by figures the largest first.
  ["Rule", "ascending", "api errors, Deploying, House style, No force, While building"],
  ["Matched in", "descending", "House style, No force, While building, api errors, Deploying"],
  ["Tokens", "descending", "House style, api errors, While building, No force, Deploying"],
  ["Requests", "descending", "House style, While building, api errors, No force, Deploying"],
  ["Tokens in all", "descending", "House style, While building, api errors, No force, Deploying"],
  ["Stopped", "descending", "api errors, House style, While building, No force, Deploying"],
  ["Broken", "descending", "House style, api errors, While building, No force, Deploying"],
  ["Kept", "descending", "api errors, House style, No force, While building, Deploying"],
]

test("it begins with the rules that cost the most", async () => {
  using page = await openPage(pageData())
  expect([sorting(page), names(page).join(", ")]).toEqual([["Tokens in all", "descending"], COLUMNS[4]?.[2] ?? ""])
})

test("a click on a head sorts by it, equal ones in the order in which sessions had them, and says so", async () => {
  using page = await openPage(pageData())
  for (const [head, direction, order] of COLUMNS) {
    // Of the column that the table begins with, a click turns the order.
    if (head === "Tokens in all") continue
    page.click("th button", head)
    expect([...sorting(page), names(page).join(", ")]).toEqual([head, direction, order])
    expect((page.one("#sort") as unknown as HTMLSelect).value).toBe(`${COLUMNS.findIndex(([name]) => name === head)}`)
  }
})

test("a second click turns the order; what is not known stays last", async () => {
  using page = await openPage(pageData())
  for (const [head, turned, order] of [
    ["Tokens in all", "ascending", "No force, Deploying, api errors, While building, House style"],
    ["Tokens in all", "descending", "House style, While building, api errors, No force, Deploying"],
    ["Rule", "ascending", COLUMNS[0]?.[2] ?? ""],
    ["Rule", "descending", "While building, No force, House style, Deploying, api errors"],
    ["Tokens", "descending", COLUMNS[2]?.[2] ?? ""],
    ["Tokens", "ascending", "api errors, While building, House style, No force, Deploying"],
    ["Kept", "descending", COLUMNS[7]?.[2] ?? ""],
    ["Kept", "ascending", "No force, House style, api errors, While building, Deploying"],
  ] as const) {
    page.click("th button", head)
    expect([...sorting(page), names(page).join(", ")]).toEqual([head, turned, order])
  }
})

test("where the heads are not shown, a choice sorts", async () => {
  using page = await openPage(pageData())
  for (const [column, [head, direction, order]] of COLUMNS.entries()) {
    choose(page, `${column}`)
    expect([...sorting(page), names(page).join(", ")]).toEqual([head, direction, order])
  }
})

test("the filter looks for names and identities, whatever their case and the spaces around", async () => {
  using page = await openPage(pageData())
  expect(page.texts("[role=status]")).toEqual(["5 rules"])
  for (const [text, found, status] of [
    ["  API ", "api errors", "1 of 5 rules"],
    ["force.MD", "No force", "1 of 5 rules"],
    ["ing", "While building, Deploying", "2 of 5 rules"],
    ["zzz", "", "0 of 5 rules"],
    ["   ", "House style, While building, api errors, No force, Deploying", "5 rules"],
  ] as const) {
    type(page, text)
    expect([text, names(page).join(", "), ...page.texts("[role=status]")]).toEqual([text, found, status])
  }
})

test("what is filtered out stays out when the order changes", async () => {
  using page = await openPage(pageData())
  type(page, "ing")
  page.click("th button", "Rule")
  expect(names(page)).toEqual(["Deploying", "While building"])
})

test("a finding's rule is shown whatever the filter says, in the middle of the window", async () => {
  const rules = [pageRule("a"), pageRule("b", { cost: 1 })]
  const items = [{ text: "b again", note: "", rule: 1 }]
  using page = await openPage(pageData({ rules, findings: [{ title: "Costs", advice: "", items }] }))
  type(page, "a.md")
  expect(names(page)).toEqual(["a"])
  const row = page.one("tbody tr[hidden]")
  const scrolled: unknown[] = []
  row.scrollIntoView = (where) => scrolled.push(where)
  page.click("button.link")
  expect(names(page)).toEqual(["b", "a"])
  expect((page.one("#filter") as unknown as HTMLSelect).value).toBe("")
  expect(scrolled).toEqual([{ block: "center" }])
  expect(page.focused()).toStartWith("b")
})

test("without a rule there is an empty table", async () => {
  using page = await openPage(pageData({ rules: [] }))
  expect([names(page), page.texts("[role=status]")]).toEqual([[], ["0 rules"]])
})

test("a share of times is rounded down, so that 100 % is all", async () => {
  const shares = [1, 0.999, 57 / 100, 2 / 3, 0]
  const rules = shares.map((adherence, index) => pageRule(`r${index}`, { adherence }))
  using page = await openPage(pageData({ rules }))
  expect(page.texts("[data-head=Kept]")).toEqual(["100 %", "99 %", "57 %", "66 %", "0 %"])
})
