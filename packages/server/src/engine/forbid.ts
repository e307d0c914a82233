import {
  type CompiledRule,
  createFileMatcher,
  createTextSearch,
  type FileMatcher,
  type FileObservation,
  pathForm,
} from "@opencode-rulebook/rule-schema"
import { createLruMap } from "../lru-map.ts"
import { type FileWrite, gain, lineIn, shownLine, timesIn, timesInAll } from "./file-write.ts"

/** What one write comes to for one rule with `forbid` whose file condition the file meets. */
export interface Judgement {
  readonly rule: CompiledRule
  /** As the call has it. */
  readonly path: string
  /** What it adds of what the rule forbids; nothing: it follows the rule. */
  readonly added: readonly AddedLiteral[]
}

export interface AddedLiteral {
  /** Which of the rule's `forbid` entries, from 0. */
  readonly literal: number
  /** From 1; undefined where it is not known. */
  readonly line: number | undefined
}

/**
 * Knows how often the files of a session have each literal that rules forbid, as they were observed last, and judges writes by that. Keeps
 * no texts: counts, of the files that were in use last.
 */
export interface ForbiddenTexts {
  /** Rules that came to the session later: for what is observed from then on. */
  add(rules: readonly CompiledRule[]): void
  /** Whether no rule forbids anything. */
  isEmpty(): boolean
  /** Takes in a file's text as it was read. */
  observed(observation: FileObservation): void
  /** The rules that writes would break. */
  broken(writes: readonly FileWrite[]): readonly Judgement[]
  /** What writes that are made come to, which it takes in. */
  wrote(writes: readonly FileWrite[]): readonly Judgement[]
}

/** More files than a session works on between two looks at one of them. */
const MOST_FILES = 1_000

/** How often a text has each literal that it has. */
type Counts = ReadonlyMap<string, number>
const NONE: Counts = new Map()

interface Change {
  /** What the file has more of than it was known to have. */
  readonly gains: Counts
  readonly after: Counts
}

