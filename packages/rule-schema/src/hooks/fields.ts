import { itemsOf, type Value } from "../frontmatter/value.ts"
import type { RuleHook } from "../rule.ts"
import { checked, readBoolean, readText, type ValueField } from "../value-field.ts"
import { readHookMatch } from "./read-match.ts"

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
      (value) => TYPES.get(readText(value)?.toLowerCase() ?? ""),
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
    read: (value, { field = "" }, problems) => readHookMatch(value, field, problems),
  },
  block: {
    description:
      "`PreToolUse` only. `true`: the call doesn't run, and the model reads the rule as the reason. `once`: the call fails once if the model has not read the rule yet",
    example: "true",
    jsonSchema: { enum: [true, false, "once"] },
    read: checked(readBlock, "is neither true, false nor once", "Write `block: true`, `block: once` or leave it out"),
  },
  run: {
    description:
      "A shell command. The hook starts it, does not wait for it, and writes the event as JSON to its standard input",
    example: "npx prettier --check .",
    jsonSchema: { type: "string" },
    read: checked(readText, "is not a shell command", "Write one command as text, or leave it out"),
  },
} as const satisfies {
  readonly type: ValueField<RuleHook["type"]>
  readonly tool: ValueField<readonly string[]>
  readonly match: ValueField<NonNullable<RuleHook["match"]>>
  readonly block: ValueField<RuleHook["block"]>
  readonly run: ValueField<string>
}

/** `true`, `false` or `once`, in any case. Undefined: the value is something else. */
export function readBlock(value: Value): RuleHook["block"] | undefined {
  return readText(value)?.toLowerCase() === "once" ? "once" : readBoolean(value)
}

/** `bash`, `edit|write`, `edit, write` or a list of such. */
function namesOf(value: Value): readonly string[] | undefined {
  const texts = itemsOf(value).map(readText)
  const names = texts.flatMap((text) => text?.split(/[|,]/) ?? []).map((name) => name.trim())
  const found = [...new Set(names.filter((name) => name !== ""))]
  return texts.includes(undefined) || found.length === 0 ? undefined : found
}
