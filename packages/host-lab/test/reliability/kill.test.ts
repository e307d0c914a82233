import { expect, setDefaultTimeout, test } from "bun:test"
import { call, held, type Project, type ProviderRequest, type Session, say, startLab } from "../../src/index.ts"
import { counts, RULEBOOK } from "../rulebook/support.ts"

setDefaultTimeout(180_000)

const TEXT = "Justify every unsafe block."
const OPTIONS = {
  files: { "src/main.rs": "fn main() { unsafe { x() } }\n" },
  rules: { "unsafe.md": `---\nglobs: "**/*.rs"\nfileContains: "unsafe {"\n---\n${TEXT}` },
  plugins: [RULEBOOK],
}

type Event = ReturnType<Project["events"]>[number]

/** At which of the host's events it is killed. */
const points: Readonly<Record<string, (event: Event) => boolean>> = {
  "when the call that matched the rule has ended": (event) =>
    event.type === "message.part.updated" &&
    event.properties.part.type === "tool" &&
    event.properties.part.state.status === "completed",
  "when the delivery's text is being stored": (event) =>
    event.type === "message.part.updated" &&
    event.properties.part.type === "text" &&
    event.properties.part.text.includes(TEXT),
}

test.each([...Object.keys(points), "when the dispatch with the rule is out"])(
  "a host that is killed %s has its history whole afterwards, and the rule in it once",
  async (point) => {
    await using lab = await startLab()
    const project = await lab.project(OPTIONS)
    const session = await project.session()
    await session.prompt("hello", [say("hi")])

    const dispatched = Promise.withResolvers<void>()
    const never = new Promise<never>(() => undefined)
    const isHit = points[point]
    const hit = isHit ? project.event(isHit) : dispatched.promise
    const second = (_: ProviderRequest) => {
      dispatched.resolve()
      return held(never, say("never said"))
    }
    const turn = session.prompt("look", { script: [readMain(project), second], loose: true }).catch(() => undefined)
    await hit
    await lab.kill()
    await turn
    await lab.restart()

    const again = await project.session(session.id)
    await expectWhole(again)
    const before = project.requests().length
    const next = await again.prompt("still there?", [readMain(project), say("done")])
    const last = await again.prompt("and now?", [say("nothing")])
    // Nothing is asked for again: two requests for the first prompt, one for the second.
    expect(
      project
        .requests()
        .slice(before)
        .filter(({ kind }) => kind !== "title"),
    ).toHaveLength(3)
    const [first, ...rest] = counts([...next.requests, ...last.requests], TEXT)
    expect(first).toBeLessThanOrEqual(1)
    expect(rest).toEqual([1, 1])
    expect(await stored(again)).toBe(1)
    await expectWhole(again)
  },
)

function readMain(project: Project) {
  return call("read", { filePath: project.path("src/main.rs") })
}

/** Every message that was sent is there, once, in its order, with its parts. */
async function expectWhole(session: Session): Promise<void> {
  const messages = await session.messages()
  const ids = messages.map(({ info }) => info.id)
  expect(new Set(ids).size).toBe(ids.length)
  const prompts = messages.flatMap(({ info, parts }) =>
    info.role === "user" ? parts.flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text] : [])) : [],
  )
  expect(prompts.slice(0, 2)).toEqual(["hello", "look"])
  for (const { info, parts } of messages) for (const part of parts) expect(part.messageID).toBe(info.id)
}

async function stored(session: Session): Promise<number> {
  const messages = await session.messages()
  return messages.flatMap(({ parts }) => parts).filter((part) => part.type === "text" && part.text.includes(TEXT))
    .length
}
