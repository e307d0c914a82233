/** The tools that the agent `build` has by default (measured on OpenCode 1.18.33); rules may name them as either major does. */
export const BUILT_IN_TOOLS: readonly string[] =
  "bash edit glob grep question read skill task todowrite webfetch write".split(" ")
