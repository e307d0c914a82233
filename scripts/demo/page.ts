import { join, relative } from "node:path"
import { startChromium } from "@opencode-rulebook/host-lab"
import { madeRules, madeSession } from "../../packages/cli/test/support/many.ts"
import { madeProject } from "../../packages/host-lab/test/page/made-project.ts"
import { root } from "../install.ts"

const SESSIONS = 60
/** Between two sessions, in minutes. */
const GAP = 300
const SIZE = { width: 1180, height: 1040 }
const PICTURE = join(root, "docs/images/report")

/**
 * Writes the report of a made-up project's sessions as a page, and pictures of it into `docs/images`, light and dark.
 *
 * @returns the exit code.
 */
export async function runPage(): Promise<number> {
  const rules = madeRules(16)
  const texts = Object.fromEntries(rules.map(({ rule, text }) => [rule.id.replace("project:", ""), text]))
  await using project = await madeProject(texts, (directory) =>
    Array.from({ length: SESSIONS }, (_, index) => madeSession(rules, SESSIONS - index - 1, { directory, gap: GAP })),
  )
  const { code, err } = await project.run("report", "--html", "report.html")
  if (code !== 0) {
    console.error(err)
    return code
  }
  await using chromium = await startChromium()
  for (const [colorScheme, file] of [
    ["light", `${PICTURE}.png`],
    ["dark", `${PICTURE}-dark.png`],
  ] as const) {
    await using opened = await chromium.open(join(project.directory, "report.html"), { colorScheme, viewport: SIZE })
    const { page } = opened
    // From the sessions on: a timeline says more than figures do.
    await page.evaluate("scrollTo(0, document.getElementById('sessions').offsetTop - 48)")
    await page.locator(".event .stopped").first().hover()
    await page.screenshot({ path: file })
    console.log(`Wrote ${relative(root, file)}`)
  }
  return 0
}
