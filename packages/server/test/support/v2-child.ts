import type { V2Context } from "../../src/hosts/v2/host.ts"
import { setup } from "../../src/index.ts"

// Run by itself: a host whose stream of events keeps the process alive until it is told that nobody reads it any more.

function events(): AsyncIterable<unknown> {
  const alive = setInterval(() => undefined, 1_000)
  const iterator = {
    next: () => new Promise<IteratorResult<unknown>>(() => undefined),
    async return() {
      clearInterval(alive)
      return { value: undefined, done: true as const }
    },
  }
  return { [Symbol.asyncIterator]: () => iterator }
}

const hook = async () => ({ dispose: () => undefined })
const context = { session: { hook, synthetic: async () => undefined }, tool: { hook }, event: { subscribe: events } }
const dispose = await setup(context as unknown as V2Context)
if (process.argv[2] === "dispose") await dispose()
process.stdout.write("set up\n")
