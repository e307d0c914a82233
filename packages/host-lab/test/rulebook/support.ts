import { expect } from "bun:test"
import { join } from "node:path"
import {
  expectExtends,
  type Lab,
  type PluginSpec,
  type Project,
  type ProjectOptions,
  type ProviderRequest,
} from "../../src/index.ts"
import { expectWholeFrames } from "./frames.ts"

/** The built plugin, as a user would name it in `opencode.json`. */
export const RULEBOOK = join(import.meta.dir, "../../../opencode-rulebook")

/** The same project without the plugin and with it. */
export type Pair = { readonly plain: Project; readonly project: Project }

/** What happened in one scenario, without the plugin and with it. */
export type Runs<T> = Pair & {
  readonly plainRequests: readonly ProviderRequest[]
  readonly requests: readonly ProviderRequest[]
  /** What the scenario returned without the plugin, and with it. */
  readonly plainResult: T
  readonly result: T
}

/** Options of a pair; `behind` are plugins whose hooks run after this one's, `plugins` those ahead of it. */
export type PairOptions = ProjectOptions & {
  readonly behind?: readonly PluginSpec[]
  /** The plugin's own options. */
  readonly rulebook?: Readonly<Record<string, unknown>>
}

export async function openPair(lab: Lab, { behind = [], rulebook, ...options }: PairOptions): Promise<Pair> {
  const ahead = options.plugins ?? []
  const own: PluginSpec = rulebook ? [RULEBOOK, { ...rulebook }] : RULEBOOK
  const plain = await lab.project({ ...options, plugins: [...ahead, ...behind] })
  const project = await lab.project({ ...options, plugins: [...ahead, own, ...behind] })
  return { plain, project }
}

/**
 * Plays one scenario twice on real OpenCode, with the plugin and without it, and checks that the plugin is free: both
 * cost the same number of provider requests (and a session at most one title), and with the plugin each request of a
 * session extends the one before it and holds whole frames only, no rule twice.
 *
 * @param options.rewrites true where the host itself rewrites the history (compaction, revert).
 * @param play the scenario; what it returns is checked by the caller, for the run with the plugin only.
 */
export async function playFree<T>(
  lab: Lab,
  { rewrites = false, ...options }: PairOptions & { readonly rewrites?: boolean },
  play: (project: Project) => Promise<T>,
): Promise<T> {
  return (await playIn(await openPair(lab, options), play, { rewrites })).result
}

/** How a scenario is played and compared. */
export type PlayOptions<T> = {
  /** Whether the host itself rewrites the history. */
  readonly rewrites?: boolean
  /** For what the host does in one way or another without the plugin too: whether it did the same in both runs. */
  readonly isAlike?: (runs: Runs<T>) => boolean
}

/** How often a scenario is played until the host has acted alike. */
const MOST_PLAYS = 8

/** Like `playFree`, in a pair of projects that may have seen other scenarios. */
export async function playIn<T>(
  pair: Pair,
  play: (project: Project) => Promise<T>,
  { rewrites = false, isAlike = () => true }: PlayOptions<T> = {},
): Promise<Runs<T>> {
  let runs = await playBoth(pair, play)
  for (let plays = 1; !isAlike(runs) && plays < MOST_PLAYS; plays += 1) runs = await playBoth(pair, play)
  const { requests, plainRequests } = runs
  expect(kinds(requests)).toEqual(kinds(plainRequests))
  const titles = pair.project.requests().filter(({ kind }) => kind === "title")
  expect(titles).toHaveLength(new Set(titles.map(({ sessionID }) => sessionID)).size)
  expectWholeFrames(requests)
  if (!rewrites) for (const dispatches of dispatchesBySession(requests)) expectExtends(dispatches)
  return runs
}

async function playBoth<T>(pair: Pair, play: (project: Project) => Promise<T>): Promise<Runs<T>> {
  const { requests: plainRequests, result: plainResult } = await record(pair.plain, play)
  const { requests, result } = await record(pair.project, play)
  return { ...pair, plainRequests, requests, plainResult, result }
}

/** Titles are left out: the host asks for them beside the turn, and may do so after its end. */
async function record<T>(project: Project, play: (project: Project) => Promise<T>) {
  const before = project.requests().length
  const result = await play(project)
  const requests = project.requests().slice(before)
  return { result, requests: requests.filter(({ kind }) => kind !== "title") }
}

function kinds(requests: readonly ProviderRequest[]): Record<string, number> {
  return Object.fromEntries(
    Object.entries(Object.groupBy(requests, ({ kind }) => kind)).map(([kind, all = []]) => [kind, all.length]),
  )
}

function dispatchesBySession(requests: readonly ProviderRequest[]): ProviderRequest[][] {
  const dispatches = requests.filter(({ kind }) => kind === "dispatch")
  return Object.values(Object.groupBy(dispatches, ({ sessionID }) => sessionID)).map((own = []) => own)
}

/** How often a text is in the conversation of each request, in order. */
export function counts(requests: readonly ProviderRequest[], text: string): number[] {
  return requests.map(({ conversation }) => conversation.split(text).length - 1)
}
