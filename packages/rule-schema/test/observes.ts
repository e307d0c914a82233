import { isMetBy } from "../src/families/file-condition.ts"
import { pathForm } from "../src/glob/path-form.ts"
import type { CompiledRule, FileObservation } from "../src/index.ts"

/** The plain way: does one observation meet one rule's file condition? A relative path is relative to `directory`, absolute. */
export function observes(
  { root, project, conditions }: CompiledRule,
  observation: FileObservation,
  directory: string,
): boolean {
  const form = pathForm(observation.path, { root, directory, project })
  return conditions.some(({ file }) => file !== undefined && isMetBy(file, observation, form))
}
