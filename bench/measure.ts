/** One line of a table: what was measured, and how it compares. */
export interface Row {
  readonly name: string
  readonly value: string
  readonly ratio: string
}

export interface Table {
  readonly title: string
  readonly rows: readonly Row[]
}

export interface Contender {
  readonly name: string
  readonly run: () => unknown
  /** Done before each run, outside of what is measured. */
  readonly before?: () => unknown
  /** How many runs count as one, for what is too short for the clock. */
  readonly repeat?: number
}

/**
 * Measures contenders in turn, round after round, so that what else the machine does at a time meets all of them alike,
 * and compares their fastest rounds with the first contender's.
 *
 * @param rounds how often each is measured.
 */
export async function compare(title: string, rounds: number, contenders: readonly Contender[]): Promise<Table> {
  const best = new Map<string, number>()
  for (const { run } of contenders) await warmUp(run)
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, run, before, repeat = 1 } of contenders) {
      await before?.()
      const start = Bun.nanoseconds()
      for (let time = 0; time < repeat; time += 1) await run()
      const took = (Bun.nanoseconds() - start) / repeat
      best.set(name, Math.min(took, best.get(name) ?? Number.POSITIVE_INFINITY))
    }
  }
  const base = best.get(contenders[0]?.name ?? "") ?? Number.NaN
  return {
    title,
    rows: contenders.map(({ name }) => {
      const took = best.get(name) ?? Number.NaN
      return { name, value: duration(took), ratio: ratio(took, base) }
    }),
  }
}

/** Long enough for the engine to have compiled what is run often. */
async function warmUp(run: () => unknown): Promise<void> {
  const start = Bun.nanoseconds()
  for (let times = 0; times < 50 && Bun.nanoseconds() - start < 500e6; times += 1) await run()
}

/** A time in nanoseconds, as people read it. */
export function duration(ns: number): string {
  if (ns < 1e6) return `${(ns / 1e3).toFixed(ns < 1e5 ? 1 : 0)} µs`
  return `${(ns / 1e6).toFixed(ns < 1e8 ? 1 : 0)} ms`
}

export function ratio(value: number, base: number): string {
  const factor = value / base
  return `${factor.toFixed(factor < 10 ? 2 : 0)}×`
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`
}
