import { setup, tui } from "@opencode-rulebook/tui"

// The host calls every export of an entry that it doesn't recognise: one default export, nothing else.
export default { id: "opencode-rulebook", tui, setup }
