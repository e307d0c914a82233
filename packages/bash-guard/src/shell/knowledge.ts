import { type Evaluation, riskyEvaluations } from "./arithmetic.ts"
import { type Assigned, specialReason } from "./assigned.ts"
import { type ArgumentWord, type Doubt, type FoundCommand, type Gap, isKnown } from "./reading.ts"

/** Programs whose output the reader foresees, when no function has their name. */
const foreseen = ["echo", "printf", "cat"]

/** What is learnt about a script's variables, functions and input while it is read, and judged once all of it is known. */
export function createKnowledge() {
  const assigned: Assigned[] = []
  const byName = new Map<string | undefined, Assigned[]>()
  const evaluations: Evaluation[] = []
  const positional: ArgumentWord[] = []
  const calls: (readonly ArgumentWord[])[] = []
  const functions = new Set<string>()
  const integers = new Set<string>()
  const associative = new Set<string>()
  /** Variables whose text was taken for certain; true when it stood outside of quotes. */
  const reliedOn = new Map<string, boolean>()
  const suspected: { readonly gap: Gap; readonly written: string }[] = []
  const readers: string[] = []
  let isInputRedirected = false

  function doubts(): readonly Doubt[] {
    const found: Doubt[] = []
    const add = (reason: string, text: string): void => void found.push({ reason, text })
    for (const item of assigned) {
      const reason = specialReason(item)
      if (reason !== undefined) add(reason, item.written)
    }
    for (const [name, isCut] of reliedOn) {
      if (settingsOf(name).length > 1) add("a variable that is set more than once", name)
      if (isCut && !settingsOf("IFS").every(isWhitespace)) add("a text that the shell may cut into words", name)
    }
    const facts = { assigned, positional: [...positional, ...argumentsOfFunctions()], associative, functions, integers }
    for (const written of riskyEvaluations(evaluations, facts)) add("text that arithmetic may run", written)
    for (const { gap, written } of suspected) {
      if (mayHoldOption(gap)) add("a word that may be an option", written)
    }
    const isForeseen = !isInputRedirected && !foreseen.some((name) => functions.has(name))
    for (const written of readers) if (!isForeseen) add("a shell whose script comes from its input", written)
    return found
  }

  /** What sets a variable, constructs whose variable is not known among them. */
  function settingsOf(name: string): readonly Assigned[] {
    return [...(byName.get(name) ?? []), ...(byName.get(undefined) ?? [])]
  }

  function argumentsOfFunctions(): readonly ArgumentWord[] {
    if (functions.size === 0) return []
    return calls.flatMap(([name, ...args]) =>
      name === undefined || (name.fragments.length === 1 && !functions.has(name.value)) ? [] : args,
    )
  }

  /** Whether the script itself may have put an option there; what the environment holds is the user's. */
  function mayHoldOption({ name, text }: Gap): boolean {
    if (name === undefined) return /^(\$\(|`|\$\{[\s|!]|\$\{[^#].*[:/#%@^,])/s.test(text)
    if (/^[\d@*]/.test(name)) return positional.length > 0 || argumentsOfFunctions().length > 0
    const variable = name.replace(/\[.*/s, "")
    return settingsOf(variable).some(mayBeginOption)
  }

  /** Variables of the environment that a construct sets are judged like an assignment on a line of its own. */
  function commands(): readonly FoundCommand[] {
    return assigned.flatMap(({ name, kind, value, written }): readonly FoundCommand[] => {
      const isAssignment = /^[A-Za-z_]\w*(\[.*\])?\+?=/s.test(written)
      if (name === undefined || kind === "unset" || isAssignment || !/^[A-Z_][A-Z0-9_]*$/.test(name)) return []
      const text = `${name}=${kind === "text" ? (value?.written ?? "") : ""}`
      return [{ role: "wrapped", written: text, assignments: [text], words: [], depth: 1, isInString: false }]
    })
  }

  return {
    assigns(item: Assigned) {
      assigned.push(item)
      const known = byName.get(item.name)
      if (known === undefined) byName.set(item.name, [item])
      else known.push(item)
    },
    evaluates: (evaluation: Evaluation) => void evaluations.push(evaluation),
    positional: (words: readonly ArgumentWord[]) => void positional.push(...words),
    calls: (words: readonly ArgumentWord[]) => void calls.push(words),
    attributes(ofIntegers: readonly string[], ofAssociative: readonly string[]) {
      for (const name of ofIntegers) integers.add(name)
      for (const name of ofAssociative) associative.add(name)
    },
    functionNamed: (word: ArgumentWord) => void functions.add(word.value),
    reliesOn: (name: string, isQuoted: boolean) => void reliedOn.set(name, !isQuoted || reliedOn.get(name) === true),
    suspects(gaps: readonly Gap[], written: string) {
      for (const gap of gaps) suspected.push({ gap, written })
    },
    redirectsInput: () => {
      isInputRedirected = true
    },
    readsInput: (written: string) => void readers.push(written),
    valuesOf(name: string): readonly ArgumentWord[] | undefined {
      const settings = settingsOf(name)
      return settings.every((item) => item.value !== undefined)
        ? settings.flatMap((item) => item.value ?? [])
        : undefined
    },
    doubts,
    commands,
  }
}

function isWhitespace({ value }: Assigned): boolean {
  return value !== undefined && isKnown(value) && /^\s*$/.test(value.value)
}

function mayBeginOption({ kind, value }: Assigned): boolean {
  if (value === undefined) return kind === "input"
  const [head = "", ...rest] = value.fragments
  return rest.length > 0 ? head === "" || head.startsWith("-") : /(^|\s)[-+]/.test(head)
}
