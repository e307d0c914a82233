import { type } from "arktype"

/**
 * The state file's text as data. Production code takes only the type of it: to load the library takes longer than all the rest of the
 * plugin. A test holds the check that runs against it.
 */
export const stateSchema = type({
  version: "1",
  sessionID: "string",
  directory: "string",
  /** In milliseconds since 1970. */
  updatedAt: "number",
  /** Whether `run` commands of the project's rules run. Absent in states of earlier versions. */
  "projectCommands?": "boolean",
  rules: type({
    id: "string",
    digest: "string",
    /** transient: in the current dispatch. pending: matched, not yet persisted. */
    status: "'unmatched' | 'pending' | 'delivered' | 'transient'",
  }).array(),
  /** What went wrong beside the rule files themselves, newest last. Data: shown escaped. */
  "notices?": "string[]",
})
