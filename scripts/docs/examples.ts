import { commandsOf, type Fence, fencesOf, isRule } from "./markdown.ts"

/** A rule in a document, and the commands below it with what the text says of each. */
export interface Example {
  readonly rule: Fence
  /** Shown for what is wrong with it, in a block of `text`. */
  readonly isFaulty: boolean
  readonly runs: readonly { readonly command: string; readonly says: string }[]
}

/**
 * The examples of a document. A command's outcome stands behind it as a comment: `# durable: after reading the file`,
 * `# transient: the turn's first request`, `# not delivered`; of `check`, `# clean` or `# warning broad-keyword`.
 */
export function examplesOf(markdown: string): readonly Example[] {
  const examples: { rule: Fence; isFaulty: boolean; runs: Example["runs"][number][] }[] = []
  for (const fence of fencesOf(markdown)) {
    const isFaulty = fence.language === "text" && fence.text.startsWith("---\n")
    if (isRule(fence) || isFaulty) examples.push({ rule: fence, isFaulty, runs: [] })
    for (const line of commandsOf(fence)) {
      const [command = "", says] = line.split(/\s+# /)
      if (says !== undefined) examples.at(-1)?.runs.push({ command, says })
    }
  }
  return examples
}

/** What `check --json` or `explain --json` say, in the words of the documents. */
export function verdictOf(output: string): string {
  const told = JSON.parse(output) as Told
  if (told.findings) return told.findings.map(({ severity, code }) => `${severity} ${code}`).join(", ") || "clean"
  const [rule] = told.rules
  const list = rule?.deliveries.map(({ lifetime, moment }) => `${lifetime}: ${MOMENTS[moment]}`).join("; ") ?? ""
  const effects = Object.entries(EFFECTS).flatMap(([key, words]) =>
    rule?.[key as keyof typeof EFFECTS].length ? [words] : [],
  )
  return [list || "not delivered", ...effects].join(", ")
}

const MOMENTS = {
  "first-request": "the turn's first request",
  "after-file": "after reading the file",
  "after-call": "after the call",
}

/** What a rule does to a call, by the key that says so. */
const EFFECTS = { blocks: "blocks it", holds: "holds it", refuses: "refuses it", forbidden: "forbidden" } as const

interface Told {
  readonly findings?: readonly { readonly severity: string; readonly code: string }[]
  readonly rules: readonly {
    readonly blocks: readonly unknown[]
    readonly holds: readonly unknown[]
    readonly refuses: readonly unknown[]
    readonly forbidden: readonly unknown[]
    readonly deliveries: readonly {
      readonly lifetime: "durable" | "transient"
      readonly moment: keyof typeof MOMENTS
    }[]
  }[]
}
