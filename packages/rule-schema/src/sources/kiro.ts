import type { Tool } from "./tool.ts"

/**
 * `inclusion`: `always` (also without the key), `fileMatch` with a `fileMatchPattern`, `auto` with a `description`, or `manual`.
 * `#[[file:path]]` puts a file into the text.
 */
export const kiro: Tool = {
  name: "kiro",
  title: "Kiro",
  documentation: "https://kiro.dev/docs/steering/",
  project: [{ path: ".kiro/steering" }],
  home: [{ path: ".kiro/steering" }],
  keys: ["inclusion", "fileMatchPattern", "name", "description"],
  byDefault: { key: "inclusion", value: "always" },
  includes: /#\[\[file:([^\]\r\n]+)\]\]/g,
}
