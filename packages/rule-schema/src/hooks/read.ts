import type { Frontmatter } from "../frontmatter/read.ts"
import { type Entry, itemsOf, type MappingValue, type Value } from "../frontmatter/value.ts"
import { isTypoOf, simpleForm } from "../near-keys.ts"
import type { Problems } from "../problems.ts"
import type { RuleHook } from "../rule.ts"
import type { ValueField } from "../value-field.ts"
import { HOOK_KEYS } from "./fields.ts"
import { toolNames } from "./tool-names.ts"

type HookKey = keyof typeof HOOK_KEYS
const KEYS = Object.keys(HOOK_KEYS) as readonly HookKey[]

/** What other tools call a hook's keys: without them the hook would fire on other calls, or do something else. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  matcher: "`tool` for a tool's name or `match` for an expression",
  command: "`run` for a command to start or `match: { command: … }` for the one in the call",
  event: "`type`",
  pattern: "`match`",
  regex: "`match`",
}
const EXAMPLE = "Write for example `hooks: [{ type: PreToolUse, tool: bash, block: true }]`"

/**
 * Reads `hooks`: a list of mappings, or one mapping. A key that is left out is its default: every tool, every call, no block, no
 * command. Any hook that can't be read is an error and breaks the rule: a hook may be there to block.
 */
export function readHooks(frontmatter: Frontmatter, problems: Problems): readonly RuleHook[] {
  const entry = frontmatter.get("hooks")
  if (entry === undefined) return []
  const items = itemsOf(entry.value)
  const isNothing = items.length === 0 || (entry.value.kind === "scalar" && entry.value.value === null)
  if (isNothing) {
    problems.error({ offset: entry.offset, field: "hooks" }, "empty-value", "is empty", `${EXAMPLE}, or remove the key`)
    return []
  }
  return items.flatMap((item, index) => readHook(item, `hooks[${index}]`, problems))
}

function readHook(value: Value, path: string, problems: Problems): readonly RuleHook[] {
  if (value.kind !== "mapping") {
    problems.error(
      { offset: value.offset, field: path },
      "wrong-type",
      "a hook is a list item with `type`, `tool` …",
      EXAMPLE,
    )
    return []
  }
  const entries = knownEntries(value, path, problems)
  const type = read("type", HOOK_KEYS.type)
  const tools = read("tool", HOOK_KEYS.tool) ?? ["*"]
  const match = read("match", HOOK_KEYS.match)
  const block = read("block", HOOK_KEYS.block) ?? false
  const run = read("run", HOOK_KEYS.run)
  if (!entries.has("type")) {
    const at = { offset: value.offset, field: `${path}.type` }
    problems.error(at, "wrong-type", "`type` is missing", "Add `type: PreToolUse` or `type: PostToolUse`")
  }
  if (type === undefined) return []
  if (block !== false && type === "PostToolUse") {
    const at = { offset: entries.get("block")?.offset ?? value.offset, field: `${path}.block` }
    problems.warning(at, "useless-block", "can't block: the tool has already run", "Use `type: PreToolUse`")
  }
  return tools.map((tool) => {
    const names = toolNames(tool).map((name) => name.toLowerCase())
    return { type, tool, names, match, block, run }
  })

  function read<Read>(key: HookKey, field: ValueField<Read>): Read | undefined {
    const declared = entries.get(key)?.value
    return declared && field.read(declared, { offset: declared.offset, field: `${path}.${key}` }, problems)
  }
}

/** A hook's entries by the keys that they are read as. One that is not known and may have been meant as a condition is an error. */
function knownEntries(hook: MappingValue, path: string, problems: Problems): ReadonlyMap<HookKey, Entry> {
  const known = new Map<HookKey, Entry>()
  for (const entry of hook.entries.values()) {
    const at = { offset: entry.offset, field: `${path}.${entry.key}` }
    const key = KEYS.find((each) => simpleForm(each) === simpleForm(entry.key))
    if (key === undefined) {
      reportUnknown(entry.key, at, problems)
    } else if (known.has(key)) {
      problems.error(at, "duplicate-key", "the key is declared twice", "Keep one of them")
    } else {
      known.set(key, entry)
      if (key !== entry.key) problems.warning(at, "key-form", `is read as \`${key}\``, `Write \`${key}\``)
    }
  }
  return known
}

function reportUnknown(key: string, at: { readonly offset: number; readonly field: string }, problems: Problems): void {
  const typo = KEYS.find((each) => isTypoOf(key, each))
  const meant = Object.hasOwn(OTHER_NAMES, key) ? OTHER_NAMES[key] : typo && `\`${typo}\``
  const remedy = `A hook has ${KEYS.map((each) => `\`${each}\``).join(", ")}`
  if (meant === undefined) problems.warning(at, "unknown-key", "unknown key of a hook, which is ignored", remedy)
  else problems.error(at, "unknown-key", "unknown key of a hook", `Did you mean ${meant}? ${remedy}`)
}
