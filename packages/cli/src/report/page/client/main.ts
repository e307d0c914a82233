import type { PageData } from "../data.ts"
import { h } from "./dom.ts"
import { day, time } from "./format.ts"
import { days, findings, header } from "./overview.ts"
import { rulesTable } from "./rules-table.ts"
import { sessions } from "./sessions.ts"
import { showTips } from "./tooltip.ts"

const data = JSON.parse(document.getElementById("data")?.textContent ?? "") as PageData
const page = document.getElementById("page")
if (page) show(page)

function show(root: HTMLElement): void {
  const table = rulesTable(data)
  const notes = [
    ...data.notes,
    `Made by opencode-rulebook on ${day(data.madeAt)}, ${time(data.madeAt)}. Tokens are estimates.`,
  ]
  const parts = [header(data), findings(data, table.show), days(data), sessions(data), table.element]
  root.append(
    ...parts.filter((part) => part !== undefined),
    h("footer", {}, ...notes.map((note) => h("p", { class: "muted" }, note))),
  )
  showTips(root)
}
