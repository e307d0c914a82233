import type { Frontmatter } from "../frontmatter/read.ts"
import type { Problems } from "../problems.ts"
import type { Activation, CompiledRule } from "../rule.ts"
import type { ValueField } from "../value-field.ts"
import { ENFORCEMENT_KEYS, type EnforcementKey } from "./fields.ts"

type Enforcement = Pick<CompiledRule, "hold" | "remind" | "forbid" | "reminder">

/**
 * What a rule asks for beyond one delivery. Each key is off unless it is declared. A value that can't be read is an error. A rule that is
 * on request can ask for nothing, as it is not delivered: a key there is a warning.
 */
export function readEnforcement(frontmatter: Frontmatter, activation: Activation, problems: Problems): Enforcement {
  const remind = read("remind", ENFORCEMENT_KEYS.remind)
  const declared: Enforcement = {
    hold: read("hold", ENFORCEMENT_KEYS.hold) ?? false,
    remind: remind === "off" ? undefined : remind,
    forbid: read("forbid", ENFORCEMENT_KEYS.forbid),
    reminder: read("reminder", ENFORCEMENT_KEYS.reminder),
  }
  if (activation !== "onRequest") return declared
  for (const key of ["hold", "remind", "forbid"] as const) {
    const entry = frontmatter.get(key)
    if (entry === undefined || !declared[key]) continue
    const reason = "has no effect, because the rule is left to the model's judgement"
    problems.warning(
      { offset: entry.offset, field: entry.key },
      "ignored-condition",
      reason,
      `Add a condition such as \`globs\`, or remove \`${entry.key}\``,
    )
  }
  return { hold: false, remind: undefined, forbid: undefined, reminder: undefined }

  function read<Read>(key: EnforcementKey, field: ValueField<Read>): Read | undefined {
    const entry = frontmatter.get(key)
    if (entry === undefined) return undefined
    return field.read(entry.value, { offset: entry.value.offset, field: entry.key }, problems)
  }
}
