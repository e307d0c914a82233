import { expect, test } from "bun:test"
import { withTimeout } from "./with-timeout.ts"

const never = new Promise<string>(() => undefined)

test("work that ends in time is done with its result, and rejects as it does", async () => {
  expect(await withTimeout(Promise.resolve("x"), 60_000)).toEqual({ kind: "done", value: "x" })
  expect(withTimeout(Promise.reject(new Error("no")), 60_000)).rejects.toThrow("no")
})

test("work that does not is waited for no longer", async () => {
  expect(await withTimeout(never, 0)).toEqual({ kind: "slow" })
})

test("the time that is left keeps no process alive", async () => {
  const module = JSON.stringify(`${import.meta.dir}/with-timeout.ts`)
  const script = `const { withTimeout } = await import(${module}); await withTimeout(Promise.resolve(1), 2_147_483_647)`
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "ignore", stderr: "inherit" })
  expect(await child.exited).toBe(0)
})
