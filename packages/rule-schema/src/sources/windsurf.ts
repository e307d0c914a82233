import type { Tool } from "./tool.ts"

/**
 * `trigger`: `always_on`, `glob` with `globs`, `model_decision` with a `description`, or `manual`. Rules of subfolders and of the
 * folders up to the git root count. `.devin/rules` is the newer place. The user's own rules are one file, always on.
 */
export const windsurf: Tool = {
  name: "windsurf",
  title: "Windsurf",
  documentation: "https://docs.windsurf.com/windsurf/cascade/memories",
  project: [
    { path: ".devin/rules", isNested: true },
    { path: ".windsurf/rules", isNested: true },
  ],
  home: [{ path: ".codeium/windsurf/memories", files: /[\\/]global_rules\.md$/ }],
  keys: ["trigger", "globs", "description"],
}
