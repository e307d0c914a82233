import { readdir } from "node:fs/promises"
import { basename, join } from "node:path"
import type { ScriptedProvider } from "../provider.ts"
import type { ProviderRequest } from "../request.ts"
import { hasMark } from "./frames.ts"
import { type KnownRules, knownRules } from "./known-rules.ts"
import type { ReadRequest } from "./read-request.ts"
import { checkRequest } from "./request.ts"
import { ruleFiles } from "./rule-files.ts"

const LABS_OWN = new Set(["projects", "data", "cache", "state", "tmp"])

/** What is known of a project whose requests are checked. */
export type InspectedProject = {
  readonly folder: string
  /** The templates of its slash commands, by name. */
  readonly templates: Readonly<Record<string, string>>
  /** Texts that other plugins add to user messages, or that attachments come to. */
  readonly others: readonly string[]
}

/** Checks each request of a lab when the turn has ended in which it was sent: see `checkRequest`. */
export type Inspector = {
  /** Takes in a project as it is seeded: a test may change its rules before a request is looked at. */
  open(project: InspectedProject): Promise<void>
  /** A prompt is on its way. Returns what says that its turn has ended, and whether the host took the prompt. */
  begin(sessionID: string, texts: readonly string[]): (isTaken: boolean) => void
  /** The session's conversation is rewritten by more than its compaction. */
  rewritten(sessionID: string): void
  /** @throws with the first thing that is wrong in the requests since the last time. */
  inspect(): Promise<void>
  /** @throws with the first thing that was ever wrong: for a test that has caught it with something else. */
  end(): Promise<void>
}

type Prompt = {
  readonly text: string
  /** How many requests there were when each later one had to have it; undefined while another prompt of the session is at work. */
  since: number | undefined
}

type SeenSession = { before: ReadRequest | undefined; prompts: Prompt[]; turns: number; isPrompted: boolean }

/**
 * @param root the lab's folder, for the rules of the user's own.
 * @param isOn without it nothing is ever wrong.
 */
export function startInspector(root: string, provider: ScriptedProvider, isOn: boolean): Inspector {
  const projects = new Map<string, InspectedProject>()
  const sessions = new Map<string, SeenSession>()
  /** What was asked for in any session of the lab: a fork has the prompts of another. */
  const asked = new Set<string>()
  const filesOf = ruleFiles()
  const faults: unknown[] = []
  let done = 0

  function sessionOf(id: string): SeenSession {
    const session = sessions.get(id) ?? { before: undefined, prompts: [], turns: 0, isPrompted: false }
    sessions.set(id, session)
    return session
  }

  function isAsked(text: string, request: ProviderRequest): boolean {
    // What a person asks for, in the TUI or with `opencode run`, is not known.
    const known = [request.sessionID, request.parentID].some((id) => id !== undefined && sessions.get(id)?.isPrompted)
    if (!known) return text !== "" && !hasMark(text)
    const templates = Object.values(projects.get(request.project)?.templates ?? {})
    return asked.has(text) || provider.delegated.has(text) || templates.some((template) => isFrom(template, text))
  }

  function check(request: ProviderRequest, number: number, rules: KnownRules): void {
    const session = sessionOf(request.sessionID)
    if (request.kind === "summary") forget(session)
    const prompts = session.prompts.flatMap(({ text, since = number + 1 }) => (since <= number ? [text] : []))
    const isDispatch = request.kind === "dispatch"
    const before = isDispatch ? session.before : undefined
    // A request that is wrong is compared with none: what is wrong is told once.
    if (isDispatch) session.before = undefined
    const others = projects.get(request.project)?.others ?? []
    const read = checkRequest(request, { rules, prompts, before, others, isAsked: (text) => isAsked(text, request) })
    if (isDispatch) session.before = read
  }

  async function inspect(): Promise<void> {
    if (!isOn) return
    const fresh = provider.requests.slice(done)
    const keys = new Set(fresh.map(({ project }) => project))
    const folders = [...projects.values()].flatMap(({ folder }) => (keys.has(basename(folder)) ? [folder] : []))
    const files = fresh.length > 0 ? await filesOf([...(await usersFolders(root)), ...folders]) : []
    const rules = knownRules(files)
    const before = faults.length
    for (; done < provider.requests.length; done += 1) {
      try {
        const request = provider.requests[done]
        if (request) check(request, done, rules)
      } catch (fault) {
        faults.push(fault)
      }
    }
    if (faults.length > before) throw faults[before]
  }

  return {
    async open(project) {
      projects.set(basename(project.folder), project)
      if (isOn) await filesOf([project.folder])
    },
    begin(sessionID, texts) {
      const session = sessionOf(sessionID)
      const since = session.turns === 0 ? provider.requests.length : undefined
      if (since !== undefined) for (const prompt of session.prompts) prompt.since ??= since
      const own = texts.map((text) => ({ text, since }))
      for (const text of texts) asked.add(text)
      session.prompts.push(...own)
      session.isPrompted = true
      session.turns += 1
      return (isTaken) => {
        session.turns -= 1
        if (!isTaken) session.prompts = session.prompts.filter((prompt) => !own.includes(prompt))
      }
    },
    rewritten: (sessionID) => forget(sessionOf(sessionID)),
    inspect,
    async end() {
      await inspect().catch(() => undefined)
      if (faults.length > 0) throw faults[0]
    },
  }
}

/** Where rules of the user's own may be: the folders of a lab that are neither a project nor the host's. */
async function usersFolders(root: string): Promise<string[]> {
  const names = (await readdir(root)).filter((name) => !LABS_OWN.has(name))
  return names.map((name) => join(root, name))
}

function forget(session: SeenSession): void {
  session.before = undefined
  session.prompts = []
}

/** Whether a slash command's template comes to this text. */
function isFrom(template: string, text: string): boolean {
  const [first = "", ...rest] = template.split(/\$(?:ARGUMENTS|\d+)/)
  const last = rest.at(-1) ?? ""
  if (rest.length === 0) return text === template || text.startsWith(`${template}\n\n`)
  return text.startsWith(first) && text.endsWith(last)
}
