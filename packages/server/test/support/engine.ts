import type { MatchedRuleState, Receipt } from "@opencode-rulebook/rule-schema"
import { createEngine, type EngineOptions } from "../../src/engine/engine.ts"
import type { FactSources } from "../../src/engine/gather-facts.ts"
import type { DurableDelivery, HostPort, VisibleDelivery, VisibleHistory } from "../../src/engine/port.ts"
import type { DispatchTrace } from "../../src/engine/trace.ts"
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
  let clock = 0
  const engine = createEngine({
    port: {
      async persist(_session, delivery) {
        stored.push(delivery)
        return { kind: "stored", messageID: `stored_${stored.length}` }
      },
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
    now: () => ++clock,
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
