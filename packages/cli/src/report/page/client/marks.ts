import type { MarkKind } from "../data.ts"
import { h, svg } from "./dom.ts"

/** What each kind of mark looks like, in a square of 16: a shape of its own beside its colour. */
const SHAPES: Readonly<Record<MarkKind, { readonly label: string; readonly path: string; readonly isLine?: true }>> = {
  came: { label: "came", path: "M8 3a5 5 0 1 1 0 10a5 5 0 1 1 0-10z" },
  hook: { label: "came by a hook", path: "M8 1.8l6.2 6.2l-6.2 6.2l-6.2-6.2z" },
  again: { label: "came again", path: "M12.6 8a4.6 4.6 0 1 1-1.5-3.4M11.6 1.6v3.4h-3.4", isLine: true },
  reminded: { label: "reminder", path: "M8 2.2l6 10.8h-12z" },
  left: { label: "left", path: "M2.5 8h7M12 4v8", isLine: true },
  stopped: { label: "stopped a call", path: "M3.8 3.8l8.4 8.4M12.2 3.8l-8.4 8.4", isLine: true },
  forbidden: { label: "was broken", path: "M8 2.5v6.6M8 12.4v.9", isLine: true },
  followed: { label: "was followed", path: "M3 8.6l3.4 3.4l6.6-7.4", isLine: true },
}

/** Those that matter most first: a cell with several shows the first. */
export const MARK_KINDS: readonly MarkKind[] = [
  "stopped",
  "forbidden",
  "came",
  "hook",
  "again",
  "reminded",
  "followed",
  "left",
]

/** A mark's picture. */
export function markShape(kind: MarkKind): SVGElement {
  const { path, isLine } = SHAPES[kind]
  const look = isLine ? "line" : "solid"
  return svg(
    "svg",
    { viewBox: "0 0 16 16", class: `mark ${kind} ${look}`, "aria-hidden": true },
    svg("path", { d: path }),
  )
}

/** What the marks of the given kinds mean, and the lines. */
export function legend(kinds: ReadonlySet<MarkKind>, lifetimes: ReadonlySet<string>): HTMLElement {
  const order: readonly MarkKind[] = ["came", "hook", "again", "reminded", "left", "stopped", "forbidden", "followed"]
  const marks = order.filter((kind) => kinds.has(kind)).map((kind) => h("li", {}, markShape(kind), SHAPES[kind].label))
  const line = (lifetime: string, label: string) => {
    return lifetimes.has(lifetime) && h("li", {}, h("i", { class: `span ${lifetime}` }), label)
  }
  const lines = [line("durable", "is there"), line("transient", "is there, transient")]
  return h("ul", { class: "legend", "aria-label": "What the marks mean" }, ...marks, ...lines)
}
