import type { FramedRule } from "./frames.ts"
import type { KnownRule } from "./rule-files.ts"

/** The rules of a test's files by their text. */
export type KnownRules = ReadonlyMap<string, readonly KnownRule[]>

const NOTICE = /^"(?:[^"\\]|\\.)+" was added to .+\. This rule forbids it: take it out\.$/
const MORE_NOTICES = /^The same holds for \d+ more places\.$/
const INDEX_NAME = "Rules on request"
const INDEX =
  "These rules are not in the conversation. Before you work on what one of them describes, read its file and follow it."

/** The rules by their text. */
export function knownRules(rules: readonly KnownRule[]): KnownRules {
  return Map.groupBy(rules, ({ body }) => body)
}

/** Whether a rule is one of the files', whole: its text, its reminder, a notice that it was broken, or the index of rules on request. */
export function isOfFile(rule: FramedRule, known: KnownRules): boolean {
  const { name, body } = rule
  if (filesOf(rule, known).length > 0) return true
  if (name === INDEX_NAME)
    return body.split("\n").every((line, at) => (at === 0 ? line === INDEX : /^- .+: .+ \(.+\)$/.test(line)))
  const rest = withoutNotices(body)
  if (rest === "" && body !== "") return true
  return Array.from(known.values())
    .flat()
    .some((rule) => isNamed(rule.name, name) && rule.reminder === rest)
}

/** Names are compared without what frames show in other characters. */
function isNamed(name: string, shown: string): boolean {
  const plain = (text: string) => text.replace(/&\w+;/g, "").replace(/[^\p{L}\p{N}]+/gu, "")
  return plain(name) === plain(shown)
}

function withoutNotices(body: string): string {
  const lines = body.split("\n")
  const end = lines.findIndex((line) => !NOTICE.test(line) && !MORE_NOTICES.test(line))
  return end < 0 ? "" : lines.slice(end).join("\n")
}

/** Whether a rule may be in a request twice, as the same text: a reminder or a notice may. */
export function mayRepeat(rule: FramedRule, known: KnownRules): boolean {
  const files = filesOf(rule, known)
  return files.length === 0 ? rule.name !== INDEX_NAME : files.every(({ isRepeated }) => isRepeated)
}

/** Whether a rule can leave a request again, as the agent, the model, the branch or the tools change. */
export function isTransient(rule: FramedRule, known: KnownRules): boolean {
  return filesOf(rule, known).some((file) => file.isTransient)
}

function filesOf({ name, body }: FramedRule, known: KnownRules): readonly KnownRule[] {
  return (known.get(body) ?? []).filter((file) => isNamed(file.name, name))
}
