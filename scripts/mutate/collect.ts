/**
 * Stands in for `bun:test` in the sandbox's tests: it keeps the tests instead of running them, so that one process can run each of
 * them many times.
 */
export { expect, jest, spyOn } from "bun:test"

type Body = () => unknown

/** A test file, or a `describe` in it. */
export interface Scope {
  readonly name: string
  readonly parent: Scope | undefined
  readonly beforeAll: Body[]
  readonly beforeEach: Body[]
  readonly afterEach: Body[]
  isReady: boolean
}

export interface CollectedTest {
  /** The file's path, the names of the groups and the test's own; with a number where that comes twice. */
  readonly name: string
  readonly file: string
  readonly scope: Scope
  readonly run: Body
}

export const collected: CollectedTest[] = []
const counts = new Map<string, number>()
let current: Scope = scopeOf("", undefined)

/** Loads a test file. What it registers belongs to a scope of its own. */
export async function collectFile(path: string): Promise<void> {
  current = scopeOf(path, undefined)
  await import(path)
}

function scopeOf(name: string, parent: Scope | undefined): Scope {
  return { name, parent, beforeAll: [], beforeEach: [], afterEach: [], isReady: false }
}

function add(name: string, run: Body): void {
  const names = [name]
  let scope = current
  for (; scope.parent !== undefined; scope = scope.parent) names.unshift(scope.name)
  const full = [scope.name, ...names].join(" > ")
  const count = (counts.get(full) ?? 0) + 1
  counts.set(full, count)
  collected.push({ name: count === 1 ? full : `${full} (${count})`, file: scope.name, scope: current, run })
}

function group(name: string, body: Body): void {
  const outer = current
  current = scopeOf(name, outer)
  body()
  current = outer
}

/** `test.each` and `describe.each`: a row that is an array is spread over the parameters. */
function eachOf(register: (name: string, body: Body) => void) {
  return (rows: readonly unknown[]) => (name: string, body: (...values: unknown[]) => unknown) => {
    for (const row of rows) register(name, () => body(...(Array.isArray(row) ? row : [row])))
  }
}

const skipped = Object.assign(() => undefined, { each: () => () => undefined })
const tests = Object.assign((name: string, run: Body) => add(name, run), { each: eachOf(add) })
const groups = Object.assign((name: string, body: Body) => group(name, body), { each: eachOf(group) })

export const test = Object.assign(tests, { if: (condition: boolean) => (condition ? tests : skipped) })
export const describe = Object.assign(groups, { if: (condition: boolean) => (condition ? groups : skipped) })
export const beforeAll = (body: Body) => current.beforeAll.push(body)
export const beforeEach = (body: Body) => current.beforeEach.push(body)
export const afterEach = (body: Body) => current.afterEach.push(body)
/** What a test file prepares stands until the process ends. */
export const afterAll = () => undefined
export const setDefaultTimeout = () => undefined
