import { h } from "./dom.ts"

/** What is shown beside an element while the pointer is on it or it has the focus. */
export interface Tip {
  readonly title: string
  readonly lines: readonly string[]
}

const tips = new WeakMap<Element, Tip>()

/** Gives an element a tip, and the same text to those who can't see it. */
export function setTip(element: Element, tip: Tip): void {
  tips.set(element, tip)
  element.setAttribute("aria-label", [tip.title, ...tip.lines].join(". "))
}

/** Shows the tips of all elements below a root: on hover and on focus, until Escape. */
export function showTips(root: HTMLElement): void {
  const box = h("div", { class: "tip-box", "aria-hidden": true })
  const tip = h("div", { class: "tip", role: "tooltip", hidden: true }, box)
  document.body.append(tip)
  let owner: Element | undefined

  root.addEventListener("pointerover", ({ target }) => show(target))
  root.addEventListener("focusin", ({ target }) => show(target))
  root.addEventListener("focusout", hide)
  root.addEventListener("pointerout", ({ relatedTarget }) => leave(relatedTarget))
  tip.addEventListener("pointerleave", ({ relatedTarget }) => leave(relatedTarget))
  document.addEventListener("keydown", ({ key }) => key === "Escape" && hide())
  addEventListener("scroll", () => owner && place(owner.getBoundingClientRect()), { capture: true, passive: true })

  function show(target: EventTarget | null): void {
    const element = target instanceof Element ? target.closest("[data-tip]") : null
    const content = element && tips.get(element)
    if (!element || !content) return
    owner = element
    box.replaceChildren(h("strong", {}, content.title), ...content.lines.map((line) => h("span", {}, line)))
    tip.hidden = false
    place(element.getBoundingClientRect())
  }

  /** What the pointer moves on to may be the tip itself: it can be read and selected. */
  function leave(to: EventTarget | null): void {
    if (to instanceof Node && (tip.contains(to) || owner?.contains(to))) return
    const focused = document.activeElement
    if (focused === owner) return
    if (focused && tips.has(focused)) show(focused)
    else hide()
  }

  function hide(): void {
    owner = undefined
    tip.hidden = true
  }

  function place({ left, top, bottom, width }: DOMRect): void {
    const { offsetWidth, offsetHeight } = tip
    const most = document.documentElement.clientWidth - offsetWidth
    const above = top - offsetHeight
    tip.style.left = `${Math.max(Math.min(left + width / 2 - offsetWidth / 2, most), 0)}px`
    tip.style.top = `${above > 0 ? above : bottom}px`
  }
}
