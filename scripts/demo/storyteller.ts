import { type Answer, held, type Project, type ProviderRequest, type Script, say } from "@opencode-rulebook/host-lab"
import { story } from "./story.ts"

/**
 * The model of the demo's TUI: it plays the story's chapters as they are typed, in any order, and says what to type else.
 *
 * @param paceMs how long it seems to think, in milliseconds.
 */
export function storyteller(project: Project, paceMs: number): Script {
  return (request) => held(Bun.sleep(paceMs), answerTo(request, project))
}

function answerTo({ messages }: ProviderRequest, project: Project): Answer {
  const from = messages.findLastIndex(({ role, text }) => role === "user" && !text.startsWith("<system-message>"))
  const prompt = messages[from]?.text ?? ""
  const chapter = story.find((each) => prompt.includes(each.prompt))
  if (!chapter) return say(`I only know the demo's lines. Type one of them:\n\n${listed()}`)
  const taken = messages.slice(from).filter(({ calls }) => calls.length > 0).length
  return chapter.script(project)[taken] ?? say("Done.")
}

function listed(): string {
  return story.map(({ prompt }) => `- ${prompt}`).join("\n")
}
