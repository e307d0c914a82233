import { expect, test } from "bun:test"
import { createApprovals } from "./approvals.ts"
import { type AskedCall, followDialogs } from "./dialogs.ts"
import { readEvent } from "./hosts/v1/events.ts"

/** Events as OpenCode 1.18.33 publishes them (measured). */
function asked(id: string, callID: string, always: readonly string[], permission = "bash", sessionID = "ses_1") {
  const properties = {
    id,
    sessionID,
    permission,
    patterns: ["bash-guard-ask-0 'why'", "seen"],
    metadata: {},
    always,
    tool: { messageID: "m", callID },
  }
  return { id: "evt", type: "permission.asked", properties }
}

function replied(requestID: string, reply: "once" | "always" | "reject") {
  return { id: "evt", type: "permission.replied", properties: { sessionID: "ses_1", requestID, reply } }
}

function start() {
  const approvals = createApprovals()
  const shown: string[] = []
  const answered: string[] = []
  const dialogs = followDialogs(approvals, {
    show: (why) => void shown.push(why),
    answer: (session, request) => void answered.push(`${session} ${request}`),
  })
  const call = (needs: string): AskedCall => ({
    why: `why ${needs}`,
    lasting: [
      { permission: "bash", pattern: "seen *", text: "seen" },
      { permission: "bash", pattern: `inside ${needs} *`, text: `inside ${needs}` },
    ],
    mayRun: (seen) => seen.join() === "seen" && approvals.allows("bash", needs),
  })
  return { approvals, shown, answered, dialogs, call, saw: (event: unknown) => readEvent(event, dialogs) }
}

test("an always answer approves what the host stores, the marker's own pattern left out", () => {
  const { approvals, dialogs, call, saw } = start()
  dialogs.expect("c1", call("npm test -- a"))
  saw(asked("p1", "c1", ["bash-guard-ask-000000000000 *", "npm test *"]))
  expect(approvals.allows("bash", "npm test -- a")).toBe(false)
  saw(replied("p1", "always"))
  expect(approvals.allows("bash", "npm test -- b")).toBe(true)
  expect(approvals.allows("edit", "npm test -- b")).toBe(false)
  expect(approvals.allows("bash", "bash-guard-ask-000000000000")).toBe(false)
  // What the host did not see lasts too; for what it saw, its own pattern counts.
  expect(approvals.allows("bash", "inside npm test -- a b")).toBe(true)
  expect(approvals.allows("bash", "seen")).toBe(false)
})

test("other permissions and other tools count too: they are the host's own memory", () => {
  const { approvals, saw } = start()
  saw(asked("p1", "c1", ["/etc/*"], "external_directory"))
  saw(replied("p1", "always"))
  expect(approvals.allows("external_directory", "/etc/*")).toBe(true)
})

test("once and reject approve nothing", () => {
  const { approvals, dialogs, call, saw } = start()
  for (const reply of ["once", "reject"] as const) {
    dialogs.expect("c1", call("npm test"))
    saw(asked("p1", "c1", ["npm test *"]))
    saw(replied("p1", reply))
  }
  expect(approvals.allows("bash", "npm test")).toBe(false)
})

test("open dialogs of the session that are covered now are answered, others stay open", () => {
  const { answered, dialogs, call, saw } = start()
  for (const [callID, needs] of [
    ["c1", "npm test"],
    ["c2", "npm test -- b"],
    ["c3", "deploy"],
    ["c4", "npm test -- d"],
  ] as const) {
    dialogs.expect(callID, call(needs))
  }
  saw(asked("p1", "c1", ["npm test *"]))
  saw(asked("p2", "c2", ["npm test *"]))
  saw(asked("p3", "c3", ["deploy *"]))
  saw(asked("p4", "c4", ["npm test *"], "bash", "ses_2"))
  saw(asked("p5", "c2", ["/etc/*"], "external_directory"))
  saw(replied("p1", "always"))
  expect(answered).toEqual(["ses_1 p2"])
})

test("the reason is shown when the dialog comes, and for the guard's own only", () => {
  const { shown, dialogs, call, saw } = start()
  dialogs.expect("c1", call("a"))
  expect(shown).toEqual([])
  saw(asked("p0", "c0", []))
  saw(asked("p1", "c1", ["/etc/*"], "external_directory"))
  saw(asked("p2", "c1", ["a *"]))
  expect(shown).toEqual(["why a"])
})

test("a dialog is answered once, and then nobody waits for that call", () => {
  const { approvals, shown, dialogs, call, saw } = start()
  dialogs.expect("c1", call("a"))
  saw(asked("p1", "c1", ["/etc/*"], "external_directory"))
  saw(replied("p1", "once"))
  saw(asked("p2", "c1", ["a *"]))
  expect(shown).toEqual(["why a"])
  saw(replied("p2", "once"))
  saw(replied("p2", "always"))
  saw(replied("p9", "always"))
  expect(approvals.allows("bash", "a")).toBe(false)
  saw(asked("p3", "c1", ["a *"]))
  expect(shown).toEqual(["why a"])
})

test("the call hears of an always answer, and of no other", () => {
  const { dialogs, call, saw } = start()
  let count = 0
  for (const reply of ["once", "reject", "always"] as const) {
    const approved = () => {
      count += 1
    }
    dialogs.expect("c1", { ...call("a"), approved })
    saw(asked("p1", "c1", []))
    saw(replied("p1", reply))
    expect(count).toBe(reply === "always" ? 1 : 0)
  }
})

test("what is answered is answered no more; of many open dialogs the oldest are forgotten", () => {
  const { answered, dialogs, call, saw } = start()
  for (const index of Array(501).keys()) {
    dialogs.expect(`c${index}`, call("npm test"))
    saw(asked(`p${index}`, `c${index}`, ["npm test *"]))
  }
  saw(replied("p0", "always"))
  expect(answered).toEqual([])
  saw(replied("p1", "once"))
  saw(replied("p2", "always"))
  expect(answered).toEqual(Array.from({ length: 498 }, (_, index) => `ses_1 p${index + 3}`))
})

test("other events, and odd ones, pass", () => {
  const seen: unknown[] = []
  const dialogs = {
    expect: () => {},
    opened: (dialog: unknown) => void seen.push(dialog),
    answered: (id: string, reply: string) => void seen.push([id, reply]),
  }
  const event = asked("p1", "c1", ["a *"])
  const { properties } = event
  const changed = (changes: object) => ({ ...event, properties: { ...properties, ...changes } })
  const dialog = {
    id: "p1",
    sessionID: "ses_1",
    permission: "bash",
    patterns: properties.patterns,
    always: ["a *"],
    callID: "c1",
  }
  readEvent(event, dialogs)
  for (const tool of [undefined, "x", { messageID: "m" }, { callID: 3 }]) readEvent(changed({ tool }), dialogs)
  const without = { ...dialog, callID: undefined }
  expect(seen.splice(0)).toEqual([dialog, without, without, without, without])
  const odd = [{ id: 1 }, { sessionID: 1 }, { permission: 1 }, { patterns: "x" }, { always: undefined }]
  const answer = replied("p1", "once")
  for (const other of [
    ...odd.map(changed),
    undefined,
    {},
    { type: "permission.asked" },
    { type: "permission.replied", properties: 3 },
    { ...answer, properties: { ...answer.properties, requestID: 1 } },
    { ...answer, properties: { ...answer.properties, reply: 1 } },
    { type: "other", properties: { ...properties, ...answer.properties } },
  ])
    readEvent(other, dialogs)
  expect(seen).toEqual([])
})
