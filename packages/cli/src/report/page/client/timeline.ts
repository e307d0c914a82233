import type { MarkKind, PageMark, PageRequest, PageRow, PageRule, PageSession } from "../data.ts"
import { h, setVariables } from "./dom.ts"
import { counted, number, time } from "./format.ts"
import { legend, MARK_KINDS, markShape } from "./marks.ts"
import { type Place, rove } from "./roving.ts"
import { setTip } from "./tooltip.ts"

/** The requests that a number stands below, of many. */
const NUMBER_EVERY = 5
const FEW_REQUESTS = 12

/**
 * A session as a grid: requests across, rules down, a mark where something happened with a rule, and a line over the requests that carry it.
 * The head shows the tokens of each request. The grid is one tab stop.
 */
export function timeline({ requests, rows }: PageSession, rules: readonly PageRule[]): HTMLElement {
  if (requests.length === 0) return h("p", { class: "muted" }, "No request was sent.")
  // Where receipts are lost, a number has no request of its own: it stands at the one before.
  const columnOf = (request: number) =>
    Math.max(
      requests.findLastIndex(({ number: own }) => own <= request),
      0,
    ) + 1
  const most = Math.max(...requests.map(({ tokens }) => tokens), 1)
  const head = requests.map((request, index) => headCell(request, index + 1, requests.length, most))
  const lines = rows.map((row) => lineOf(row, rules[row.rule], columnOf))
  const guide = h("i", { class: "guide", role: "none", hidden: true })
  const grid = h(
    "div",
    {
      class: "grid",
      role: "grid",
      "aria-label": "Requests across, rules down. The arrow keys move.",
      "aria-colcount": requests.length + 1,
      "aria-rowcount": rows.length + 1,
    },
    guide,
    h(
      "div",
      { class: "row head", role: "row" },
      h("span", { class: "label", role: "columnheader" }, "tokens"),
      ...head.map(({ element }) => element),
    ),
    ...lines.map(({ element }) => element),
  )
  setVariables(grid, { "--columns": `${requests.length}` })
  rove(
    grid,
    [head, ...lines.map(({ places }) => places)].filter((row) => row.length > 0),
  )
  for (const event of ["pointerover", "focusin"] as const)
    grid.addEventListener(event, ({ target }) => showGuide(target))
  grid.addEventListener("pointerleave", () => {
    guide.hidden = true
  })
  const lifetimes = new Set(rows.map(({ rule }) => rules[rule]?.lifetime ?? "durable"))
  const kinds = new Set(rows.flatMap(({ marks }) => marks.map(({ kind }) => kind)))
  return h("div", { class: "timeline" }, h("div", { class: "scroll" }, grid), legend(kinds, lifetimes))

  function showGuide(target: EventTarget | null): void {
    const column =
      target instanceof Element ? target.closest<HTMLElement>("[data-column]")?.dataset["column"] : undefined
    guide.hidden = column === undefined
    if (column !== undefined) setVariables(guide, { "--column": column })
  }
}

function headCell(
  { number: request, tokens, prompted, did, by, at, isRestart }: PageRequest,
  column: number,
  count: number,
  most: number,
): Place {
  const hasNumber = count <= FEW_REQUESTS || request === 1 || request % NUMBER_EVERY === 0
  const fill = h("i", {})
  setVariables(fill, { "--share": `${tokens / most}` })
  const look = `request${prompted ? " prompted" : ""}${isRestart ? " restart" : ""}`
  const element = cell(
    look,
    "columnheader",
    column,
    fill,
    h("span", { "aria-hidden": true }, hasNumber ? `${request}` : ""),
  )
  const before = [...(prompted ? ["prompt"] : []), ...did]
  setTip(element, {
    title: `Request ${request}, ${time(at)}`,
    lines: [
      `about ${number(tokens)} tokens of rules`,
      ...(isRestart ? ["the host was started again before it"] : []),
      ...(before.length > 0 ? [`before it: ${before.join("; ")}`] : []),
      ...(by === "" ? [] : [by]),
    ],
  })
  return { element, column }
}

function lineOf(
  row: PageRow,
  rule: PageRule | undefined,
  columnOf: (request: number) => number,
): { element: HTMLElement; places: readonly Place[] } {
  const name = rule?.name ?? ""
  const spans = row.spans.map(([from, to]) => {
    const line = h("i", { class: `span ${rule?.lifetime ?? "durable"}`, role: "none" })
    setVariables(line, { "--from": `${columnOf(from)}`, "--length": `${columnOf(to) - columnOf(from) + 1}` })
    return line
  })
  const byRequest = new Map<number, PageMark[]>()
  for (const mark of row.marks) byRequest.set(mark.request, [...(byRequest.get(mark.request) ?? []), mark])
  const places = Array.from(byRequest, ([request, marks]): Place => {
    const shown = strongest(marks.map(({ kind }) => kind))
    const more = marks.length > 1 && h("span", { class: "more", "aria-hidden": true }, `${marks.length}`)
    const column = columnOf(request)
    const element = cell("event", "gridcell", column, markShape(shown), more)
    setTip(element, { title: name, lines: [`request ${request}`, ...marks.map(({ text }) => text)] })
    return { element, column }
  }).toSorted((a, b) => a.column - b.column)
  const label = h("span", { class: "label", role: "rowheader", title: name }, name)
  const carried = row.spans.reduce((sum, [from, to]) => sum + to - from + 1, 0)
  label.append(h("span", { class: "hidden" }, `, in ${counted(carried, "request")}`))
  return {
    element: h("div", { class: "row", role: "row" }, label, ...spans, ...places.map(({ element }) => element)),
    places,
  }
}

function cell(look: string, role: string, column: number, ...children: readonly (Node | false)[]): HTMLElement {
  const element = h(
    "div",
    { class: `cell ${look}`, role, "data-tip": true, "data-column": column, "aria-colindex": column + 1 },
    ...children,
  )
  setVariables(element, { "--column": `${column}` })
  return element
}

function strongest(kinds: readonly MarkKind[]): MarkKind {
  return MARK_KINDS.find((kind) => kinds.includes(kind)) ?? "came"
}
