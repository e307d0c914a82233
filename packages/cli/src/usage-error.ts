/** The command was called in a way that it can't answer: exit code 2, the message on standard error. */
export class UsageError extends Error {}
