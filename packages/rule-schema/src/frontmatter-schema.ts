import { parse } from "yaml"
import { ENFORCEMENT_KEYS } from "./enforcement/fields.ts"
import type { Field } from "./families/fields.ts"
import { FAMILY_LIST } from "./families/table.ts"
import { HOOK_KEYS } from "./hooks/fields.ts"

export { ERRORS, type ProblemCode, WARNINGS } from "./problem-codes.ts"
export { RECEIPT_KINDS } from "./receipts/kinds.ts"
export { RECEIPT_FIELDS } from "./receipts/parse.ts"
export { REASONS } from "./receipts/reasons.ts"

/** The keys of one hook, in the order of the documentation. */
export const HOOK_FIELDS: readonly Pick<FieldDescription, "key" | "description" | "example" | "jsonSchema">[] =
  Object.entries(HOOK_KEYS).map(([key, { description, example, jsonSchema }]) => ({
    key,
    description,
    example,
    jsonSchema,
  }))

/** A key of a rule's frontmatter, for documentation, editors and linters. */
export interface FieldDescription {
  readonly key: string
  readonly aliases: readonly string[]
  readonly description: string
  readonly example: string
  /** The family that the key declares; undefined for `match`, `name`, `hooks` and others. */
  readonly family: string | undefined
  readonly lifetime: "durable" | "transient" | undefined
  /** JSON Schema of a well-formed value. */
  readonly jsonSchema: object
}

const rest = { aliases: [], family: undefined, lifetime: undefined }

/** Every key in the order of the documentation. Derived from the families. */
export const FIELDS: readonly FieldDescription[] = [
  ...FAMILY_LIST.flatMap((family) =>
    family.fields.map((field): FieldDescription => {
      const { key, aliases, description, example } = field
      const { name, lifetime } = family
      return { key, aliases, description, example, family: name, lifetime, jsonSchema: valueSchema(field) }
    }),
  ),
  {
    ...rest,
    key: "match",
    description: "How several conditions combine: `any` of them is enough (the default), or `all` must hold",
    example: "all",
    jsonSchema: { enum: ["any", "all"] },
  },
  {
    ...rest,
    key: "name",
    description: "The rule's name; without it, the file's name",
    example: "Unsafe Rust",
    jsonSchema: { type: "string", minLength: 1 },
  },
  {
    ...rest,
    key: "description",
    description: "What the rule is about. The index of rules on request shows it to the model",
    example: "How we release",
    jsonSchema: { type: ["string", "null"] },
  },
  {
    ...rest,
    key: "alwaysApply",
    description:
      "Cursor's key. With `true` the rule always applies, whatever its patterns; with `false` and no condition it is on request",
    example: "true",
    jsonSchema: { type: "boolean" },
  },
  {
    ...rest,
    key: "inclusion",
    description:
      "Kiro's key. `always`: the rule always applies. `fileMatch`: its patterns decide. `auto` or `manual`: it is on request",
    example: "auto",
    jsonSchema: { enum: ["always", "fileMatch", "auto", "manual"] },
  },
  {
    ...rest,
    key: "trigger",
    description:
      "Windsurf's key. `always_on`: the rule always applies. `glob`: its patterns decide. `model_decision` or `manual`: it is on request",
    example: "model_decision",
    jsonSchema: { enum: ["always_on", "glob", "model_decision", "manual"] },
  },
  {
    ...rest,
    key: "hooks",
    description: "Tool calls that deliver the rule, that the rule blocks, or that start a command",
    example: "[{ type: PreToolUse, tool: bash, match: { command: '^git push' }, block: true }]",
    jsonSchema: { anyOf: [describedHook(), { type: "array", items: describedHook() }] },
  },
  ...Object.entries(ENFORCEMENT_KEYS).map(([key, { description, example, jsonSchema }]): FieldDescription => {
    return { ...rest, key, description, example, jsonSchema }
  }),
]

function valueSchema(field: Field): object {
  if (field.kind === "boolean") return { type: "boolean" }
  const entry = field.values ? { enum: field.values } : { type: "string" }
  return { anyOf: [entry, { type: "array", items: entry }] }
}

function describedHook(): object {
  const properties = HOOK_FIELDS.map(({ key, description, example, jsonSchema }) => {
    return [key, { description: `${description}.`, examples: [parse(example) as unknown], ...jsonSchema }]
  })
  return { type: "object", properties: Object.fromEntries(properties), required: ["type"] }
}

/** JSON Schema of a rule's frontmatter. Keys that it does not name are other tools' and allowed. */
export function frontmatterJsonSchema(): object {
  const properties = FIELDS.flatMap(({ key, aliases, description, lifetime, example, jsonSchema }) => {
    const delivery = lifetime === undefined ? "" : ` Delivery: ${lifetime}.`
    const property = { description: `${description}.${delivery}`, examples: [parse(example) as unknown], ...jsonSchema }
    const alias = { ...property, description: `Another tool's name for \`${key}\`. ${property.description}` }
    return [[key, property] as const, ...aliases.map((name) => [name, alias] as const)]
  })
  return {
    // The draft that every editor knows; nothing here needs a later one.
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Rule frontmatter of opencode-rulebook",
    description: "The YAML between the `---` lines of a rule file. Without conditions a rule always applies.",
    type: "object",
    properties: Object.fromEntries(properties),
  }
}
