import { withPlaceholders } from "./placeholders.ts"
import type { ArgumentWord, Gap } from "./reading.ts"

const options: Readonly<Record<string, ReadonlySet<string>>> = {
  find: new Set(["-exec", "-execdir", "-ok", "-okdir"]),
  gfind: new Set(["-exec", "-execdir", "-ok", "-okdir"]),
  bfs: new Set(["-exec", "-execdir", "-ok", "-okdir"]),
  fd: new Set(["-x", "-X", "--exec", "--exec-batch"]),
  fdfind: new Set(["-x", "-X", "--exec", "--exec-batch"]),
}

export interface ExecCommands {
  readonly commands: readonly (readonly ArgumentWord[])[]
  /** Expansions that may hold `-exec` and a program, by what holds them. */
  readonly suspects: readonly Gap[]
}

/** The commands of `find -exec` and `fd -x`; undefined for other programs. */
export function execCommands(program: string, args: readonly ArgumentWord[]): ExecCommands | undefined {
  const known = Object.hasOwn(options, program) ? options[program] : undefined
  if (known === undefined) return undefined
  const commands: (readonly ArgumentWord[])[] = []
  const suspects: Gap[] = []
  let start: number | undefined
  for (const [at, word] of args.entries()) {
    if (start === undefined) {
      if (known.has(word.value) || /^--exec(-batch)?=/.test(word.value)) start = at + 1
      else suspects.push(...mayBeExec(word, args, at))
      continue
    }
    const isEnd = word.value === ";" || (word.value === "+" && at > start && args[at - 1]?.value === "{}")
    if (!isEnd) continue
    commands.push(args.slice(start, at))
    start = undefined
  }
  if (start !== undefined) commands.push(args.slice(start))
  return {
    commands: commands.filter((words) => words.length > 0).map((words) => withPlaceholders(words, "{}")),
    suspects,
  }
}

/** An expansion outside of quotes may hold all of `-exec rm ;`; one word in quotes only `-exec`. */
function mayBeExec(word: ArgumentWord, args: readonly ArgumentWord[], at: number): readonly Gap[] {
  const [head = ""] = word.fragments
  const gaps = word.gaps.filter((gap) => /^[$`]/.test(gap.text))
  if (gaps.length === 0 || !(head === "" || head.startsWith("-"))) return []
  const next = args[at + 1]
  const isFollowed =
    next !== undefined &&
    !/^[-(!]/.test(next.fragments[0] ?? "") &&
    args.slice(at + 1, at + 100).some(({ value }) => value === ";" || value === "+")
  return word.isSplit || isFollowed ? gaps : []
}
