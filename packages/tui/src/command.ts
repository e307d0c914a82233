/** The command that opens the list as a dialog, from the palette or as `/rules`. */
export const RULES_COMMAND = {
  id: "opencode-rulebook.rules",
  title: "Show rules",
  slash: "rules",
  group: "Session",
} as const
