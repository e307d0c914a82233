import { type } from "arktype"

/**
 * The state file's text as data. Production code takes only the type of it: to load the library takes longer than all the rest of the
 * plugin. A test holds the check that runs against it.
 */
export const stateSchema = type({
  /** In version 1, `rules` has the unmatched ones too, and there is no `snapshot`. */
  version: "1 | 2",
  sessionID: "string",
  directory: "string",
  /** In milliseconds since 1970. */
  updatedAt: "number",
  /** Whether `run` commands of the project's rules run. Absent in states of earlier versions. */
  "projectCommands?": "boolean",
  /** Other tools whose rules the session reads, and packs: the plugin's options. Absent where there are none. */
  "rulesOf?": "string[]",
  "packs?": "string[]",
  /** Folders below the directory whose rules the session has, relative to it, `/`-separated. */
  "nested?": "string[]",
  /** What the session began with: see snapshot.ts. */
  "snapshot?": "string",
  /** Those that are matched. */
  rules: type({
    id: "string",
    digest: "string",
    /** transient: in the current dispatch. pending: matched, not yet persisted. */
    status: "'unmatched' | 'pending' | 'delivered' | 'transient'",
    /** What made it match: a path, `prompt`, the names of conditions. And when, in milliseconds since 1970. Absent where it is not known. */
    "by?": "string",
    "at?": "number",
    /** How many calls it has blocked. */
    "blocked?": "number",
    /** Of a rule that a request has carried: its estimated tokens, the number of the request that carried it first, and how often it came. */
    "tokens?": "number",
    "request?": "number",
    "count?": "number",
  }).array(),
  /** Rules with `match: all` that are not matched, and which of their conditions the latest request met. */
  "partlyMet?": type({
    id: "string",
    /** Names of condition families. */
    met: "string[]",
  }).array(),
  /** What went wrong beside the rule files themselves, newest last. Data: shown escaped. */
  "notices?": "string[]",
})
