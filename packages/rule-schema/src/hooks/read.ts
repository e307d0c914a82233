import { readBoolean } from "../families/ci.ts"
import type { Frontmatter } from "../frontmatter/read.ts"
import type { MappingValue, Value } from "../frontmatter/value.ts"
import type { Problems } from "../problems.ts"
import type { RuleHook } from "../rule.ts"
import { readHookMatch } from "./read-match.ts"
import { toolNames } from "./tool-names.ts"

const KEYS: ReadonlySet<string> = new Set(["type", "tool", "match", "block", "run"])
const TYPES: ReadonlyMap<string, RuleHook["type"]> = new Map([
  ["pretooluse", "PreToolUse"],
  ["posttooluse", "PostToolUse"],
])

/**
 * Reads `hooks`: a list of mappings, or one mapping. `tool` is a name, several as a list or as `edit|write`, or `*` (also when
 * it is left out). Any hook that can't be read is one error and breaks the rule: a hook may be there to block.
 */
export function readHooks(frontmatter: Frontmatter, problems: Problems): readonly RuleHook[] {
  const entry = frontmatter.get("hooks")
  if (entry === undefined) return []
  const items = entry.value.kind === "list" ? entry.value.items : [entry.value]
  const isNothing = items.length === 0 || (entry.value.kind === "scalar" && entry.value.value === null)
  if (isNothing) {
    const remedy = "Add a hook such as `- type: PreToolUse`, or remove the key"
    problems.error({ offset: entry.offset, field: "hooks" }, "empty-value", "is empty", remedy)
    return []
  }
  return items.flatMap((item, index) => readHook(item, `hooks[${index}]`, problems))
}

function readHook(value: Value, path: string, problems: Problems): readonly RuleHook[] {
  const fail = (code: string, at: Value, key: string, reason: string, remedy: string) => {
    problems.error({ offset: at.offset, field: key === "" ? path : `${path}.${key}` }, code, reason, remedy)
    return []
  }
  if (value.kind !== "mapping") {
    return fail("wrong-type", value, "", "is no mapping", "Write `type`, `tool`, `match`, `block` and `run` under it")
  }
  const type = TYPES.get(scalarText(value, "type")?.toLowerCase() ?? "")
  const typeValue = value.entries.get("type")?.value ?? value
  if (type === undefined) {
    return fail("wrong-type", typeValue, "type", "is not a hook type", "Write PreToolUse or PostToolUse")
  }
  const toolValue = value.entries.get("tool")?.value
  const tools = toolValue === undefined ? ["*"] : declaredTools(toolValue)
  if (toolValue && tools.length === 0) {
    return fail("wrong-type", toolValue, "tool", "is not a tool's name", 'Write a name such as bash, or "*"')
  }
  const matchValue = value.entries.get("match")?.value
  const match = matchValue === undefined ? undefined : readHookMatch(matchValue, `${path}.match`, problems)
  if (match?.kind === "bad") return []
  const blockValue = value.entries.get("block")?.value
  const block = blockValue === undefined ? false : readBoolean(blockValue)
  if (blockValue && block === undefined) {
    return fail("wrong-type", blockValue, "block", "is neither true nor false", "Write `block: true` or leave it out")
  }
  const runValue = value.entries.get("run")?.value
  const run = scalarText(value, "run")
  if (runValue && !run) {
    return fail("wrong-type", runValue, "run", "is not a shell command", "Write one command as text, or leave it out")
  }
  warnAboutHook(value, path, type, block ?? false, problems)
  return tools.map((tool) => {
    const names = toolNames(tool).map((name) => name.toLowerCase())
    return { type, tool, names, match: match?.match, block: block ?? false, run }
  })
}

function warnAboutHook(
  hook: MappingValue,
  path: string,
  type: RuleHook["type"],
  block: boolean,
  problems: Problems,
): void {
  if (block && type === "PostToolUse") {
    const offset = hook.entries.get("block")?.offset ?? hook.offset
    const reason = "can't block: the tool has already run"
    problems.warning({ offset, field: `${path}.block` }, "useless-block", reason, "Use `type: PreToolUse`")
  }
  for (const { key, offset } of hook.entries.values()) {
    if (KEYS.has(key)) continue
    const remedy = "A hook has `type`, `tool`, `match`, `block` and `run`"
    problems.warning({ offset, field: `${path}.${key}` }, "unknown-key", "is not known", remedy)
  }
}

/** The trimmed source text of a scalar; undefined when there is none. */
function scalarText(hook: MappingValue, key: string): string | undefined {
  const value = hook.entries.get(key)?.value
  if (value?.kind !== "scalar" || value.value === null) return undefined
  return value.text.trim() || undefined
}

function declaredTools(value: Value): readonly string[] {
  const items = value.kind === "list" ? value.items : [value]
  const isAllText = items.every((item) => item.kind === "scalar" && item.value !== null)
  if (!isAllText) return []
  const texts = items.flatMap((item) => (item.kind === "scalar" ? item.text.split(/[|,]/) : []))
  return [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ""))]
}
