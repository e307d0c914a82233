import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { join } from "node:path"
import { madeRules, madeSession } from "../../../cli/test/support/many.ts"
import { delivered, matched, receiptRule, script } from "../../../cli/test/support/receipts.ts"
import { type Browser, type OpenedPage, startChromium } from "../../src/index.ts"
import { type MadeProject, madeProject } from "./made-project.ts"

setDefaultTimeout(180_000)

const SESSIONS = 60
const RULES = madeRules(32)
/** What would run, load or break out if it were markup. */
const HOSTILE = `</script><script>window.broken=1</script><img src=x onerror="window.broken=2"><!--<script>`

let chromium: Browser
let made: MadeProject
let hostile: MadeProject
beforeAll(async () => {
  chromium = await startChromium()
  const texts = Object.fromEntries(RULES.map(({ rule, text }) => [rule.id.replace("project:", ""), text]))
  made = await madeProject(texts, (directory) =>
    Array.from({ length: SESSIONS }, (_, index) => madeSession(RULES, SESSIONS - index - 1, { directory })),
  )
  hostile = await madeProject({}, (directory) => [
    script({ directory, id: HOSTILE })
      .begin([receiptRule("a.md", { name: HOSTILE }), receiptRule("b.md", { name: "\u202eb" })], [HOSTILE])
      .add(matched("a.md", "file", HOSTILE))
      .request({ did: [{ tool: HOSTILE, paths: [HOSTILE] }], agent: HOSTILE, model: HOSTILE, tokens: 100 })
      .add(delivered("a.md")),
  ])
  for (const project of [made, hostile])
    expect(await project.run("report", "--html", "r.html")).toMatchObject({ code: 0, err: "" })
})
afterAll(async () => {
  await chromium[Symbol.asyncDispose]()
  await made[Symbol.asyncDispose]()
  await hostile[Symbol.asyncDispose]()
})

type View = Parameters<Browser["open"]>[1]

/** Opens the page, does something with it, and holds it to being quiet. */
async function onPage(
  project: MadeProject,
  view: View,
  use: (page: OpenedPage["page"]) => Promise<void>,
): Promise<void> {
  await using opened = await chromium.open(join(project.directory, "r.html"), view)
  await use(opened.page)
  expect({ complaints: opened.complaints, requests: opened.requests }).toEqual({ complaints: [], requests: [] })
}

/** The names in the table, in its order. */
function names(page: OpenedPage["page"]): Promise<string[]> {
  return page.locator(".rules tbody tr:not([hidden]) .title").allInnerTexts()
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`${colorScheme}: it follows the system, and no width makes the page scroll to the side`, async () => {
    await onPage(made, { colorScheme }, async (page) => {
      const paper = await page.evaluate("getComputedStyle(document.body).backgroundColor")
      expect(paper).toBe(colorScheme === "light" ? "rgb(250, 249, 246)" : "rgb(21, 22, 24)")
      for (const width of [320, 375, 768, 900, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        expect([width, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([width, width])
      }
    })
  })
}

test("the table sorts by keyboard, says how, and filters", async () => {
  await onPage(made, {}, async (page) => {
    const head = (name: string) => page.getByRole("columnheader", { name, exact: true })
    expect(await head("Tokens in all").getAttribute("aria-sort")).toBe("descending")
    await head("Rule").getByRole("button").focus()
    await page.keyboard.press("Enter")
    expect(await head("Rule").getAttribute("aria-sort")).toBe("ascending")
    expect(await head("Tokens in all").getAttribute("aria-sort")).toBeNull()
    const all = await names(page)
    expect(all).toHaveLength(RULES.length)
    expect(all).toEqual(all.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)))
    await page.keyboard.press("Space")
    expect(await head("Rule").getAttribute("aria-sort")).toBe("descending")
    expect(await names(page)).toEqual(all.toReversed())
    // By a number, the largest first.
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    const shares = await page.locator("td[data-head='Matched in']").allInnerTexts()
    expect(shares.map((text) => Number.parseInt(text, 10))).toEqual(
      shares.map((text) => Number.parseInt(text, 10)).toSorted((a, b) => b - a),
    )
    await page.getByLabel("Filter rules by name").fill("MAILS")
    expect(await names(page)).toEqual(["Mails", "Mails 2"])
    expect(await page.getByRole("status").innerText()).toBe("2 of 32 rules")
  })
})

