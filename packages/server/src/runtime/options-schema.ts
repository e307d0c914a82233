import { type } from "arktype"

/**
 * The plugin's options. Production code takes only the type of it: to load the library takes longer than all the rest of the plugin.
 * A test holds the checks that run against it.
 */
export const optionsSchema = type({
  /** Whether `run` commands of a project's own rules may run: they are code from a checkout. */
  projectCommands: "boolean",
  /** Whether symbolic links in a project's own rules folders may lead out of the project: they come with a checkout. */
  projectLinks: "boolean",
  /** Sessions kept in memory; the least recently used is dropped. */
  maxSessions: "1 <= number.integer <= 10000",
  /** Whether receipts are written. */
  receipts: "boolean",
  /** The most estimated tokens that the rules of one request should have: more is reported, and nothing is left out. */
  "maxTokens?": "1 <= number.integer <= 10000000",
})
