/** An event as the host's stream gives it. */
export interface HostEvent {
  readonly id?: string
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
  /** Where it happened, on the stable line. */
  readonly location?: { readonly directory: string }
}

/** The host's stream of events: every subscriber gets every event, in order and never at once. */
export function createEventStream() {
  const subscribers = new Set<Subscriber>()
  let held: HostEvent[] | undefined

  function deliver(event: HostEvent): void {
    for (const subscriber of subscribers) subscriber.push(event)
  }

  return {
    emit(type: string, data: Readonly<Record<string, unknown>>, more: Pick<HostEvent, "id" | "location"> = {}): void {
      const event = { type, data, ...more }
      if (held) held.push(event)
      else deliver(event)
    },
    /** Keeps events back until they are released, as a busy host may. */
    hold(): void {
      held = []
    },
    release(): void {
      const events = held ?? []
      held = undefined
      for (const event of events) deliver(event)
    },
    subscribe(): AsyncIterable<HostEvent> {
      const subscriber = createSubscriber(() => subscribers.delete(subscriber))
      subscribers.add(subscriber)
      return { [Symbol.asyncIterator]: () => subscriber.iterator }
    },
    subscribers: () => subscribers.size,
  }
}

type Subscriber = ReturnType<typeof createSubscriber>

function createSubscriber(onReturn: () => void) {
  const waiting: HostEvent[] = []
  let wake: ((result: IteratorResult<HostEvent>) => void) | undefined
  const iterator: AsyncIterator<HostEvent> = {
    next() {
      const value = waiting.shift()
      if (value) return Promise.resolve({ value, done: false })
      return new Promise((resolve) => {
        wake = resolve
      })
    },
    async return() {
      onReturn()
      wake?.({ value: undefined, done: true })
      return { value: undefined, done: true }
    },
  }
  return {
    iterator,
    push(value: HostEvent): void {
      const resolve = wake
      wake = undefined
      if (resolve) resolve({ value, done: false })
      else waiting.push(value)
    },
  }
}
