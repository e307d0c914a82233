import { quoted } from "@opencode-rulebook/rule-schema/authoring"
import type { Lint } from "./lint.ts"
import { writtenNames } from "./written-names.ts"

/** Rules ignore it, but people and other tools don't. */
export const nameCase: Lint = {
  code: "name-case",
  about: "An agent, command, tool or model in another case than its own. Rules ignore case.",
  check(subject, { names }) {
    return writtenNames(subject, names)
      .filter(({ text, real }) => real !== undefined && real !== text)
      .map(({ text, real = "", kind, offset, field }) => ({
        offset,
        field,
        reason: `the ${kind} ${quoted(text)} is called ${quoted(real)}; rules ignore case, so it still matches`,
        remedy: `Write \`${real}\``,
      }))
  },
}
