import { expect, test } from "bun:test"
import type { Element, HTMLElement } from "happy-dom"
import { pageData, plainSession, STORY } from "./data.ts"
import { type OpenPage, openPage } from "./page.ts"

const open = () => openPage(pageData({ shown: [STORY, plainSession("ses_1", 1)] }))
const mark = (page: OpenPage, label: string) => page.one(`.event[aria-label^='${label}']`)

const CAME = ["House style", "request 1", "matched: always, durable, about 180 tokens"]
const ENDED = ["While building", "request 2", "left: ended"]

test("a tip says why, on hover and on focus, until the pointer or the focus leaves", async () => {
  using page = await open()
  const came = mark(page, "House style. request 1")
  const ended = mark(page, "While building. request 2")
  expect(page.tip()).toBeUndefined()
  page.enter(came)
  expect(page.tip()).toEqual(CAME)
  page.leave(came, ended)
  page.enter(ended)
  expect(page.tip()).toEqual(ENDED)
  page.leave(ended)
  expect(page.tip()).toBeUndefined()
  came.focus()
  expect(page.tip()).toEqual(CAME)
  page.one("#filter").focus()
  expect(page.tip()).toBeUndefined()
})

test("a mark's picture has the tip of its cell; what has no tip shows none", async () => {
  using page = await open()
  const came = mark(page, "House style. request 1")
  page.enter(page.one("h1"))
  expect(page.tip()).toBeUndefined()
  page.enter(came.querySelector("path") as Element)
  expect(page.tip()).toEqual(CAME)
  page.leave(came.querySelector("path") as Element, came)
  expect(page.tip()).toEqual(CAME)
})

test("the tip itself can be read: it stays while the pointer is on it", async () => {
  using page = await open()
  const came = mark(page, "House style. request 1")
  page.enter(came)
  page.leave(came, page.one(".tip strong"))
  expect(page.tip()).toEqual(CAME)
  const leaveTip = (to: Element) =>
    page.one(".tip").dispatchEvent(new page.window.PointerEvent("pointerleave", { relatedTarget: to }))
  leaveTip(came)
  expect(page.tip()).toEqual(CAME)
  leaveTip(page.one("h1"))
  expect(page.tip()).toBeUndefined()
})

test("Escape hides it, and no other key does", async () => {
  using page = await open()
  page.enter(mark(page, "House style. request 1"))
  page.press("Enter")
  expect(page.tip()).toEqual(CAME)
  page.press("Escape")
  expect(page.tip()).toBeUndefined()
})

test("after the pointer has left, the tip of what has the focus is there again", async () => {
  using page = await open()
  const came = mark(page, "House style. request 1")
  const ended = mark(page, "While building. request 2")
  came.focus()
  page.enter(ended)
  expect(page.tip()).toEqual(ENDED)
  page.leave(ended)
  expect(page.tip()).toEqual(CAME)
  // Its lines stay the same elements: a reader may have selected some of them.
  const line = page.one(".tip-box strong")
  page.leave(came)
  expect(page.tip()).toEqual(CAME)
  expect(page.one(".tip-box strong") === line).toBe(true)
  page.one("#filter").focus()
  page.enter(ended)
  page.leave(ended)
  expect(page.tip()).toBeUndefined()
})

test("it stands above the middle of its element, below where there is no room, and never out of the window", async () => {
  using page = await open()
  const tip = page.one(".tip")
  Object.defineProperties(tip, { offsetWidth: { value: 100 }, offsetHeight: { value: 40 } })
  Object.defineProperty(page.window.document.documentElement, "clientWidth", { value: 320 })
  const came = mark(page, "House style. request 1")
  const at = (element: HTMLElement, left: number, top: number) => {
    element.getBoundingClientRect = () => new page.window.DOMRect(left, top, 20, 10)
  }
  const placed = (left: number, top: number) => {
    at(came, left, top)
    page.enter(came)
    return [tip.style.left, tip.style.top]
  }
  expect(placed(150, 200)).toEqual(["110px", "160px"])
  expect(placed(0, 200)).toEqual(["0px", "160px"])
  expect(placed(310, 200)).toEqual(["220px", "160px"])
  expect(placed(150, 41)).toEqual(["110px", "1px"])
  expect(placed(150, 40)).toEqual(["110px", "50px"])

  at(came, 150, 300)
  page.window.dispatchEvent(new page.window.Event("scroll"))
  expect(tip.style.top).toBe("260px")
  page.press("Escape")
  at(came, 150, 500)
  page.window.dispatchEvent(new page.window.Event("scroll"))
  expect(tip.style.top).toBe("260px")
})

test("a window that is narrower than the tip shows its beginning", async () => {
  using page = await open()
  Object.defineProperties(page.one(".tip"), { offsetWidth: { value: 400 } })
  Object.defineProperty(page.window.document.documentElement, "clientWidth", { value: 320 })
  page.enter(mark(page, "House style. request 1"))
  expect(page.one(".tip").style.left).toBe("0px")
})
