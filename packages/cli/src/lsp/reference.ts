import schema from "../../../../docs/rule.schema.json" with { type: "json" }

/** A key as the JSON Schema of the frontmatter describes it. */
export interface KeyReference {
  readonly key: string
  /** Sentences. */
  readonly description: string
  /** A YAML value. */
  readonly example: string
  /** The values that the schema lists, if it lists any. */
  readonly values: readonly string[]
}

/** The keys of the frontmatter, other tools' names for them among them. */
export const KEYS: readonly KeyReference[] = referencesOf(schema.properties)

/** The keys of one hook. */
export const HOOK_KEYS: readonly KeyReference[] = referencesOf(hookProperties())

/** Keys whose values are patterns over paths. */
export const PATTERN_KEYS: ReadonlySet<string> = new Set(
  Object.entries(schema.properties).flatMap(([key, { description }]) =>
    key === "globs" || description.includes("name for `globs`") ? [key] : [],
  ),
)

function hookProperties(): object {
  const [hook] = schema.properties.hooks.anyOf
  return hook && "properties" in hook ? hook.properties : {}
}

function referencesOf(properties: object): readonly KeyReference[] {
  return Object.entries(properties).map(([key, property]: [string, Record<string, unknown>]) => {
    const [example] = Array.isArray(property["examples"]) ? property["examples"] : []
    const values = new Set<string>()
    collectValues(property, values)
    return {
      key,
      description: String(property["description"] ?? ""),
      example: typeof example === "string" ? example : (JSON.stringify(example) ?? ""),
      values: [...values],
    }
  })
}

function collectValues(part: unknown, found: Set<string>): void {
  if (Array.isArray(part)) for (const one of part) collectValues(one, found)
  if (typeof part !== "object" || part === null) return
  for (const [name, value] of Object.entries(part)) {
    if (name === "examples" || name === "properties") continue
    if (name === "enum" && Array.isArray(value)) for (const word of value) found.add(String(word))
    else if (name === "const") found.add(String(value))
    else if (name === "type" && value === "boolean") for (const word of ["true", "false"]) found.add(word)
    else collectValues(value, found)
  }
}
