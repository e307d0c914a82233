import type { Tool } from "./tool.ts"

/**
 * `alwaysApply: true`, always; `false`, by `globs` or when the agent decides by the `description`; without it, by `globs`, or always
 * when there are none. `regex` limits a rule to files by their text: as in every rule, that is not honoured.
 */
export const continueDev: Tool = {
  name: "continue",
  title: "Continue",
  documentation: "https://docs.continue.dev/customize/deep-dives/rules",
  project: [{ path: ".continue/rules" }],
  home: [{ path: ".continue/rules" }],
  keys: ["name", "globs", "description", "alwaysApply"],
}
