import type { Mutant } from "./mutants.ts"

/** A survivor that stands because no test can or need notice it. */
export type AcceptedSurvivor = Pick<Mutant, "file" | "original" | "replacement">

/** What became of a mutant; `refused`: by the compiler. */
export type Verdict = "killed" | "survived" | "accepted" | "refused"

/**
 * Reads the table of accepted survivors: rows of file, change as `original` → `replacement`, and reason. A bar in a code span is
 * escaped.
 */
export function acceptedSurvivors(markdown: string): readonly AcceptedSurvivor[] {
  return Array.from(markdown.matchAll(/^\| `([^`]+\.tsx?)` \| `(.+?)` → `(.*?)` \| .+ \|$/gm), ([, file, from, to]) => {
    return { file: file ?? "", original: unescaped(from ?? ""), replacement: unescaped(to ?? "") }
  })
}

export function isAccepted(mutant: AcceptedSurvivor, accepted: readonly AcceptedSurvivor[]): boolean {
  return accepted.some(
    ({ file, original, replacement }) =>
      file === mutant.file &&
      plain(original) === plain(mutant.original) &&
      plain(replacement) === plain(mutant.replacement),
  )
}

/** The percentage of mutants that a test noticed, of those that it could. 100 of none. */
export function scoreOf(verdicts: readonly Verdict[]): number {
  const killed = verdicts.filter((verdict) => verdict === "killed").length
  const survived = verdicts.filter((verdict) => verdict === "survived").length
  return killed + survived === 0 ? 100 : (100 * killed) / (killed + survived)
}

/** Code on one line, as the table of accepted survivors and the output have it. */
export function plain(code: string): string {
  return code.replace(/\s+/g, " ").trim()
}

function unescaped(cell: string): string {
  return cell.replaceAll("\\|", "|")
}
