/** What each list of the report is called, and what to do about what is in it. */
export const SECTIONS = {
  dead: {
    title: "Never matched",
    advice: "Remove them, or loosen their conditions.",
  },
  always: {
    title: "Always match",
    advice: "Remove their conditions: then they are there from the first request on.",
  },
  together: {
    title: "Always match together",
    advice: "Each group may be one rule: its rules match in the same sessions, after the same requests.",
  },
  expensive: {
    title: "Cost the most",
    advice: "Shorten them, or let them come later. Tokens are estimates.",
  },
  broken: {
    title: "Broken the most often",
    advice: "Say it more clearly, or hold the calls back.",
  },
  unreadable: {
    title: "Can't be understood",
    advice: "These files never match. `opencode-rulebook check` says why.",
  },
  withoutRule: {
    title: "Files without a rule",
    advice: "The agent read or changed them, and no rule has globs that match them.",
  },
} as const
