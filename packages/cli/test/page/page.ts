import { join } from "node:path"
import { type Element, type HTMLElement, type Node, Window } from "happy-dom"
import type { PageData } from "../../src/report/page/data.ts"

const MAIN = join(import.meta.dir, "../../src/report/page/client/main.ts")
/** What the page's code takes from the browser. */
const GLOBALS = ["document", "Element", "HTMLElement", "Node", "addEventListener", "requestAnimationFrame"] as const

/** The report's page in a document without layout. */
export interface OpenPage {
  readonly window: Window
  /** The one element that a selector finds and that has the text, where one is given. */
  one(selector: string, text?: string): HTMLElement
  /** The texts of all elements that a selector finds and that are not hidden. */
  texts(selector: string): readonly string[]
  /** What a reader and a screen reader get of an element, one element a line. */
  outline(selector: string): string
  click(selector: string, text?: string): void
  /** A key on the element that has the focus. */
  press(key: string, more?: { readonly ctrlKey?: boolean }): { readonly isTaken: boolean }
  /** The text of the element that has the focus, or what it is called. */
  focused(): string
  /** Moves the pointer onto an element, from another one or from outside. */
  enter(element: Element): void
  leave(element: Element, to?: Element): void
  /** What the tip says, line by line; undefined: it is hidden. */
  tip(): readonly string[] | undefined
  /** What the page does before it is drawn the next time. */
  draw(): void
  [Symbol.dispose](): void
}

let opened = 0

/** Opens the page as a browser would. It takes some of the test process's globals until it is disposed of. */
export async function openPage(data: PageData): Promise<OpenPage> {
  const window = new Window({ url: "https://localhost/" })
  const { document } = window
  const drawing: (() => void)[] = []
  document.body.innerHTML = '<main id="page"></main><script type="application/json" id="data"></script>'
  found("#data").textContent = JSON.stringify(data)
  const before = GLOBALS.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const)
  const taken: Readonly<Record<(typeof GLOBALS)[number], unknown>> = {
    document,
    Element: window.Element,
    HTMLElement: window.HTMLElement,
    Node: window.Node,
    addEventListener: window.addEventListener.bind(window),
    requestAnimationFrame: (draw: () => void) => drawing.push(draw),
  }
  for (const name of GLOBALS)
    Object.defineProperty(globalThis, name, { value: taken[name], configurable: true, writable: true })
  opened += 1
  // Its code runs when it is loaded, and each name is loaded once.
  await import(`${MAIN}?${opened}`)

  return {
    window,
    one: found,
    texts: (selector) => all(selector).flatMap((element) => (isHidden(element) ? [] : (element.textContent ?? ""))),
    outline: (selector) => outlineOf(found(selector)).join("\n"),
    click(selector, text) {
      found(selector, text).click()
    },
    press(key, { ctrlKey = false } = {}) {
      const event = new window.KeyboardEvent("keydown", { key, ctrlKey, bubbles: true, cancelable: true })
      return { isTaken: !(document.activeElement ?? document.body).dispatchEvent(event) }
    },
    focused: () => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "",
    enter(element) {
      element.dispatchEvent(new window.PointerEvent("pointerover", { bubbles: true }))
    },
    leave(element, to) {
      element.dispatchEvent(new window.PointerEvent("pointerout", { bubbles: true, ...(to && { relatedTarget: to }) }))
    },
    tip() {
      const tip = found(".tip")
      return isHidden(tip) ? undefined : Array.from(found(".tip-box").children, (line) => line.textContent ?? "")
    },
    draw() {
      for (const next of drawing.splice(0)) next()
    },
    [Symbol.dispose]() {
      for (const [name, descriptor] of before) {
        if (descriptor) Object.defineProperty(globalThis, name, descriptor)
        else Reflect.deleteProperty(globalThis, name)
      }
    },
  }

  function all(selector: string): readonly HTMLElement[] {
    return Array.from(document.querySelectorAll(selector)) as HTMLElement[]
  }

  function found(selector: string, text?: string): HTMLElement {
    const elements = all(selector).filter(({ textContent }) => text === undefined || textContent === text)
    const [element] = elements
    if (!element || elements.length > 1) throw new Error(`${elements.length} elements are ${selector} ${text ?? ""}`)
    return element
  }
}

function isHidden(element: Element): boolean {
  return element.closest("[hidden]") !== null
}

/** `p.muted "Text"`: classes, attributes and variables of the style as they are, what is inside indented. Pictures are not looked into. */
function outlineOf(element: Element): readonly string[] {
  const classes = Array.from(element.classList, (name) => `.${name}`).join("")
  const attributes = Array.from(element.attributes).flatMap(({ name, value }) => {
    if (name === "class") return []
    return value === "" ? ` ${name}` : ` ${name}=${JSON.stringify(value)}`
  })
  const name = element.tagName.toLowerCase() + classes + attributes.join("")
  if (name.startsWith("svg")) return [name]
  const children = Array.from(element.childNodes).filter(
    ({ textContent, nodeType }) => textContent !== "" || nodeType === 1,
  )
  const [only] = children
  if (only && children.length === 1 && isText(only)) return [`${name} ${textOf(only)}`]
  const inside = children.flatMap((child) => (isText(child) ? [textOf(child)] : outlineOf(child as Element)))
  return [name, ...inside.map((line) => `  ${line}`)]
}

function isText({ nodeType }: Node): boolean {
  return nodeType === 3
}

function textOf({ textContent }: Node): string {
  return JSON.stringify(textContent)
}
