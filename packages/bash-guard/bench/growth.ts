// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the shell expands these, not JavaScript
import { defaults } from "../src/config/settings.ts"
import { decide } from "../src/guard.ts"
import type { Place } from "../src/permissions/places.ts"
import type { PermissionRule } from "../src/permissions/rules.ts"

/**
 * Time against length: each shape at doubling sizes. `growth` is by how much the time grows when the size doubles, over the
 * last doublings: about 2 is linear, 4 would be quadratic.
 */
type Shape = readonly [
  name: string,
  make: (size: number) => string,
  rules?: (size: number) => readonly PermissionRule[],
]

const bash = (pattern: string, action: PermissionRule["action"]): PermissionRule => ({
  permission: "bash",
  pattern,
  action,
})
const base: readonly PermissionRule[] = [
  { permission: "*", pattern: "*", action: "allow" },
  { permission: "external_directory", pattern: "*", action: "ask" },
  { permission: "edit", pattern: "*.lock", action: "deny" },
  bash("*", "allow"),
  ...["git push *", "rm *", "rm -rf *", "sudo *", "npm publish *", "docker compose down *"].map((pattern) =>
    bash(pattern, "deny"),
  ),
]
const denials = Array.from({ length: 80 }, (_, index) => bash(`tool${index} drop --force *`, "deny"))
const repeat = (text: string) => (size: number) => text.repeat(size)
const numbered = (make: (index: number) => string) => (size: number) =>
  Array.from({ length: size }, (_, index) => make(index)).join("\n")

export const shapes: readonly Shape[] = [
  ["commands", numbered((index) => `echo ${index} && git status | cat`)],
  ["commands, 80 denials", numbered((index) => `tool${index % 90} x --force`), () => [...base, ...denials]],
  [
    "denials",
    () => "tool1 x; git -C . pull; ls $x".repeat(20),
    (size) => [...base, ...Array.from({ length: size }, (_, index) => bash(`t${index} a *`, "deny"))],
  ],
  ["cd", numbered((index) => `cd p${index}`)],
  ["cd &&", (size) => Array.from({ length: size }, (_, index) => `cd p${index}`).join(" && ")],
  ["(cd && test)", numbered((index) => `(cd packages/p${index} && npm test)`)],
  ["cd in loops", numbered((index) => `for i in a b; do cd "$i${index}"; cat x; cd ..; done`)],
  ["loops in loops", (size) => `${"for i in a; do cd x; ".repeat(size / 8)}ls${"; done".repeat(size / 8)}`],
  ["wrappers", (size) => `${"nohup ".repeat(size)}ls`],
  ["unknown options", (size) => `nohup ${"-z ".repeat(size)}ls`],
  ["setarch", (size) => `${"setarch x ".repeat(size)}ls`],
  ["env assignments", (size) => `env ${"A=1 ".repeat(size)}ls`],
  ["arguments", (size) => `echo ${"word ".repeat(size)}`],
  ["one long word", (size) => `echo ${"a".repeat(size * 10)}`],
  ["expansions", (size) => `ls ${"$x ".repeat(size)}`],
  ["substitutions", repeat("echo $(ls) `ls`; ")],
  ["nesting", (size) => `echo ${"$(".repeat(size / 40)}ls${")".repeat(size / 40)}`],
  ["unclosed", repeat("$(")],
  ["parentheses", repeat("(")],
  ["braces", repeat("{a,b}")],
  ["quotes", repeat(`'a' "b" \\c `)],
  ["eval", repeat("eval ")],
  ["bash -c", numbered(() => "bash -c 'ls; echo $x'")],
  ["variables", numbered((index) => `v${index}=$v${index - 1}; echo $((v${index}))`)],
  ["assignments of one variable", numbered((index) => `v=${index}; echo $v`)],
  ["here-documents", numbered((index) => `cat <<E${index}\nbody $x $(ls)\nE${index}`)],
  ["a long here-document", (size) => `cat <<'E'\n${"line of text $(x) `y`\n".repeat(size)}E`],
  ["functions", numbered((index) => `f${index}() { ls "$1"; }; f${index} a`)],
  ["case", (size) => `case a in ${"b) ls;; ".repeat(size)} esac`],
  ["arithmetic", numbered((index) => `echo $((x${index} + y * 2))`)],
  ["comments", numbered(() => "ls # comment $(x)")],
  ["find -exec", (size) => `find . ${"-exec ls {} + ".repeat(size)}`],
  ["blank lines", (size) => `ls${"\n".repeat(size * 10)}ls`],
  ["backslashes", (size) => `echo ${"\\\\".repeat(size * 10)}`],
  ["pipes", (size) => Array.from({ length: size }, () => "cat").join(" | ")],
  ["a pattern of stars", (size) => `ls ${"a".repeat(size * 10)}`, () => [...base, bash("*a*a*a*a*a*b", "deny")]],
  ["a pattern of stars and gaps", (size) => `ls $x ${"a".repeat(size)}`, () => [...base, bash("*a*a*a*a*a*b", "deny")]],
  ["words of a path", (size) => `cat ${"../x/y ".repeat(size)}`],
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

/** Milliseconds of one decision: the best of some. */
export function timeOf([, make, rules]: Shape, size: number): number {
  const command = make(size)
  const permissions = rules?.(size) ?? base
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 3; round += 1) {
    const start = Bun.nanoseconds()
    decide(command, permissions, place, defaults)
    best = Math.min(best, (Bun.nanoseconds() - start) / 1e6)
  }
  return best
}

if (import.meta.main) {
  const sizes = [250, 500, 1000, 2000, 4000]
  console.log(`${"shape".padEnd(32)}${sizes.map((size) => String(size).padStart(9)).join("")}  ms   growth`)
  for (const shape of shapes) {
    timeOf(shape, 100)
    const times = sizes.map((size) => timeOf(shape, size))
    const growth = Math.sqrt((times.at(-1) ?? 0) / (times.at(-3) ?? 1))
    console.log(
      `${shape[0].padEnd(32)}${times.map((time) => time.toFixed(2).padStart(9)).join("")}      ${growth.toFixed(1)}`,
    )
  }
}
