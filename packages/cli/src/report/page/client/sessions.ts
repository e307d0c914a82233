import type { PageData, PageSession } from "../data.ts"
import { bars } from "./charts.ts"
import { h } from "./dom.ts"
import { counted, day, number, period, time } from "./format.ts"
import { rove } from "./roving.ts"
import { timeline } from "./timeline.ts"

/** The sessions that are shown in full, one at a time, and a way from one to the next. */
export function sessions(data: PageData): HTMLElement | undefined {
  const { shown, sessions: all } = data
  if (shown.length === 0) return undefined
  // Time runs from left to right.
  const inTime = shown.toReversed()
  const { element: list, places } = bars(
    inTime.map((session) => ({
      value: sizeOf(session),
      label: "",
      tip: {
        title: titleOf(session),
        lines: [summaryOf(session), `about ${number(sizeOf(session))} tokens of rules at its end`],
      },
    })),
    "option",
  )
  list.classList.add("strip")
  list.setAttribute("role", "listbox")
  list.setAttribute("aria-orientation", "horizontal")
  list.setAttribute("aria-label", "Sessions, the newest last")
  const older = h("button", { type: "button" }, "‹ Older")
  const newer = h("button", { type: "button" }, "Newer ›")
  const view = h("div", { class: "session" })
  let current = -1
  older.addEventListener("click", () => select(current - 1))
  newer.addEventListener("click", () => select(current + 1))
  const moveStop = rove(list, [places])
  for (const [index, { element }] of places.entries()) {
    element.addEventListener("click", () => element.focus())
    element.addEventListener("focus", () => select(index))
  }
  select(inTime.length - 1)

  const rest = all - shown.length
  const which =
    rest > 0 ? `The newest ${number(shown.length)}; the other ${number(rest)} count in the figures above. ` : ""
  return h(
    "section",
    { "aria-labelledby": "sessions" },
    h("h2", { id: "sessions" }, shown.length === 1 ? "The session" : "Sessions"),
    h("p", { class: "muted" }, `${which}A bar's height: the tokens of rules in the session's newest request.`),
    shown.length > 1 && h("div", { class: "card chart picker" }, list, h("div", { class: "steps" }, older, newer)),
    view,
  )

  function select(index: number): void {
    const session = inTime[index]
    if (index === current || !session) return
    current = index
    for (const [at, place] of places.entries()) {
      place.element.setAttribute("aria-selected", `${at === index}`)
      if (at === index) moveStop(place)
    }
    requestAnimationFrame(showSelected)
    older.disabled = index === 0
    newer.disabled = index === inTime.length - 1
    view.replaceChildren(sessionCard(session, data))
  }

  /** Where the bars are wider than their box, the page itself stays where it is. */
  function showSelected(): void {
    const selected = places[current]?.element
    if (selected) list.scrollLeft = selected.offsetLeft - list.offsetLeft - list.clientWidth / 2
  }
}

function sessionCard(session: PageSession, { rules }: PageData): HTMLElement {
  const { id, host, folder, isFull, missing } = session
  const place = folder === "" ? "" : ` in ${folder}`
  return h(
    "article",
    { class: "card" },
    h("h3", {}, titleOf(session)),
    h("p", { class: "muted" }, `${summaryOf(session)} · ${host}${place} · `, h("span", { class: "path" }, id)),
    isFull && h("p", { class: "muted" }, "Its receipts reached their size: what happened later is not shown."),
    timeline(session, rules),
    missing.length > 0 && notThere(session, rules),
  )
}

function notThere({ missing }: PageSession, rules: PageData["rules"]): HTMLElement {
  const items = missing.map(({ rule, why, conditions }) =>
    h(
      "li",
      {},
      h("strong", {}, rules[rule]?.name ?? ""),
      h("span", {}, ` ${why}`),
      conditions.length > 0 &&
        h(
          "ul",
          {},
          ...conditions.map(({ met, text }) =>
            h("li", { class: met ? "met" : "" }, met ? "✓ met: " : "✗ not met: ", text),
          ),
        ),
    ),
  )
  return h(
    "details",
    { class: "missing" },
    h("summary", {}, `${counted(missing.length, "rule")} not in the newest request, and why`),
    h("ul", {}, ...items),
  )
}

function titleOf({ startedAt, endedAt }: PageSession): string {
  if (day(startedAt) !== day(endedAt)) return period(startedAt, endedAt)
  return `${day(startedAt)}, ${time(startedAt)}–${time(endedAt)}`
}

function summaryOf({ requests, rows }: PageSession): string {
  const came = rows.filter(({ spans }) => spans.length > 0).length
  return `${counted(requests.length, "request")} · ${counted(came, "rule")} came`
}

function sizeOf({ requests }: PageSession): number {
  return requests.at(-1)?.tokens ?? 0
}
