import { relative } from "node:path"
import { visible } from "@opencode-rulebook/rule-schema/authoring"
import type { Lint } from "./lint.ts"

/** Names that were written; two files of one name in two folders are common and clear by their paths. */
export const duplicateName: Lint = {
  code: "duplicate-name",
  about: "Two rules with the same `name`: the model and the sidebar can't tell them apart.",
  check({ rule, source }, { rules, directory }) {
    const entry = source.entry("name")
    const first = rules.find((other) => other.rule.name === rule.name && other.source.entry("name") !== undefined)
    if (entry === undefined || first === undefined || first.rule.id === rule.id) return []
    const reason = `is the name of ${visible(relative(directory, first.rule.file))} too`
    return [
      { offset: entry.value.offset, field: "name", reason, remedy: "Give one of them another name, or merge the two" },
    ]
  },
}
