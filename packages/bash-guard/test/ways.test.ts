import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readScript } from "../src/shell/read.ts"
import { bash, hasBash } from "./real-bash.ts"
import { ways } from "./ways.ts"

// Each way starts bash; how long that takes is the machine's affair.
setDefaultTimeout(300_000)

const folder = realpathSync(mkdtempSync(join(tmpdir(), "guard-ways-")))
const bin = join(folder, "bin")
const proof = join(folder, "ran")
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Nothing is on the PATH but these and the marked program. */
const programs =
  "env nice nohup timeout stdbuf setsid xargs find flock unshare taskset chrt ionice script su runuser setpriv prlimit setarch bash sh cat tee"
mkdirSync(bin)
writeFileSync(join(bin, "marked"), `#!/bin/bash\n: > '${proof}'\n`)
chmodSync(join(bin, "marked"), 0o755)
for (const program of programs.split(" ")) {
  const path = Bun.which(program)
  if (hasBash && path !== null) symlinkSync(path, join(bin, program))
}

function see(command: string): "found" | "doubt" | "both" | "nothing" {
  const reading = readScript(command)
  if (reading.kind === "unreadable") return "doubt"
  const marked = reading.commands.filter(
    ({ words: [name] }) => name?.fragments.length === 1 && name.value.endsWith("marked"),
  )
  const isDoubted = reading.doubts.length > 0
  if (marked.length === 0) return isDoubted ? "doubt" : "nothing"
  return marked.every(({ role }) => role === "assumed") && isDoubted ? "both" : "found"
}

function runs(command: string): boolean {
  rmSync(proof, { force: true })
  Bun.spawnSync([bash, "--norc", "-c", command], {
    cwd: folder,
    env: { PATH: bin, HOME: folder },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: 5000,
  })
  return existsSync(proof)
}

describe("what a shell would run is seen", () => {
  for (const [way, seen] of ways) {
    test(JSON.stringify(way), () => expect(see(way.replaceAll("BIN", bin))).toBe(seen))
  }
})

test.if(hasBash)("the ways are ways: real bash runs the program by most of them here", () => {
  const taken = ways.filter(([way]) => runs(way.replaceAll("BIN", bin)))
  // The rest needs programs or rights that a machine may lack.
  expect(taken.length).toBeGreaterThan(ways.length * 0.6)
})
