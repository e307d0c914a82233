// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the shell expands these, not JavaScript
import { describe, expect, test } from "bun:test"
import { defaults } from "../config/settings.ts"
import { readScript } from "../shell/read.ts"
import { countCommands, type Excess, excessOf } from "./counts.ts"
import { restructureMessage } from "./message.ts"
import { onePerLine } from "./rewrite.ts"

function count(command: string) {
  const reading = readScript(command)
  if (reading.kind === "unreadable") throw new Error(reading.reason)
  return countCommands(reading)
}

describe("counting", () => {
  const rows: readonly [command: string, segments: number, depth: number, isSingleLine: boolean][] = [
    ["a", 1, 1, true],
    ["a && b || c; d | e & f", 6, 1, true],
    ["echo $(echo $(whoami))", 3, 3, true],
    ["echo `a`", 2, 2, true],
    ["cat <(a) <(b)", 3, 2, true],
    ["if a; then b; else c; fi", 3, 1, true],
    ["for x in $(a); do b; c; done", 3, 2, true],
    ["f() { a; }; f", 2, 1, true],
    ["eval 'a; b'", 3, 2, true],
    ["bash -c 'a && b'", 3, 2, true],
    ["bash -c 'bash -c a'", 3, 3, true],
    ["echo a | sh", 3, 2, true],
    ["timeout 5 a", 1, 1, true],
    ["timeout 5 bash -c 'a; b'", 3, 2, true],
    ["find . -exec sh -c 'a' \\;", 2, 2, true],
    ["echo $((1 + $(a)))", 2, 2, true],
    ["(a; (b))", 2, 1, true],
    ["a\nb", 2, 1, false],
    ["a &&\nb", 2, 1, false],
    ["a \\\n && b", 2, 1, true],
    ["\n\n a && b \n\n", 2, 1, true],
    ["# what it does\na && b\n# done", 2, 1, true],
    ["git commit -m 'one\n\ntwo' && b", 2, 1, true],
    ['git commit -m "one\n\ntwo" && b', 2, 1, true],
    ["for x in 1; do\na\nb\ndone", 2, 1, false],
    ["cat <<E\nx\nE", 1, 1, true],
    ["a; b; c; cat <<E\nx\n\ny\nE\n", 4, 1, true],
    ["cat <<A <<B\nx\nA\ny\nB", 1, 1, true],
    ["cat <<E\nx\nE\nb", 2, 1, false],
    ["x=1; y=2; a", 1, 1, true],
    ["x=$(a); y=2", 1, 2, true],
    ["for HOME in a; do b; done", 1, 1, true],
    ["echo $(\na\nb\n)", 3, 2, false],
  ]
  for (const [command, segments, depth, isSingleLine] of rows) {
    test(JSON.stringify(command), () => expect(count(command)).toEqual({ segments, depth, isSingleLine }))
  }
})

describe("limits", () => {
  const rows: readonly [command: string, excess: object | undefined][] = [
    ["a; b; c", undefined],
    ["a; b; c; d", { segments: true, depth: false }],
    ["a\nb\nc\nd\ne", undefined],
    ["echo $(a)", undefined],
    ["echo $(echo $(a))", { segments: false, depth: true }],
    ["echo $(echo $(a; b))", { segments: true, depth: true }],
    ["x\necho $(echo $(a))", { segments: false, depth: true }],
  ]
  for (const [command, excess] of rows) {
    test(JSON.stringify(command), () => expect(excessOf(count(command), defaults)).toEqual(excess as never))
  }
})

