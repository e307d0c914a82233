import { defaults } from "../src/config/settings.ts"
import { decide } from "../src/guard.ts"
import type { Place } from "../src/permissions/places.ts"
import type { PermissionRule } from "../src/permissions/rules.ts"
import { readScript } from "../src/shell/read.ts"
import { corpus } from "../test/corpus.ts"

/** Time per command, in microseconds: the corpus and a few everyday commands, read only and with the whole decision. */
const everyday = [
  "git status",
  "npm test && npm run lint",
  "cd packages/app && bun test src/a.test.ts 2>&1 | tail -20",
  'for f in src/*.ts; do grep -n "TODO" "$f"; done',
]
const rules: readonly PermissionRule[] = [
  { permission: "*", pattern: "*", action: "allow" },
  { permission: "external_directory", pattern: "*", action: "ask" },
  { permission: "bash", pattern: "*", action: "ask" },
  ...["git *", "npm *", "ls *", "cat *", "grep *", "bun test *", "cd *", "tail *"].map(
    (pattern): PermissionRule => ({ permission: "bash", pattern, action: "allow" }),
  ),
  ...["git push *", "rm *", "sudo *"].map(
    (pattern): PermissionRule => ({ permission: "bash", pattern, action: "deny" }),
  ),
]
const place: Place = {
  cwd: "/p",
  directory: "/p",
  worktree: "/p",
  home: "/home/dev",
  exists: () => true,
  isInEnvironment: () => false,
  isDirectory: () => false,
}

const all = corpus.map(([command]) => command)
for (const command of everyday) {
  report(command, [command])
}
report(`the corpus (${all.length} commands)`, all)

function report(name: string, commands: readonly string[]): void {
  const reading = microseconds(commands, (command) => readScript(command))
  const deciding = microseconds(commands, (command) => decide(command, rules, place, defaults))
  console.log(`${name.slice(0, 60).padEnd(62)} read ${reading.padStart(6)} µs   decide ${deciding.padStart(6)} µs`)
}

/** The median of rounds, per command. */
function microseconds(commands: readonly string[], work: (command: string) => unknown): string {
  const repeats = Math.max(1, Math.round(2000 / commands.length))
  const rounds = Array.from({ length: 15 }, () => {
    const start = Bun.nanoseconds()
    for (let repeat = 0; repeat < repeats; repeat += 1) for (const command of commands) work(command)
    return (Bun.nanoseconds() - start) / 1000 / (repeats * commands.length)
  })
  return (rounds.toSorted((left, right) => left - right)[7] ?? 0).toFixed(1)
}
