import { readBoolean } from "../families/ci.ts"
import type { Value } from "../frontmatter/value.ts"
import type { ProblemPlace, Problems } from "../problems.ts"
import type { RuleHook } from "../rule.ts"
import { readHookMatch } from "./read-match.ts"

/** One key of a hook: what documentation and editors say of it, and how its value is read. */
export interface HookField<Read> {
  readonly description: string
  /** A YAML value. */
  readonly example: string
  /** JSON Schema of a well-formed value. */
  readonly jsonSchema: object
  /** Reads a declared value. Undefined: it can't be read, and `problems` has the error. */
  readonly read: (value: Value, at: ProblemPlace, problems: Problems) => Read | undefined
}

const TYPES: ReadonlyMap<string, RuleHook["type"]> = new Map([
  ["pretooluse", "PreToolUse"],
  ["posttooluse", "PostToolUse"],
])

/** Every key of a hook, in the order of the documentation. A new one is one row here. */
export const HOOK_KEYS = {
  type: {
    description: "When the hook fires: before a call (`PreToolUse`), or after a successful one (`PostToolUse`)",
    example: "PreToolUse",
    jsonSchema: { enum: ["PreToolUse", "PostToolUse"] },
    read: checked(
      (value) => TYPES.get(textOf(value)?.toLowerCase() ?? ""),
      "is not a hook type",
      "Write PreToolUse or PostToolUse",
    ),
  },
  tool: {
    description: "The tool's name, or several names. Without it, or with `*`, the hook fires for every tool",
    example: "bash",
    jsonSchema: { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
    read: checked(namesOf, "is not a tool's name", 'Write a name such as bash, or "*"'),
  },
  match: {
    description:
      "A regular expression for the call's arguments as JSON, or a mapping from the names of arguments to expressions. Without it, the hook fires at every call",
    example: "{ command: '^git push' }",
    jsonSchema: { anyOf: [{ type: "string" }, { type: "object", additionalProperties: { type: "string" } }] },
    read: (value, { field = "" }, problems) => {
      const result = readHookMatch(value, field, problems)
      return result.kind === "ok" ? result.match : undefined
    },
  },
  block: {
    description: "The call doesn't run, and the model reads the rule as the reason (`PreToolUse` only)",
    example: "true",
    jsonSchema: { type: "boolean" },
    read: checked(readBoolean, "is neither true nor false", "Write `block: true` or leave it out"),
  },
  run: {
    description:
      "A shell command. The hook starts it, does not wait for it, and writes the event as JSON to its standard input",
    example: "npx prettier --check .",
    jsonSchema: { type: "string" },
    read: checked(textOf, "is not a shell command", "Write one command as text, or leave it out"),
  },
} as const satisfies {
  readonly type: HookField<RuleHook["type"]>
  readonly tool: HookField<readonly string[]>
  readonly match: HookField<NonNullable<RuleHook["match"]>>
  readonly block: HookField<boolean>
  readonly run: HookField<string>
}

function checked<Read>(
  read: (value: Value) => Read | undefined,
  reason: string,
  remedy: string,
): HookField<Read>["read"] {
  return (value, at, problems) => {
    const result = read(value)
    if (result === undefined) problems.error(at, "wrong-type", reason, remedy)
    return result
  }
}

/** The trimmed source text of a scalar; undefined when there is none. */
function textOf(value: Value): string | undefined {
  if (value.kind !== "scalar" || value.value === null) return undefined
  return value.text.trim() || undefined
}

/** `bash`, `edit|write`, `edit, write` or a list of such. */
function namesOf(value: Value): readonly string[] | undefined {
  const texts = (value.kind === "list" ? value.items : [value]).map(textOf)
  const names = texts.flatMap((text) => text?.split(/[|,]/) ?? []).map((name) => name.trim())
  const found = [...new Set(names.filter((name) => name !== ""))]
  return texts.includes(undefined) || found.length === 0 ? undefined : found
}
