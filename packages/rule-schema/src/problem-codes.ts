/** What the plugin itself reports of a rule, by code: with an error the rule never matches. Each with what is wrong, for the reference. */
export const ERRORS = {
  "yaml-syntax": "the frontmatter is not valid YAML",
  "not-a-mapping": "the frontmatter does not consist of `key: value` lines",
  "duplicate-key": "a key is declared twice (a warning for `description`)",
  "unknown-key":
    "a key that looks like a typo of one that decides when the rule applies (a warning for other keys, such as `match` and `forbid`)",
  "unsupported-key":
    "another tool's condition that this plugin does not support, such as `regex` (a warning if the rule also has conditions or hooks)",
  "unclosed-fence": "the frontmatter is never closed with a line that is exactly `---`",
  "bad-fence": "a line is almost a fence, where one opens or closes the frontmatter",
  "hidden-frontmatter":
    "conditions written as frontmatter in a place where they are not read: without fences, below text, in a code block, in a second block",
  "wrong-type": "a known key has a value that it doesn't take",
  "unknown-value":
    "`alwaysApply`, `inclusion` or `trigger` has an unknown value (a warning if the rule also has conditions or hooks)",
  contradiction: "two keys say different things about when the rule applies",
  "no-patterns": "the rule waits for a file and has no patterns",
  "empty-value": "a known key has nothing in it",
  "bad-glob": "a pattern doesn't compile, or would expand without bound",
  "only-exclusions": "patterns that exclude only",
  "bad-regex": "a hook's expression doesn't compile, or needs backtracking without bound",
  "empty-body": "there is no text to deliver (a warning if the rule has hooks)",
  "too-large": "the file is larger than 10 MB, or its frontmatter than 256 KB",
  "not-utf8": "the file is not UTF-8 text",
  unreadable: "a file or folder can't be read, or not within three seconds",
  "bad-directory": "the rules folder is not a folder",
  "dead-pattern": "a pattern that no path can match (a warning if another pattern can)",
  "duplicate-id": "two files have one identity",
  "hidden-character": "a pack's rule has an invisible character",
} as const

/** The same of warnings, with which the rule works. */
export const WARNINGS = {
  "key-form": "a key in another form than the known one that it is read as, such as `glob` for `globs`",
  "invisible-character": "an invisible character at the start of a line or around a value, which is ignored",
  "stray-line": "a line at the margin that is read as part of a value, or a sentence that is read as a key",
  "ignored-condition":
    "a condition that has no effect, because the rule always applies or is on request; or a `hold`, `remind` or `forbid` of a rule on request",
  "dropped-entry": "an entry of a list that is left out",
  "odd-pattern":
    "a pattern that is valid, but probably a mistake: `src/**.ts` stays in one folder, `~` and variables are not replaced",
  "foreign-key": "a key that the rule's own tool doesn't have, so that it has no effect",
  "not-followed": "a file that the rule's own tool would put into the text, and that is not followed",
  "missing-pack": "a pack that is not installed",
  "bad-pack": "a pack without a folder of rules",
  "outside-link": "a link in a project's rules folder that leads out of the project, so its target is not read",
  "not-read":
    "a file that looks like a rule in a place or under a name that is not read: `.opencode/rule/`, `rules/`, a name that ends in `.txt`",
  "also-instructions": "a rules folder whose files are listed in `instructions` of `opencode.json` too",
  "long-reminder": "a `reminder` of more than 1,024 characters, in whose place the rule's whole text is used",
  "useless-block": "`block` on a hook that fires after the call",
  "short-reach":
    "a hook's expression that needs backtracking, so that it looks at the first characters of the arguments only",
} as const

/** Stable and kebab-case. */
export type ProblemCode = keyof typeof ERRORS | keyof typeof WARNINGS
