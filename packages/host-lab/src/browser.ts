import { type BrowserContextOptions, chromium, type Page } from "playwright-core"
import { findChromium } from "./chromium.ts"

/** It works for the page alone: no updates, no services in the background, no GPU; and as root, as in containers, no sandbox. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
]

/** Headless Chromium. */
export interface Browser extends AsyncDisposable {
  /**
   * Opens a file as somebody would who has no other page open. Times are in UTC.
   *
   * @param file absolute.
   */
  open(file: string, options?: BrowserContextOptions): Promise<OpenedPage>
}

/** A page, and what it did that nobody should see. */
export interface OpenedPage extends AsyncDisposable {
  readonly page: Page
  /** Messages on the console and errors that nobody caught. */
  readonly complaints: readonly string[]
  /** Addresses that it asked for beside its own. */
  readonly requests: readonly string[]
}

/**
 * Starts Chromium with a profile of its own, which goes with it.
 *
 * @throws when Chromium is not installed.
 */
export async function startChromium(): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === undefined)
    throw new Error(
      "Chromium is missing: `bun run verify` installs it as root on Debian, and says elsewhere what to do",
    )
  const browser = await chromium.launch({ executablePath, args: FLAGS })
  return {
    open: (file, options) => openPage(browser, `file://${file}`, options),
    [Symbol.asyncDispose]: () => browser.close(),
  }
}

async function openPage(
  browser: Awaited<ReturnType<typeof chromium.launch>>,
  address: string,
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const context = await browser.newContext({ timezoneId: "UTC", ...options })
  const page = await context.newPage()
  const complaints: string[] = []
  const requests: string[] = []
  page.on("console", (message) => complaints.push(message.text()))
  page.on("pageerror", (error) => complaints.push(error.message))
  page.on("request", (request) => request.url() !== address && requests.push(request.url()))
  await page.goto(address)
  return { page, complaints, requests, [Symbol.asyncDispose]: () => context.close() }
}