/** @param directory the folder that relative paths start from, absolute. */
export function createForbiddenTexts(directory: string): ForbiddenTexts {
  const files = createLruMap<{ counts: Counts }>({ most: MOST_FILES, create: () => ({ counts: NONE }) })
  const matchers: FileMatcher[] = []
  /** Without a file condition: of every file. */
  const everywhere: CompiledRule[] = []
  const byLiteral = new Map<string, CompiledRule[]>()
  /** What each rule asks a file for. */
  const asked = new Map<CompiledRule, readonly string[]>()
  let literals: readonly string[] = []
  let search = createTextSearch(literals)

  const keyOf = (path: string) => pathForm(path, { root: directory, directory }).absolute
  const knownOf = ({ path, movedFrom }: FileWrite) => files.peek(keyOf(movedFrom ?? path))?.counts ?? NONE

  /** Those of the wanted rules whose patterns match a path: every one where they have none. */
  function rulesFor(path: string, isWanted: (rule: CompiledRule) => boolean): readonly CompiledRule[] {
    return [...everywhere.filter(isWanted), ...matchers.flatMap((matcher) => matcher.includedBy(path, isWanted))]
  }

  /** Whether a file has what the rule's `fileContains` asks for, as far as its text is known. */
  function hasText(rule: CompiledRule, counts: Counts): boolean {
    const wanted = asked.get(rule) ?? []
    return wanted.length === 0 || wanted.some((literal) => counts.has(literal))
  }

  /** The literals that one of the texts may have. */
  function candidatesIn(texts: readonly string[]): readonly string[] {
    const found = new Set(texts.flatMap((text) => search.candidatesIn(text)))
    return [...found].flatMap((at) => literals[at] ?? [])
  }

  function countsIn(text: string): Counts {
    return positive(candidatesIn([text]).map((literal) => [literal, timesIn(text, literal)]))
  }

  function changeOf(write: FileWrite, known: Counts): Change {
    if (write.kind === "delete") return { gains: NONE, after: NONE }
    if (write.whole !== undefined) {
      const after = countsIn(write.whole)
      return {
        gains: positive(Array.from(after, ([literal, times]) => [literal, times - timesOf(known, literal)])),
        after,
      }
    }
    const all = candidatesIn(textsOf(write)).map((literal) => [literal, gain(write, literal)] as const)
    const after = new Map(known)
    for (const [literal, more] of all) {
      after.set(literal, Math.max(timesOf(known, literal) + more, timesInAll(write.added, literal)))
    }
    return { gains: positive(all), after: positive(after) }
  }

  function judged(
    write: FileWrite,
    { gains, after }: Change,
    known: Counts,
    isWanted: (rule: CompiledRule) => boolean,
  ) {
    const lineOf = (literal: string) => {
      if (write.whole === undefined) return shownLine(write, literal)
      // Which of several is the new one can't be told.
      return known.has(literal) ? undefined : lineIn(write.whole, literal)
    }
    return rulesFor(write.path, (rule) => isWanted(rule) && hasText(rule, after)).map((rule): Judgement => {
      return { rule, path: write.path, added: addedOf(rule.forbid ?? [], gains, lineOf) }
    })
  }

  function take({ path, movedFrom }: FileWrite, { after }: Change): void {
    if (movedFrom !== undefined) files.drop(keyOf(movedFrom))
    if (after.size === 0) files.drop(keyOf(path))
    else files.open(keyOf(path)).counts = after
  }

  return {
    add(rules) {
      const forbidding = rules.filter(({ forbid }) => forbid !== undefined)
      matchers.push(createFileMatcher(forbidding, directory))
      everywhere.push(...forbidding.filter(({ conditions }) => conditions.every(({ file }) => file === undefined)))
      for (const rule of forbidding) {
        asked.set(
          rule,
          rule.conditions.flatMap(({ file }) => file?.literals ?? []),
        )
        for (const literal of rule.forbid ?? []) {
          const known = byLiteral.get(literal) ?? []
          known.push(rule)
          byLiteral.set(literal, known)
        }
      }
      literals = [...new Set([...literals, ...byLiteral.keys(), ...Array.from(asked.values()).flat()])]
      search = createTextSearch(literals)
    },
    isEmpty: () => literals.length === 0,
    observed(observation) {
      const { path, tool, source, isPart } = observation
      // What other tools show is not the file's text.
      if (tool !== "read" || literals.length === 0) return
      const mayHave =
        source === undefined || candidatesIn([source]).some((one) => one.includes("\n") || source.includes(one))
      const content = mayHave ? observation.content : ""
      if (content === undefined) return
      const key = keyOf(path)
      const counts = isPart ? most(files.peek(key)?.counts ?? NONE, countsIn(content)) : countsIn(content)
      if (counts.size > 0) files.open(key).counts = counts
      else files.drop(key)
    },
    broken(writes) {
      return writes.flatMap((write) => {
        const known = knownOf(write)
        const change = changeOf(write, known)
        const own = new Set(Array.from(change.gains.keys()).flatMap((literal) => byLiteral.get(literal) ?? []))
        return own.size === 0 ? [] : judged(write, change, known, (rule) => own.has(rule))
      })
    },
    wrote(writes) {
      return writes.flatMap((write) => {
        const known = knownOf(write)
        const change = changeOf(write, known)
        take(write, change)
        return write.kind === "delete" ? [] : judged(write, change, known, () => true)
      })
    },
  }
}

function addedOf(
  forbid: readonly string[],
  gains: Counts,
  lineOf: (literal: string) => number | undefined,
): readonly AddedLiteral[] {
  return forbid.flatMap((literal, at) => (gains.has(literal) ? [{ literal: at, line: lineOf(literal) }] : []))
}

function textsOf({ added, removed, shown = [] }: FileWrite): readonly string[] {
  return [...added, ...removed, ...shown.map(({ lines }) => lines.map(({ text }) => text).join("\n"))]
}

function timesOf(counts: Counts, literal: string): number {
  return counts.get(literal) ?? 0
}

function positive(counts: Iterable<readonly [string, number]>): Counts {
  return new Map([...counts].filter(([, times]) => times > 0))
}

/** Of parts of one file, which may show the same places. */
function most(one: Counts, other: Counts): Counts {
  const counts = new Map(one)
  for (const [literal, times] of other) counts.set(literal, Math.max(times, counts.get(literal) ?? 0))
  return counts
}
