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
import { expectUntouched } from "./untouched.ts"

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
 * Plays one scenario twice on real OpenCode, with the plugin and without it, and checks that the plugin is free and touches nothing: both
 * cost the same number of provider requests (and a session at most one title), each request is the one without the plugin but for whole frames, and
 * each request of a session extends the one before it. The lab itself checks that each of the plugin's texts is a rule's, whole, and once.
 *
 * @param play the scenario; what it returns is checked by the caller, for the run with the plugin only.
 */
export async function playFree<T>(
  lab: Lab,
  { rewrites = false, incomparable, ...options }: PairOptions & Pick<PlayOptions<T>, "rewrites" | "incomparable">,
  play: (project: Project) => Promise<T>,
): Promise<T> {
  return (await playIn(await openPair(lab, options), play, { rewrites, ...(incomparable && { incomparable }) })).result
}

/** How a scenario is played and compared. */
export type PlayOptions<T> = {
  /** Whether the history is rewritten, by a compaction, an undo or a rule that holds no longer. */
  readonly rewrites?: boolean
  /** Why the requests of the two runs are not the same but for the plugin's frames: what the rules make of the calls, for one. */
  readonly incomparable?: string
  /** For what the host does in one way or another without the plugin too: whether it did the same in both runs. */
  readonly isAlike?: (runs: Runs<T>) => boolean
}

/** How often a scenario is played until the host has acted alike. */
const MOST_PLAYS = 8

/** Like `playFree`, in a pair of projects that may have seen other scenarios. */
export async function playIn<T>(
  pair: Pair,
  play: (project: Project) => Promise<T>,
  { rewrites = false, incomparable, isAlike = () => true }: PlayOptions<T> = {},
): Promise<Runs<T>> {
  const runs = await playAlike(pair, play, isAlike)
  const { requests, plainRequests } = runs
  expect(kinds(requests)).toEqual(kinds(plainRequests))
  const titles = pair.project.requests().filter(({ kind }) => kind === "title")
  expect(titles).toHaveLength(new Set(titles.map(({ sessionID }) => sessionID)).size)
  if (incomparable === undefined) expectUntouched(runs)
  if (!rewrites) for (const dispatches of dispatchesBySession(requests)) expectExtends(dispatches)
  return runs
}

/** Plays both, again and again until some run without the plugin and some run with it are alike: the two latest, if none are. */
async function playAlike<T>(
  pair: Pair,
  play: (project: Project) => Promise<T>,
  isAlike: (runs: Runs<T>) => boolean,
): Promise<Runs<T>> {
  const plain: Recorded<T>[] = []
  const own: Recorded<T>[] = []
  for (;;) {
    plain.unshift(await record(pair.plain, play))
    own.unshift(await record(pair.project, play))
    const all = own.flatMap(({ requests, result }) =>
      plain.map((run) => ({ ...pair, plainRequests: run.requests, requests, plainResult: run.result, result })),
    )
    const [latest] = all
    const found = all.find(isAlike) ?? (own.length < MOST_PLAYS ? undefined : latest)
    if (found) return found
  }
}

type Recorded<T> = { readonly requests: readonly ProviderRequest[]; readonly result: T }

/** Titles are left out: the host asks for them beside the turn, and may do so after its end. */
async function record<T>(project: Project, play: (project: Project) => Promise<T>): Promise<Recorded<T>> {
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

/** How often a text is in the conversation of each request, in order. Each is whole: the lab has checked it. */
export function counts(requests: readonly ProviderRequest[], text: string): number[] {
  return requests.map(({ conversation }) => conversation.split(text).length - 1)
}
