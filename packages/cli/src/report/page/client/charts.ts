import { h, setVariables } from "./dom.ts"
import type { Place } from "./roving.ts"
import { setTip, type Tip } from "./tooltip.ts"

export interface Bar {
  readonly value: number
  /** What stands below it; "" for nothing. */
  readonly label: string
  readonly tip: Tip
}

/** A row of bars with one scale. Each can have the focus and has its tip. */
export function bars(
  values: readonly Bar[],
  role: "option" | "img",
): { element: HTMLElement; places: readonly Place[] } {
  const most = Math.max(...values.map(({ value }) => value), 1)
  const places = values.map(({ value, label, tip }, column): Place => {
    const fill = h("i", {})
    const element = h("div", { class: "bar", role, "data-tip": true }, fill, h("span", { "aria-hidden": true }, label))
    setVariables(fill, { "--share": `${value / most}` })
    setTip(element, tip)
    return { element, column }
  })
  return { element: h("div", { class: "bars" }, ...places.map(({ element }) => element)), places }
}
