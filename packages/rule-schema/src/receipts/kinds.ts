import type { Change } from "./format.ts"

/** What each kind of receipt is about, for documentation. */
export const RECEIPT_KINDS = {
  session:
    "a process begins to work on the session (`begins`), or finds rules of nested folders in it: the rules that are new",
  request:
    "a request: the agent, the model, whether a prompt came before it, the calls since the one before, and the tokens of all rules in it",
  matched: "a rule matched, and by what: a condition with the path or name that it saw, a hook, or always",
  found: "rules that were in the conversation before the process began: after a restart, or in a fork",
  delivered: "a request carries a rule for the first time, or again: why, how large it is, and whether it is stored",
  transient: "a transient rule came into the requests, or left them",
  hook: "a call fired a rule's hook",
  stopped: "a call did not run because of a rule",
  store: "rules were stored in the conversation, or an attempt failed and is repeated",
  gone: "a rule is no longer in the conversation",
  forbidden: "a call added what a rule forbids",
  followed: "a call kept to a rule",
  verdicts: "at the end of a turn, whether each condition holds and what it saw, of the rules where that has changed",
  full: "the file reached its size, and nothing follows",
} as const satisfies Readonly<Record<Change["kind"], string>>
