import type { Frontmatter } from "../frontmatter/read.ts"
import type { Problems } from "../problems.ts"
import type { CompiledRule } from "../rule.ts"
import type { ValueField } from "../value-field.ts"
import { ENFORCEMENT_KEYS, type EnforcementKey } from "./fields.ts"

/** What a rule asks for beyond one delivery. Each key is off unless it is declared. A value that can't be read is an error. */
export function readEnforcement(
  frontmatter: Frontmatter,
  problems: Problems,
): Pick<CompiledRule, "hold" | "remind" | "forbid" | "reminder"> {
  const remind = read("remind", ENFORCEMENT_KEYS.remind)
  return {
    hold: read("hold", ENFORCEMENT_KEYS.hold) ?? false,
    remind: remind === "off" ? undefined : remind,
    forbid: read("forbid", ENFORCEMENT_KEYS.forbid),
    reminder: read("reminder", ENFORCEMENT_KEYS.reminder),
  }

  function read<Read>(key: EnforcementKey, field: ValueField<Read>): Read | undefined {
    const entry = frontmatter.get(key)
    if (entry === undefined) return undefined
    return field.read(entry.value, { offset: entry.value.offset || entry.offset, field: entry.key }, problems)
  }
}
