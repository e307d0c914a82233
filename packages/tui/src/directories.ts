import { join } from "node:path"
import {
  type DirectoryInput,
  findRuleSources,
  nestedDirectories,
  readSourceOptions,
  ruleDirectories,
} from "@opencode-rulebook/rule-schema"
import type { SessionPlaces } from "./host.ts"

/**
 * Where the rules of a session are. What it reads beside OpenCode's own places is the server part's to say, in the session's state;
 * until there is one, its options are taken from the host.
 *
 * @param options the server part's, as the user wrote them.
 */
export function sessionPlaces(
  place: DirectoryInput,
  options: Readonly<Record<string, unknown>>,
): Pick<SessionPlaces, "directories" | "directoriesOf"> {
  const told = { ...place, projectLinks: options["projectLinks"] === true, ...readSourceOptions(options).options }
  return {
    directories: ruleDirectories(told),
    async directoriesOf(state) {
      const input = { ...told, ...readSourceOptions(state).options }
      const { directories } = await findRuleSources(input)
      const nested = (state.nested ?? []).flatMap((folder) => nestedDirectories(input, join(place.directory, folder)))
      return [...directories, ...nested]
    },
  }
}
