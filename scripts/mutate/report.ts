import { type } from "arktype"

/** One change to the code, and whether a test noticed it. */
export interface Mutant {
  readonly file: string
  readonly line: number
  readonly original: string
  readonly replacement: string
  readonly isKilled: boolean
}

/** A survivor that stands because no test can or need notice it. */
export type AcceptedSurvivor = Pick<Mutant, "file" | "original" | "replacement">

const Position = type({ line: "number", column: "number" })
const Report = type({
  files: {
    "[string]": {
      source: "string",
      mutants: type({
        "replacement?": "string",
        status: "string",
        location: { start: Position, end: Position },
      }).array(),
    },
  },
})

/** The mutants of a report in the mutation testing report schema; those that don't run (ignored, compile errors) left out. */
export function readReport(json: unknown): readonly Mutant[] {
  const report = Report.assert(json)
  return Object.entries(report.files).flatMap(([file, { source, mutants }]) =>
    mutants.flatMap(({ replacement = "", status, location }) => {
      if (!["Killed", "Timeout", "Survived", "NoCoverage"].includes(status)) return []
      const { line } = location.start
      const isKilled = status === "Killed" || status === "Timeout"
      return [{ file, line, original: slice(source, location), replacement, isKilled }]
    }),
  )
}

/**
 * Reads the table of accepted survivors: rows of file, change as `original` → `replacement`, and reason. Code spans may hold
 * an escaped bar.
 */
export function acceptedSurvivors(markdown: string): readonly AcceptedSurvivor[] {
  return Array.from(markdown.matchAll(/^\| `([^`]+\.tsx?)` \| `(.+?)` → `(.*?)` \| .+ \|$/gm), ([, file, from, to]) => {
    return { file: file ?? "", original: unescaped(from ?? ""), replacement: unescaped(to ?? "") }
  })
}

/** What the tests noticed: accepted survivors do not count. An empty sample scores 100. */
export function scoreOf(mutants: readonly Mutant[], accepted: readonly AcceptedSurvivor[]) {
  const killed = mutants.filter(({ isKilled }) => isKilled).length
  const survived = mutants.filter((mutant) => !mutant.isKilled && !accepted.some((one) => isSame(one, mutant)))
  const count = killed + survived.length
  return { killed, survived, score: count === 0 ? 100 : (100 * killed) / count }
}

function isSame(one: AcceptedSurvivor, other: AcceptedSurvivor): boolean {
  return (
    one.file === other.file &&
    plain(one.original) === plain(other.original) &&
    plain(one.replacement) === plain(other.replacement)
  )
}

function plain(code: string): string {
  return code.replace(/\s+/g, " ").trim()
}

function unescaped(cell: string): string {
  return cell.replaceAll("\\|", "|")
}

function slice(source: string, { start, end }: { start: typeof Position.infer; end: typeof Position.infer }): string {
  const lines = source.split("\n").slice(start.line - 1, end.line)
  const last = lines.length - 1
  return lines
    .map((line, index) => line.slice(index === 0 ? start.column - 1 : 0, index === last ? end.column - 1 : undefined))
    .join("\n")
}
