import packageJson from "../../../opencode-rulebook/package.json" with { type: "json" }
import type { LoadedRules } from "./rule-loader.ts"

/** The plugin's version. */
export const VERSION = packageJson.version

/**
 * The line that says that the plugin is loaded, and what it found.
 *
 * @param host the host's name, as people know it.
 * @param directory the folder that the host works in, absolute.
 */
export function announcement(host: string, directory: string, { rulebook, directories }: LoadedRules): string {
  const { rules, broken } = rulebook
  const count = rules.length === 1 ? "1 rule" : `${rules.length} rules`
  const faulty = broken.length === 0 ? "" : `, ${broken.length} broken`
  const folders = directories.map(({ path }) => path).join(", ")
  return `version ${VERSION} is loaded on ${host} for ${directory}: ${count}${faulty}, from ${folders}`
}