test("a mark says why on hover and on focus, until Escape; the grid is one tab stop with arrow keys", async () => {
  await onPage(made, {}, async (page) => {
    const tip = page.getByRole("tooltip", { includeHidden: true })
    const mark = page.locator(".event").first()
    expect(await tip.isVisible()).toBe(false)
    await mark.hover()
    expect(await tip.innerText()).toMatch(/^House style\s+request 1\s+matched: always, durable, about 180 tokens$/)
    await page.keyboard.press("Escape")
    expect(await tip.isVisible()).toBe(false)
    await page.mouse.move(0, 0)

    const stops = page.locator(".grid [tabindex='0']")
    expect(await stops.count()).toBe(1)
    await stops.focus()
    expect(await tip.innerText()).toContain("Request 1, ")
    await page.keyboard.press("ArrowDown")
    expect(await tip.innerText()).toStartWith("House style")
    await page.keyboard.press("ArrowDown")
    expect(await tip.innerText()).toMatch(/^While building\s+request 1\s+matched: agent build/)
    expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toStartWith(
      "While building. request 1.",
    )
    await page.keyboard.press("Control+Home")
    await page.keyboard.press("End")
    const last = await page.locator(".request").count()
    expect(await tip.innerText()).toContain(`Request ${last}, `)
    expect(await stops.count()).toBe(1)
    await page.keyboard.press("Tab")
    expect(await tip.isVisible()).toBe(false)
  })
})

test("sessions are chosen by keyboard, the newest first; the older ones count in the figures alone", async () => {
  await onPage(made, {}, async (page) => {
    expect(await page.getByRole("option").count()).toBe(50)
    expect(await page.locator("main").innerText()).toContain("The newest 50; the other 10 count in the figures above.")
    const title = page.locator("article h3")
    const newest = await title.innerText()
    expect(newest).toBe("30 Nov 2026, 12:00–12:16")
    expect(await page.locator(".strip [tabindex='0']").getAttribute("aria-selected")).toBe("true")
    await page.getByRole("option", { selected: true }).focus()
    await page.keyboard.press("ArrowLeft")
    expect(await title.innerText()).toStartWith("30 Nov 2026, 11:19")
    await page.getByRole("button", { name: "Newer" }).press("Enter")
    expect(await title.innerText()).toBe(newest)
    expect(await page.getByRole("button", { name: "Newer" }).isDisabled()).toBe(true)
    await page.locator(".missing summary").press("Enter")
    expect(await page.locator(".missing li").first().innerText()).toContain("none of its conditions is met")
  })
})

test("a finding leads to its rule in the table", async () => {
  await onPage(made, {}, async (page) => {
    await page.getByRole("button", { name: "Java", exact: true }).press("Enter")
    expect(await page.evaluate("document.activeElement.innerText")).toStartWith("Java")
  })
})

test("names are text: nothing in them runs or is loaded, and all of it can be read", async () => {
  await onPage(hostile, {}, async (page) => {
    expect(await page.title()).toStartWith("Rules of ")
    expect(await names(page)).toEqual([HOSTILE, "\\u202eb"])
    await page.locator(".event").first().hover()
    expect(await page.getByRole("tooltip", { includeHidden: true }).innerText()).toContain(HOSTILE)
    expect(await page.evaluate("[window.broken, document.images.length, document.scripts.length]")).toEqual([
      undefined,
      0,
      2,
    ])
  })
})

test("its policy lets no other code run and nothing be loaded", async () => {
  await using opened = await chromium.open(join(made.directory, "r.html"))
  await opened.page.evaluate(`{
    const script = document.createElement("script")
    script.textContent = "window.broken = 1"
    const image = new Image()
    image.src = "https://example.com/x.png"
    document.body.append(script, image)
  }`)
  expect(await opened.page.evaluate("window.broken")).toBeUndefined()
  expect(opened.complaints.filter((text) => text.includes("Content Security Policy"))).toHaveLength(2)
})
