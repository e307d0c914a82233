import { expect } from "bun:test"
import { join } from "node:path"
import { expectExtends, type Lab, type Project, type ProjectOptions, type ProviderRequest } from "../../src/index.ts"

/** The built plugin, as a user would name it in `opencode.json`. */
export const RULEBOOK = join(import.meta.dir, "../../../opencode-rulebook")

/**
 * Plays one scenario twice on real OpenCode, with the plugin and without it, and checks that the plugin is free: both
 * cost the same number of provider requests, and with the plugin each request of a session extends the one before it.
 *
 * @param options.rewrites true where the host itself rewrites the history (compaction, revert).
 * @param play the scenario; what it returns is checked by the caller, for the run with the plugin only.
 */
export async function playFree<T>(
  lab: Lab,
  { rewrites = false, ...options }: ProjectOptions & { readonly rewrites?: boolean },
  play: (project: Project) => Promise<T>,
): Promise<T> {
  const plain = await lab.project(options)
  await play(plain)
  const project = await lab.project({ ...options, plugins: [...(options.plugins ?? []), RULEBOOK] })
  const result = await play(project)
  expect(kinds(project)).toEqual(kinds(plain))
  if (!rewrites) for (const requests of dispatchesBySession(project)) expectExtends(requests)
  return result
}

function kinds(project: Project): Record<string, number> {
  return Object.fromEntries(
    Object.entries(Object.groupBy(project.requests(), ({ kind }) => kind)).map(([kind, all = []]) => [
      kind,
      all.length,
    ]),
  )
}

function dispatchesBySession(project: Project): ProviderRequest[][] {
  const dispatches = project.requests().filter(({ kind }) => kind === "dispatch")
  return Object.values(Object.groupBy(dispatches, ({ sessionID }) => sessionID)).map((requests = []) => requests)
}

/** How often a text is in the conversation of each request, in order. */
export function counts(requests: readonly ProviderRequest[], text: string): number[] {
  return requests.map(({ conversation }) => conversation.split(text).length - 1)
}
