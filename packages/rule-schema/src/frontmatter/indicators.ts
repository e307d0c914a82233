/** What a value's own text tells, and what the rest of the source knows about anchors. */
export interface IndicatorContext {
  readonly place: "block" | "flow"
  /** Names that the source anchors (`&name`). */
  readonly anchors: ReadonlySet<string>
  /** Names that the source uses as aliases (`*name`). */
  readonly aliases: ReadonlySet<string>
  /** Do deeper lines follow, which an anchor or a tag can belong to? */
  readonly hasMore: boolean
}

const STANDARD_TAG = /^!!(?:str|int|float|bool|null|seq|map|set|omap|pairs|binary|timestamp)(?:\s|$)/

/**
 * Would YAML refuse or reinterpret this unquoted text because of the character that it begins with (or, for a value that
 * stands behind its key, because of a `: ` in it)? Real aliases, anchors, standard tags and block headers stay YAML's.
 */
export function isMisreadText(text: string, context: IndicatorContext): boolean {
  const first = text[0] ?? ""
  const inFlow = context.place === "flow"
  if ("@`%,]}".includes(first)) return true
  if (first === "*") return !context.anchors.has(text.slice(1))
  if (first === "&") return !isAnchor(text, context)
  if (first === "!") return !STANDARD_TAG.test(text)
  if (first === "|" || first === ">") return inFlow || !/^[|>][+\-1-9]{0,2}$/.test(text)
  if (/^[-?:](?:\s|$)/.test(text)) return true
  if (first === "#") return inFlow
  if (inFlow) return /[[\]{}]/.test(text) && !/:\s/.test(text)
  return /:(?:\s|$)/.test(text)
}

function isAnchor(text: string, context: IndicatorContext): boolean {
  const name = /^&([^\s,[\]{}]+)/.exec(text)?.[1]
  if (name === undefined) return false
  return (
    context.aliases.has(name) || (context.hasMore && text.length === name.length + 1) || /^&\S+\s+[[{"'|>]/.test(text)
  )
}

/** An unclosed `[` or `{` is a list whose end was forgotten, unless the rest has what no list has: `[derive(`, `{{ user`. */
export function isForgottenClose(text: string): boolean {
  return /^[[{][\s\w,.:"'*/-]*$/.test(text)
}
