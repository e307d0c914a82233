import { compilePathPattern, isIncluded, listed, type Pattern, quoted } from "@opencode-rulebook/rule-schema/authoring"
import { ANY_FILE, type Lint, type LintFinding, type ProjectPath } from "./lint.ts"
import { neverHolds } from "./never-holds.ts"

/**
 * Only for a project's own rules: a global rule is for many projects. One pattern of several may be for files to come; it is
 * reported alone only when it names a folder that is not there.
 */
export const globWithoutFile: Lint = {
  code: "glob-without-file",
  about: "`globs` that match no file of the project, or name a folder that it doesn't have.",
  check(subject, surroundings) {
    const { rule, source } = subject
    const paths = surroundings.files?.(rule.root)
    const words = source.entries("globs")
    if (rule.scope !== "project" || paths === undefined || words.length === 0) return []
    if (words.some(({ text }) => isElsewhere(text)) || neverHolds(subject).length > 0) return []
    const patterns = words
      .map(({ text }) => compilePathPattern(text))
      .flatMap((result) => (result.kind === "pattern" ? [result.pattern] : []))
    const first = words[0]
    const remedy =
      "Correct the pattern, or keep it if the files will be added later. Patterns start at the project's root"
    if (first && !meetsAny(patterns, paths)) {
      const list = listed(words.map(({ text }) => quoted(text)))
      const meant = words.length === 1 ? meantBy(first.text, paths) : undefined
      const reason = `no file of the project matches ${list}`
      return [{ offset: first.offset, field: first.field, reason, remedy: meant ? `Write \`${meant}\`` : remedy }]
    }
    return words.flatMap(({ text, offset, field }): LintFinding[] => {
      const meant = meantBy(text, paths)
      if (meant !== undefined) {
        const reason = `no file of the project matches ${quoted(text)}, and some match ${quoted(meant)}`
        return [{ offset, field, reason, remedy: `Write \`${meant}\`` }]
      }
      const folder = literalFolder(text)
      if (folder === undefined || hasFolder(folder, paths)) return []
      return [{ offset, field, reason: `${quoted(text)} is in a folder that the project doesn't have`, remedy }]
    })
  },
}

/**
 * What a pattern that no file matches was meant as, when files match that: a folder's name alone, a file name extension alone, or a
 * folder that lies deeper.
 */
function meantBy(pattern: string, paths: readonly ProjectPath[]): string | undefined {
  const text = pattern.replace(/^(?:\.\/+)+/, "")
  const isPlain = !/[*?[\]{}()!+@\\]/.test(text)
  const candidates = [
    ...(isPlain ? [`${text}/**`] : []),
    ...(/^\.\w+$/.test(text) ? [`*${text}`] : []),
    ...(text.includes("/") ? [`**/${text}`] : []),
    ...(isPlain ? [`**/${text}/**`] : []),
  ]
  if (matchesAny(text, paths)) return undefined
  return candidates.find((candidate) => matchesAny(candidate, paths))
}

function matchesAny(pattern: string, paths: readonly ProjectPath[]): boolean {
  const result = compilePathPattern(pattern)
  return result.kind === "pattern" && meetsAny([result.pattern], paths)
}

/** A path that may be outside the project, of which git tells nothing. */
function isElsewhere(pattern: string): boolean {
  return /^(?:\/|~|\.\.\/|[A-Za-z]:)/.test(pattern)
}

function meetsAny(patterns: readonly Pattern[], paths: readonly ProjectPath[]): boolean {
  const tops = patterns.flatMap(({ source }) => {
    const folder = literalFolder(source)
    return folder === undefined ? [] : [`${folder.split("/")[0]}/`]
  })
  return paths.some(({ isFolder, form }) => {
    // A pattern that goes into a folder which nobody looks into may well meet something there.
    return isIncluded(patterns, form) || (isFolder && tops.some((top) => form.relative?.startsWith(top)))
  })
}

function hasFolder(folder: string, paths: readonly ProjectPath[]): boolean {
  const wanted = `${folder}/`
  return paths.some(({ isFolder, form: { relative = "" } }) => {
    return relative.startsWith(wanted) || (isFolder && wanted.startsWith(relative.slice(0, -ANY_FILE.length)))
  })
}

/** The folders before a pattern's first special character, `src/web` of `src/web/*.ts`; undefined without any. */
function literalFolder(pattern: string): string | undefined {
  const segments = pattern
    .replace(/^(?:\.\/+)+/, "")
    .split("/")
    .slice(0, -1)
  const special = segments.findIndex((segment) => /[*?[\]{}()!+@\\]/.test(segment))
  const folder = (special < 0 ? segments : segments.slice(0, special)).join("/")
  return folder === "" ? undefined : folder
}
