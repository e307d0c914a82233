/** A word that no text for users has, and the word in its place. */
export interface AvoidedWord {
  /** As an _Avoid_ line of the glossary has it. */
  readonly word: string
  /** Certain: whatever matches is wrong. */
  readonly pattern: RegExp
  readonly use: string
}

/** The one list of words to avoid. */
export const AVOIDED: readonly AvoidedWord[] = [
  { word: "meets", pattern: /\bmeets?\b|\bmet by\b/i, use: "matches; a condition is met or holds" },
  { word: "blanks", pattern: /\bblanks\b|\bblank\b(?! lines?\b)/i, use: "whitespace, spaces" },
  { word: "says nothing", pattern: /\bsay(?:s|ing)? nothing\b/i, use: "has no effect, is ignored" },
  { word: "is none", pattern: /(?<!\bthere )\b(?:is|are|was|were) none\b/i, use: "does not count, is not one" },
  {
    word: "is no X",
    pattern: /(?<!\bthere |\bhere )\b(?:is|are) no (?!longer\b|more\b|less\b|\w+er than\b)/i,
    use: "is not an X",
  },
  { word: "told", pattern: /\btold\b(?! apart\b)|\btells\b/i, use: "reports, notifies, shows" },
  {
    word: "can't tell",
    pattern: /\b(?:can't|cannot|doesn't|can) tell\b(?! \S+(?: \S+)? apart\b)/i,
    use: "doesn't know",
  },
  { word: "free moment", pattern: /\bfree moments?\b/i, use: "safe point" },
  { word: "completeness gate", pattern: /\bcompleteness gate\b|\bthe gate\b/i, use: "pre-request check" },
  { word: "standing", pattern: /\bstanding\b/i, use: "status" },
  { word: "spelling", pattern: /\bspellings?\b/i, use: "path form, form" },
  { word: "legal", pattern: /\blegal\b|\bsurely not meant\b/i, use: "valid, but probably a mistake" },
  { word: "of which one", pattern: /\bof which one\b/i, use: "one of which" },
]

/** Only in the texts about the engine itself. */
export const DISPATCH: AvoidedWord = { word: "dispatch", pattern: /\bdispatch(?:es|ed)?\b/i, use: "request" }
