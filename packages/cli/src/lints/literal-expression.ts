import { quoted } from "@opencode-rulebook/rule-schema/authoring"
import type { Lint } from "./lint.ts"

/** Types that people write with `|` in code: `string|null`. */
const TYPE =
  /^(?:string|number|boolean|bigint|symbol|null|undefined|never|void|any|unknown|object|true|false|None|int|str|float|bool)$/

export const literalExpression: Lint = {
  code: "literal-expression",
  about:
    "A text of `fileContains`, `keywords` or `forbid` that looks like a regular expression. All are compared literally.",
  check({ source }) {
    return (["fileContains", "keywords", "forbid"] as const).flatMap((key) =>
      source.entries(key).flatMap(({ text, offset, field }) => {
        if (!isExpression(text, key)) return []
        const reason = `${quoted(text)} looks like a regular expression, but is compared literally`
        return [{ offset, field, reason, remedy: remedyFor(text) }]
      }),
    )
  },
}

/** Is a text clearly an expression? Code that has the same characters is not: `java.util.*`, `string|null`, a path in slashes, a comment. */
function isExpression(text: string, key: "fileContains" | "keywords" | "forbid"): boolean {
  if (/^\/(?!\*).*[\\|*+?()[\]^$].*\/[dgimsuvy]*$/s.test(text)) return true
  if (/^\^[\p{L}\\([]/u.test(text)) return true
  if (/(?:^|[\s)\]}^])\.[*+]/.test(text)) return true
  if (/\\[sdwSDW](?:[*+?{]|$)|\\b\w|\w\\b|\(\?[:=!<]/.test(text)) return true
  if (/\[\^?(?:a-z|A-Z|0-9)[^\]]*\]/.test(text)) return true
  const alternatives = alternativesOf(text)
  if (alternatives.length < 2 || !alternatives.every((each) => /^[\w-]+(?: [\w-]+)*$/.test(each))) return false
  return key === "keywords" || !alternatives.some((each) => TYPE.test(each) || each.includes(" "))
}

function alternativesOf(text: string): readonly string[] {
  return text.replace(/^\((.*)\)$/s, "$1").split("|")
}

function remedyFor(text: string): string {
  const alternatives = alternativesOf(text)
  if (alternatives.length > 1 && alternatives.every((each) => /^[\w -]+$/.test(each)))
    return `Write a list: \`[${alternatives.join(", ")}]\``
  return "Write the text as it stands in the file or the prompt, several in a list; only a hook's `match` takes expressions"
}
