import type { HistoryPlace, HostPort, StoredSession, VisibleHistory } from "@opencode-rulebook/server/dry-run"

/** A host that stores what it is given, and shows it as its major would. */
export interface SessionHost {
  readonly port: HostPort
  /** What a request shows. */
  history(): VisibleHistory
  add(message: NewMessage): void
  /** The host shows nothing older than this message from now on. */
  hideBefore(messageID: string): void
}

interface NewMessage {
  readonly id: string
  readonly isUsers: boolean
  /** The ids of the calls in it. */
  readonly calls?: readonly string[]
  /** What it delivers. */
  readonly parts?: readonly Part[]
  /** Its estimated tokens, rules left out; none where that is not known. */
  readonly tokens?: (() => number) | undefined
}

type StoredDeliveries = Awaited<ReturnType<NonNullable<HostPort["storedDeliveries"]>>>
type Part = Parameters<HostPort["persist"]>[1]["parts"][number]

interface Message {
  readonly id: string
  readonly isUsers: boolean
  readonly calls: readonly string[]
  readonly parts: Pick<Part, "rules" | "place">[]
  readonly tokens: () => number
}

/** @param keeps how the host keeps a delivery. */
export function createSessionHost(keeps: StoredSession["keeps"]): SessionHost {
  const messages: Message[] = []
  let first = 0
  let made = 0

  function add({ id, isUsers, calls = [], parts = [], tokens = () => 0 }: NewMessage): void {
    messages.push({ id, isUsers, calls, parts: [...parts], tokens: once(tokens) })
  }

  /** A part goes to the newest message of the user's; where there is none, it is a message of its own. */
  function store(rules: Part["rules"], parts: readonly Part[]): string {
    const carrier = keeps.kind === "part" ? messages.findLast(({ isUsers }) => isUsers) : undefined
    if (carrier) carrier.parts.push(...parts)
    made += 1
    const id = carrier?.id ?? `delivery ${made}`
    if (!carrier) add({ id, isUsers: false, parts: [{ rules, text: "", place: undefined }] })
    return id
  }

  function visible(): readonly Message[] {
    return messages.slice(first)
  }

  function placeIn(shown: readonly Message[], place: HistoryPlace | undefined): string | undefined {
    if (place === undefined) return undefined
    return shown.findLast(({ id, calls }) => (place.kind === "message" ? id === place.id : calls.includes(place.id)))
      ?.id
  }

  async function storedDeliveries(): Promise<StoredDeliveries> {
    const deliveries = visible().flatMap(({ id, parts }) =>
      parts.map(({ rules }) => ({ messageID: id, rules, id: undefined })),
    )
    return { kind: "read", deliveries }
  }

  return {
    port: {
      async persist(_sessionID, { rules, parts }) {
        return { kind: "stored", messageID: store(rules, parts) }
      },
      log: () => undefined,
      ...(keeps.kind === "message" ? { mostRules: keeps.mostRules } : { storedDeliveries }),
    },
    history() {
      const shown = visible()
      return {
        messages: shown.map(({ id }) => id),
        tokensOf: (index) => shown[index]?.tokens() ?? 0,
        deliveries: shown.flatMap(({ id, parts }) =>
          parts.map(({ rules, place }, part) => ({ messageID: id, part, rules, after: placeIn(shown, place) })),
        ),
      }
    },
    add,
    hideBefore(messageID) {
      const at = messages.findIndex(({ id }) => id === messageID)
      if (at >= 0) first = at
    },
  }
}

function once(make: () => number): () => number {
  let made: number | undefined
  return () => {
    made ??= make()
    return made
  }
}
