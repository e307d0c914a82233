import type { PageData, PageItem } from "../data.ts"
import { bars } from "./charts.ts"
import { h } from "./dom.ts"
import { counted, dayOfYear, number, period, short } from "./format.ts"
import { rove } from "./roving.ts"

/** Fewer days are not a course. */
const FEWEST_DAYS = 3

/** How many items of a finding are shown before the rest is asked for. */
const SHOWN_ITEMS = 5

/** The page's head: what it is about, and the few numbers that matter. */
export function header(data: PageData): HTMLElement {
  const { project, startedAt, endedAt, sessions, requests, tokens, rules } = data
  const name = project.slice(Math.max(project.lastIndexOf("/"), project.lastIndexOf("\\")) + 1)
  const came = rules.filter(({ carried }) => carried > 0).length
  const figures: readonly (readonly [value: string, label: string])[] = [
    [number(sessions), sessions === 1 ? "session" : "sessions"],
    [number(requests), requests === 1 ? "request" : "requests"],
    [`${number(came)} of ${number(rules.length)}`, "rules came at least once"],
    [`≈ ${number(tokens)}`, "tokens of rules in a request"],
  ]
  return h(
    "header",
    {},
    h("p", { class: "overline" }, "Rule report"),
    h("h1", {}, name || project),
    h("p", { class: "muted" }, `${period(startedAt, endedAt)} · `, h("span", { class: "path" }, project)),
    h(
      "dl",
      { class: "figures" },
      ...figures.map(([value, label]) => h("div", {}, h("dt", {}, label), h("dd", {}, value))),
    ),
  )
}

/**
 * What to do about the rules, a card for each kind.
 *
 * @param show shows a rule of the page's list.
 */
export function findings({ findings: all }: PageData, show: (rule: number) => void): HTMLElement | undefined {
  if (all.length === 0) return undefined
  const cards = all.map(({ title, advice, items }) => {
    const list = (some: readonly PageItem[]) => h("ul", {}, ...some.map((item) => h("li", {}, ...itemOf(item, show))))
    const rest = items.slice(SHOWN_ITEMS)
    return h(
      "section",
      { class: "card finding" },
      h("h3", {}, title, h("span", { class: "count" }, number(items.length))),
      h("p", { class: "muted" }, ...withCode(advice)),
      list(items.slice(0, SHOWN_ITEMS)),
      rest.length > 0 && h("details", {}, h("summary", {}, `${number(rest.length)} more`), list(rest)),
    )
  })
  return h(
    "section",
    { "aria-labelledby": "findings" },
    h("h2", { id: "findings" }, "Worth a look"),
    h("div", { class: "cards" }, ...cards),
  )
}

function itemOf({ text, note, rule }: PageItem, show: (rule: number) => void): readonly HTMLElement[] {
  const after = h("span", { class: "note" }, note)
  if (rule === undefined) return [h("span", {}, text), after]
  const button = h("button", { type: "button", class: "link" }, text)
  button.addEventListener("click", () => show(rule))
  return [button, after]
}

/** Texts between backticks are code. */
function withCode(text: string): readonly (Node | string)[] {
  return text.split("`").map((part, index) => (index % 2 === 0 ? part : h("code", {}, part)))
}

/** The tokens of a request, day by day. A course needs some days. */
export function days({ days: all }: PageData): HTMLElement | undefined {
  if (all.length < FEWEST_DAYS) return undefined
  const every = Math.ceil(all.length / 8)
  const { element, places } = bars(
    all.map(({ day, tokens, sessions, requests }, index) => ({
      value: tokens,
      label: index % every === 0 ? dayOfYear(day) : "",
      tip: {
        title: dayOfYear(day),
        lines: [
          `about ${number(tokens)} tokens of rules in a request`,
          `${counted(sessions, "session")}, ${counted(requests, "request")}`,
        ],
      },
    })),
    "img",
  )
  const most = Math.max(...all.map(({ tokens }) => tokens))
  rove(element, [places])
  element.setAttribute("role", "group")
  element.setAttribute("aria-label", "Tokens of rules in a request, by day. The arrow keys move.")
  return h(
    "section",
    { "aria-labelledby": "days" },
    h("h2", { id: "days" }, "Tokens over time"),
    h("p", { class: "muted" }, `Of all rules in a request, on average of a day. The most was about ${short(most)}.`),
    h("div", { class: "card chart" }, element),
  )
}