describe("one per line", () => {
  const rows: readonly [command: string, rewritten: string | undefined][] = [
    ["a; b;  c x", "a\nb\nc x"],
    ["a & b; c", "a &\nb\nc"],
    ["a | b; c", "a | b\nc"],
    ["a && b x && c | d", "set -e\na\nb x\nc | d"],
    ["a && [[ -f x ]] && b > f", "set -e\na\n[[ -f x ]]\nb > f"],
    ["a --msg='x; y' && b", "set -e\na --msg='x; y'\nb"],
    ["a && b || c", undefined],
    ["a || b", undefined],
    ["a && b; c", undefined],
    ["! a && b", undefined],
    ["a && { b; c; }", undefined],
    ["(a; b) && c", undefined],
    ["a && eval 'b; c'", undefined],
    ["set -x && a", undefined],
    ...["source", ".", "trap", "shopt", "command", "builtin", "exec", "unset"].map((name): [string, undefined] => [
      `a && ${name} b`,
      undefined,
    ]),
    ["a && b | eval c", undefined],
    ["a && ! b | c", undefined],
    ["a && b | (c)", undefined],
    ["time a && b", "set -e\ntime a\nb"],
    ["((x)) && a", "set -e\n((x))\na"],
    ["x=1 && $y && a", "set -e\nx=1\n$y\na"],
    ["set -x; exec a; ! b", "set -x\nexec a\n! b"],
    ["a; (b", undefined],
    ["a; b && c", undefined],
    ["# nothing", undefined],
    ["a", undefined],
    ["a && b &", undefined],
    ["a | b | c | d", undefined],
    ["a | { b; }; c", undefined],
    ["a | (b) | c; d", undefined],
    ["if a; then b; fi; c; d; e", undefined],
    ["echo $(a; b; c; d)", undefined],
    ["a &&", undefined],
    ["", undefined],
  ]
  for (const [command, rewritten] of rows) {
    test(JSON.stringify(command), () => expect(onePerLine(command)).toBe(rewritten as never))
  }

  // Windows has no bash of its own.
  test.if(process.platform !== "win32")("a rewritten chain runs as the chain does", () => {
    const chains = [
      "echo 1 && false && echo 2",
      "echo 1 && (exit 3)",
      "x=1; echo $x; echo 2",
      "echo a && echo b | cat && [[ a == b ]]",
    ]
    for (const chain of chains) {
      const rewritten = onePerLine(chain)
      if (rewritten === undefined) continue
      const outcomes = [chain, rewritten].map((script) => {
        const { stdout, exitCode } = Bun.spawnSync(["bash", "-c", script])
        return [stdout.toString(), exitCode]
      })
      expect(outcomes[1]).toEqual(outcomes[0])
    }
  })
})

describe("the message gives counts, limits, both forms and the rewritten chain", () => {
  const first = "Send it again in one of these forms; each command is then checked on its own:"
  const calls = "1. Separate calls: one command per call."
  const less =
    'To nest less, put an inner result into a variable on a line of its own (`name=$(command)`) and use `"$name"`, or run the inner command first in a call of its own and write out what it printed.'
  const rows: readonly [
    name: string,
    excess: Excess,
    maxDepth: number,
    rewritten: string | undefined,
    lines: string[],
  ][] = [
    [
      "segments",
      { segments: true, depth: false },
      2,
      "a\nb",
      [
        "6 commands on one line (limit 3).",
        first,
        calls,
        "2. A multi-line script: one command per line.",
        "For this command:",
        "a",
        "b",
      ],
    ],
    [
      "depth",
      { segments: false, depth: true },
      2,
      undefined,
      [
        "commands nested 3 deep (limit 2).",
        first,
        calls,
        "2. A multi-line script: one command per line, nested no more than 2 deep.",
        less,
      ],
    ],
    [
      "both",
      { segments: true, depth: true },
      1,
      undefined,
      [
        "6 commands on one line (limit 3), and commands nested 3 deep (limit 1).",
        first,
        calls,
        "2. A multi-line script: one command per line, without `$(…)`, backticks, `eval` or `sh -c`.",
        less,
      ],
    ],
  ]
  for (const [name, excess, maxDepth, rewritten, [problems, ...lines]] of rows) {
    test(name, () => {
      const message = restructureMessage({
        why: "`a`: the bash pattern `*`",
        counts: count("a; b; c; d $(e $(f))"),
        excess,
        limits: { ...defaults, max_depth: maxDepth },
        rewritten,
      })
      const not =
        "Not run: this command needs a person's approval (`a`: the bash pattern `*`), and it is too hard to review: "
      expect(message.split("\n")).toEqual([`${not}${problems}`, ...lines])
    })
  }
})
