import { expect, test } from "bun:test"
import fc from "fast-check"
import { readExport } from "../src/dry-run.ts"
import recording from "./recordings/opencode-1.18.33/exports.json"
import { runs } from "./support/runs.ts"

/** One message of OpenCode 2 of each type that has contents. */
const V2_MESSAGES = [
  { id: "msg_1", type: "user", text: "hello", time: { created: 1 } },
  {
    ...{ id: "msg_2", type: "assistant", agent: "build", model: { id: "m", providerID: "p" }, time: { created: 2 } },
    content: [
      {
        ...{ type: "tool", id: "call_1", name: "read", time: { created: 2, ran: 3, completed: 4 } },
        state: { status: "completed", input: { path: "a.rs" }, content: [{ type: "text", text: "Read file a.rs" }] },
      },
    ],
  },
  { id: "msg_3", type: "compaction", status: "completed", time: { created: 5 } },
]

type Path = readonly (string | number)[]

/** Every place in a value. */
function placesIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...path, key]))]
}

function withValueAt(value: unknown, [key, ...rest]: Path, put: unknown): unknown {
  if (key === undefined) return put
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string | number, unknown>
  copy[key] = withValueAt(copy[key], rest, put)
  return copy
}

test.each([
  ["OpenCode 1", recording.session.messages],
  ["OpenCode 2", V2_MESSAGES],
])(
  "an export of %s with any values in any places is read without a throw, and its events are in order",
  (_host, messages) => {
    const places = placesIn(messages)
    const change = fc.tuple(fc.constantFrom(...places), fc.jsonValue({ maxDepth: 2 }))
    const property = fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
      const value = changes.reduce<unknown>((changed, [path, put]) => {
        return placesIn(changed).some((place) => place.join() === path.join())
          ? withValueAt(changed, path, put)
          : changed
      }, messages)
      const session = readExport({ info: { id: "ses_1" }, messages: value })
      if (!Array.isArray(value)) return expect(session).toBeUndefined()
      const times = session?.events.map(({ at }) => at) ?? []
      expect(times).toEqual(times.toSorted((one, other) => one - other))
    })
    fc.assert(property, { numRuns: runs(100) })
  },
)

test("any JSON is read without a throw", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      readExport(value)
      readExport({ info: { id: "ses_1" }, messages: [value] })
    }),
    { numRuns: runs(500) },
  )
})
