import type { MatchedRuleState, Receipt } from "@opencode-rulebook/rule-schema"
import { createEngine, type EngineOptions } from "../../src/engine/engine.ts"
import type { FactSources } from "../../src/engine/gather-facts.ts"
import type { StartingCall } from "../../src/engine/held-calls.ts"
import type {
  DispatchEdits,
  DurableDelivery,
  HostPort,
  VisibleDelivery,
  VisibleHistory,
} from "../../src/engine/port.ts"
import type { Turn } from "../../src/engine/session.ts"
import type { DispatchTrace } from "../../src/engine/trace.ts"
import { writesOf } from "../../src/hosts/shared/writes.ts"
import { receiptLines } from "./receipt-lines.ts"
import { ROOT, rulebookOf } from "./rules.ts"

export interface EngineSetup extends Partial<Omit<EngineOptions, "port" | "facts">> {
  readonly rules?: Readonly<Record<string, string>>
  /** Rules of nested folders, found when one of their folders is asked for. */
  readonly nested?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly facts?: Partial<FactSources>
  readonly port?: Partial<HostPort>
}

/** The engine beside a host that only remembers: what a dispatch shows, the test says. */
export function startEngine({ rules = {}, nested = {}, facts, port, ...options }: EngineSetup) {
  const receipts: Receipt[] = []
  const states: MatchedRuleState[] = []
  const traces: DispatchTrace[] = []
  const retracted: string[] = []
  const log: string[] = []
  const commands: string[] = []
  const stored: DurableDelivery[] = []
  const looks: string[] = []
  const clock = { now: 1_000 }
  const engine = createEngine({
    port: {
      async persist(_session, delivery) {
        stored.push(delivery)
        return { kind: "stored", messageID: `stored_${stored.length}` }
      },
      storedDeliveries: async () => ({ kind: "read", deliveries: [] }),
      log: (level, message) => void log.push(`${level} ${message}`),
      ...port,
    },
    facts: {
      os: "linux",
      ci: false,
      project: async () => undefined,
      branch: async () => undefined,
      tools: async () => undefined,
      ...facts,
    },
    loadRules: async () => rulebookOf(rules),
    async findNested(folders) {
      looks.push(...folders)
      return folders.flatMap((folder) => {
        const files = nested[folder]
        return files ? [{ folder, rulebook: rulebookOf(files, folder) }] : []
      })
    },
    runCommand: (rule, command, event) => void commands.push(`${rule.id} ${event.type} ${command}`),
    publish: (state) => void states.push(state),
    retract: (sessionID) => void retracted.push(sessionID),
    directory: ROOT,
    maxSessions: 10,
    trace: (dispatch) => void traces.push(dispatch),
    receipts: { host: "a host", plugin: "1.2.3", note: (_session, receipt) => void receipts.push(receipt) },
    now: () => clock.now,
    ...options,
  })
  return {
    engine,
    states,
    traces,
    retracted,
    log,
    commands,
    stored,
    looks,
    receipts,
    clock,
    /** What the sidebar has got since the last time, in short. */
    newStates: () => states.splice(0).map(stateLines),
    /** The receipts since the last time, in short. */
    newReceipts: () => receiptLines({ receipts: receipts.splice(0) }),
  }
}

/** What a dispatch shows: messages, and of those that deliver rules which. */
export function shown(messages: readonly string[], delivered: Readonly<Record<string, readonly string[]>> = {}) {
  const deliveries = Object.entries(delivered).map(([messageID, rules]): VisibleDelivery => {
    return { messageID, part: 0, rules: rules as VisibleDelivery["rules"] }
  })
  return { messages, deliveries } satisfies VisibleHistory
}

/** `after: rules` of what a request has beside its history. */
export function added({ insertions }: DispatchEdits): readonly string[] {
  return insertions.map(({ after, text }) => {
    return `${after}: ${Array.from(text.matchAll(/<rule name="([^"]*)"/g), ([, name]) => name).join(" ")}`
  })
}

/** An agent's session on the engine: each request shows one message more, `m1`, `m2` and so on. */
export function talking(setup: EngineSetup, sessionID = "ses_1") {
  const started = startEngine(setup)
  const { engine } = started
  const messages: string[] = []
  let made = 0

  async function dispatch(turn: Partial<Turn>, delivered: Readonly<Record<string, readonly string[]>>) {
    messages.push(`m${++made}`)
    return await engine.dispatch(sessionID, shown(messages, delivered), turn)
  }

  /** A call of a file tool begins. Returns why it must not run, if so. */
  function starts(tool: string, path: string, content: string, more: Partial<StartingCall> = {}) {
    const args = { path, content }
    const writes = () => writesOf(tool, args)
    return engine.toolStarting({ sessionID, tool, args, paths: () => [path], writes, ...more })
  }

  return {
    ...started,
    messages,
    starts,
    request: async (turn: Partial<Turn> = {}, delivered: Readonly<Record<string, readonly string[]>> = {}) =>
      added(await dispatch(turn, delivered)),
    /** The same with the rules' texts. */
    async texts(turn: Partial<Turn> = {}) {
      const { insertions } = await dispatch(turn, {})
      return insertions.map(({ after, text }) => `${after}: ${text.split("\n").slice(2, -1).join("\n")}`)
    },
    prompt: (turn: Partial<Turn>) => engine.prompt(sessionID, turn),
    /** The whole call, with its file as it is then. */
    async file(tool: string, path: string, content: string) {
      const stop = await starts(tool, path, content)
      const args = { path, content }
      const event = { sessionID, tool, args }
      if (stop === undefined) await engine.toolSucceeded(event, [{ path, tool, content }], () => writesOf(tool, args))
      return stop
    },
    /** The whole call of another tool. */
    async call(tool: string, args: object = {}) {
      const stop = await engine.toolStarting({ sessionID, tool, args })
      if (stop === undefined) await engine.toolSucceeded({ sessionID, tool, args }, [])
      return stop
    },
  }
}

/** Each rule of a state, and what is met in part. */
function stateLines({ rules, partlyMet = [], nested }: MatchedRuleState): readonly string[] {
  return [
    ...rules.map(({ id, digest, status, ...noted }) => {
      const more = Object.entries(noted).map(([key, value]) => `${key} ${value}`)
      return `${fileOf(id)} ${[status, ...more].join(", ")}`
    }),
    ...partlyMet.map(({ id, met }) => `${fileOf(id)} in part: ${met.join(" ")}`),
    ...(nested ? [`nested: ${nested.join(" ")}`] : []),
  ]
}

function fileOf(id: string): string {
  return id.replace(/^project:/, "").replace(/\.md$/, "")
}
