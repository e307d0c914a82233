import type { PageData, PageRule } from "../data.ts"
import { h, setVariables } from "./dom.ts"
import { counted, number, percent } from "./format.ts"

interface Column {
  readonly head: string
  /** What it is sorted by; undefined values come last. */
  readonly key: (rule: PageRule) => number | string | undefined
  readonly cell: (rule: PageRule, most: Readonly<Record<"cost", number>>) => readonly (Node | string)[]
}

const COLUMNS: readonly Column[] = [
  { head: "Rule", key: ({ name }) => name.toLowerCase(), cell: nameCell },
  {
    head: "Matched in",
    key: ({ matched, sessions }) => matched / sessions,
    cell: ({ matched, sessions }) => [meter(matched / sessions), figure(`${number(matched)} of ${number(sessions)}`)],
  },
  { head: "Tokens", key: ({ tokens }) => tokens, cell: ({ tokens }) => [numberOr(tokens)] },
  { head: "Requests", key: ({ carried }) => carried, cell: ({ carried }) => [numberOr(carried)] },
  {
    head: "Tokens in all",
    key: ({ cost }) => cost,
    cell: ({ cost }, most) => [meter(cost / most.cost), figure(numberOr(cost))],
  },
  { head: "Stopped", key: ({ stopped }) => stopped, cell: ({ stopped }) => [numberOr(stopped)] },
  { head: "Broken", key: ({ forbidden }) => forbidden, cell: ({ forbidden }) => [numberOr(forbidden)] },
  {
    head: "Kept",
    key: ({ adherence }) => adherence,
    cell: ({ adherence }) => [adherence === undefined ? "–" : percent(adherence)],
  },
]

/** The table of all rules, and how to show one of them. */
export interface RulesTable {
  readonly element: HTMLElement
  /** Scrolls to a rule and gives it the focus. */
  show(rule: number): void
}

export function rulesTable({ rules }: PageData): RulesTable {
  const most = { cost: Math.max(...rules.map(({ cost }) => cost), 1) }
  const entries = rules.map((rule) => ({ rule, row: rowOf(rule, most) }))
  const body = h("tbody", { role: "rowgroup" })
  let sorted = { column: 4, isDown: true }

  const heads = COLUMNS.map(({ head }, column) => {
    const button = h("button", { type: "button" }, head, h("i", { class: "arrow", "aria-hidden": true }))
    button.addEventListener("click", () => sort(column, sorted.column === column ? !sorted.isDown : column > 0))
    return h("th", { scope: "col" }, button)
  })
  // Where rows are cards (roles keep them a table), there is no head to click.
  const choice = h("select", { id: "sort" }, ...COLUMNS.map(({ head }, column) => h("option", { value: column }, head)))
  choice.addEventListener("change", () => sort(Number(choice.value), Number(choice.value) > 0))
  const filter = h("input", {
    type: "search",
    id: "filter",
    placeholder: "Filter",
    autocomplete: "off",
    spellcheck: "false",
  })
  const count = h("p", { class: "muted", role: "status" })
  filter.addEventListener("input", narrow)
  sort(sorted.column, sorted.isDown)
  narrow()

  const element = h(
    "section",
    { "aria-labelledby": "rules" },
    h("h2", { id: "rules" }, "Rules"),
    h(
      "div",
      { class: "tools" },
      h("label", { for: "filter", class: "hidden" }, "Filter rules by name"),
      filter,
      h("span", { class: "narrow" }, h("label", { for: "sort" }, "Sort by "), choice),
      count,
    ),
    h("table", { class: "rules", role: "table" }, h("thead", {}, h("tr", {}, ...heads)), body),
  )
  return {
    element,
    show(rule) {
      filter.value = ""
      narrow()
      const row = entries[rule]?.row
      row?.scrollIntoView({ block: "center" })
      row?.focus()
    },
  }

  function sort(column: number, isDown: boolean): void {
    sorted = { column, isDown }
    const key = (rule: PageRule) => COLUMNS[column]?.key(rule)
    body.append(...entries.toSorted((a, b) => compare(key(a.rule), key(b.rule), isDown)).map(({ row }) => row))
    for (const [index, head] of heads.entries()) {
      if (index === column) head.setAttribute("aria-sort", isDown ? "descending" : "ascending")
      else head.removeAttribute("aria-sort")
    }
    choice.value = `${column}`
  }

  function narrow(): void {
    const wanted = filter.value.trim().toLowerCase()
    let shown = 0
    for (const { rule, row } of entries) {
      const isWanted = `${rule.name}\n${rule.id}`.toLowerCase().includes(wanted)
      row.hidden = !isWanted
      shown += Number(isWanted)
    }
    count.textContent =
      wanted === "" ? counted(rules.length, "rule") : `${number(shown)} of ${counted(rules.length, "rule")}`
  }
}

function rowOf(rule: PageRule, most: Readonly<Record<"cost", number>>): HTMLTableRowElement {
  const cells = COLUMNS.map(({ head, cell }, index) => {
    const content = cell(rule, most)
    return index === 0
      ? h("th", { scope: "row", role: "rowheader" }, ...content)
      : h("td", { role: "cell", "data-head": head }, h("span", {}, ...content))
  })
  return h("tr", { role: "row", tabindex: -1 }, ...cells)
}

function nameCell({ name, id, isOnDisk, lifetime, activation }: PageRule): readonly (Node | string)[] {
  const tags = [
    isOnDisk ? "" : "removed",
    lifetime === "transient" ? "transient" : "",
    { always: "always", conditions: "", hooks: "hooks", onRequest: "on request" }[activation],
  ]
  const shown = tags.filter((tag) => tag !== "").map((tag) => h("span", { class: "tag" }, tag))
  return [h("span", { class: "name" }, h("span", { class: "title" }, name), ...shown), h("span", { class: "path" }, id)]
}

function meter(share: number): HTMLElement {
  const fill = h("i", { class: "meter", "aria-hidden": true })
  setVariables(fill, { "--share": `${share}` })
  return fill
}

/** As wide as most of its like, so that what stands before it is in line. */
function figure(text: string): HTMLElement {
  return h("span", { class: "figure" }, text)
}

function numberOr(value: number | undefined): string {
  return value === undefined || value === 0 ? "–" : number(value)
}

function compare(a: number | string | undefined, b: number | string | undefined, isDown: boolean): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  if (a === b) return 0
  return a < b === isDown ? 1 : -1
}
