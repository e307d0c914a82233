import { expect } from "bun:test"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { type Files, type Project, type ProviderRequest, type Step, say } from "../../src/index.ts"
import { type Pair, playIn } from "./support.ts"

/** A rule file's text; `arrivals` knows the rule by its name. */
export function rule(name: string, frontmatter: string): string {
  return `---\n${frontmatter}\n---\nFollow ${name}.`
}

/** Rule files from the frontmatter of each rule, by name. */
export function ruleFiles(frontmatters: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(frontmatters).map(([name, text]) => [`${name}.md`, rule(name, text)]))
}

/**
 * For each request the rules that it is the first to carry: the list of step n's rules is at index n, and at 0 is what the
 * prompt alone brought. Checks that no request has a rule twice and none loses one.
 */
export function arrivals(requests: readonly ProviderRequest[]): string[][] {
  const arrived = new Set<string>()
  return requests.map(({ conversation }) => {
    const rules = [...conversation.matchAll(/<rule name="([\w-]+)">\nFollow \1\.\n<\/rule>/g)].map(
      ([, name = ""]) => name,
    )
    expect(rules.toSorted()).toEqual([...new Set([...arrived, ...rules])].toSorted())
    const fresh = rules.filter((name) => !arrived.has(name)).toSorted()
    for (const name of fresh) arrived.add(name)
    return fresh
  })
}

type Scenario = {
  readonly files?: Files
  /** Frontmatter by rule name. */
  readonly rules: Readonly<Record<string, string>>
  readonly prompt?: string
  readonly model?: string
}

/**
 * One turn of these steps and a last word in a new session, without the plugin and with it: the turn's requests and the rules
 * that they bring. The files and rules are written first, in place of the rules that the pair of projects had: a session
 * takes its own snapshot of them.
 */
export async function observe(
  pair: Pair,
  { files = {}, rules, prompt = "go", model = "plain" }: Scenario,
  steps: (project: Project) => readonly Step[],
): Promise<{ readonly arrived: string[][]; readonly requests: readonly ProviderRequest[] }> {
  const { result: requests } = await playIn(pair, async (project) => {
    await rm(project.path(RULES), { recursive: true, force: true })
    for (const [path, content] of Object.entries(files)) await Bun.write(project.path(path), content)
    for (const [name, text] of Object.entries(ruleFiles(rules))) await Bun.write(project.path(join(RULES, name)), text)
    const session = await project.session()
    return (await session.prompt(prompt, { model, script: [...steps(project), say("done")] })).requests
  })
  return { arrived: arrivals(requests), requests }
}

const RULES = ".opencode/rules"

/** What the model reads as the results of the step's calls, in order. */
export function results(requests: readonly ProviderRequest[], step: number): string[] {
  const messages = requests[step]?.messages ?? []
  const asked = messages.findLastIndex(({ role }) => role === "assistant")
  return messages.slice(asked).flatMap(({ role, text }) => (role === "tool" ? [text] : []))
}
