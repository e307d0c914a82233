import type { ArgumentWord, FileRedirect, FoundCommand, Reading, Step } from "../shell/reading.ts"
import { isKnown } from "../shell/reading.ts"
import { isInside, type Place, pathIn, resolveFrom } from "./places.ts"

/** Where a script may stand when a part of it runs; `isOpen` when some `cd` leads who knows where. */
export interface Whereabouts {
  readonly folders: readonly string[]
  readonly isOpen: boolean
}

/** A command or a redirection, and where it may run. */
export interface Visit {
  readonly item: { readonly command: FoundCommand } | { readonly redirect: FileRedirect }
  readonly where: Whereabouts
}

type ReadScript = Extract<Reading, { kind: "read" }>

/** More folders than this, and the rest counts as unknown. */
const mostFolders = 24
/** Longer paths than this are not followed further. */
const longestPath = 512

interface State extends Whereabouts {
  /** Where `cd -` leads. */
  readonly back: readonly string[]
  readonly stack: readonly (readonly string[])[]
}

/** The state now; and behind a `cd` that may fail, the states in which it did and did not. */
interface Moment {
  readonly state: State
  readonly success?: State
  readonly failure?: State
}

interface Frame {
  readonly block: "root" | Extract<Step, { kind: "enter" }>["block"]
  readonly start: number
  /** The state at the end of the block, without what happened in it; undefined when it can't be skipped. */
  readonly other: State | undefined
  readonly rounds: number
}

/**
 * Follows every `cd`, `pushd` and `popd` of a script: in subshells, behind `&&`, in loops. Takes time in proportion to the
 * number of steps; what would take longer is left open.
 */
export function followFolders(reading: ReadScript, place: Place): readonly Visit[] {
  const start: State = { folders: [place.cwd], isOpen: false, back: [place.cwd], stack: [] }
  // What runs later may run anywhere: the first pass finds where the script goes.
  const first = pass(reading, place, start, start)
  const everywhere = first.visits.reduce((all, { where }) => union(all, { ...start, ...where }), start)
  return pass(reading, place, start, everywhere).visits
}

function pass(reading: ReadScript, place: Place, start: State, everywhere: State): { visits: readonly Visit[] } {
  const { steps } = reading
  const visits: Visit[] = []
  const frames: Frame[] = [{ block: "root", start: 0, other: undefined, rounds: 0 }]
  let left = 10 * steps.length + 1000
  let moment: Moment = { state: start }
  for (let at = 0; at < steps.length; at += 1) {
    left -= 1
    const step = steps[at]
    if (step === undefined) break
    switch (step.kind) {
      case "command":
        visits.push({ item: { command: step.command }, where: moment.state })
        moment = afterCommand(step.command, moment, reading, place)
        continue
      case "redirect":
        visits.push({ item: { redirect: step.redirect }, where: moment.state })
        continue
      case "enter":
        frames.push({ block: step.block, start: at, other: otherState(step.block, moment), rounds: 0 })
        moment = { state: entryState(step.block, moment, everywhere) }
        continue
      case "leave": {
        const frame = frames.pop()
        if (frame === undefined) continue
        const next = leave(frame, moment.state, left > 0)
        moment = { state: next.state }
        if (!next.again) continue
        frames.push({ ...frame, other: next.state, rounds: frame.rounds + 1 })
        at = frame.start
        continue
      }
      default:
        step satisfies never
    }
  }
  return { visits }
}

function entryState(block: Frame["block"], moment: Moment, everywhere: State): State {
  if (block === "success") return moment.success ?? moment.state
  if (block === "exit") return moment.failure ?? moment.state
  return block === "deferred" ? union(moment.state, everywhere) : moment.state
}

function otherState(block: Frame["block"], moment: Moment): State | undefined {
  if (block === "success") return moment.success === undefined ? moment.state : moment.failure
  if (block === "exit") return moment.success ?? moment.state
  return moment.state
}

function leave(frame: Frame, state: State, hasTime: boolean): { state: State; again: boolean } {
  const { block, other } = frame
  if (other === undefined) return { state, again: false }
  switch (block) {
    case "root":
      return { state, again: false }
    case "subshell":
    case "exit":
      return { state: other, again: false }
    case "branch":
    case "success":
      return { state: union(state, other), again: false }
    case "deferred": {
      const both = union(state, other)
      return { state: isSame(both, other) ? other : { ...both, isOpen: true }, again: false }
    }
    case "loop": {
      const both = union(state, other)
      if (isSame(both, other)) return { state: other, again: false }
      const isStuck = frame.rounds > 0 || !hasTime
      return { state: isStuck ? { ...both, isOpen: true } : both, again: hasTime && frame.rounds < 2 }
    }
    default:
      return block satisfies never
  }
}

function union(left: State, right: State): State {
  if (left === right) return left
  const folders = [...new Set([...left.folders, ...right.folders])]
  const back = [...new Set([...left.back, ...right.back])].slice(0, mostFolders)
  const isOpen = left.isOpen || right.isOpen || folders.length > mostFolders
  const stack = left.stack.length >= right.stack.length ? left.stack : right.stack
  return { folders: folders.slice(0, mostFolders), isOpen, back, stack }
}

function isSame(left: State, right: State): boolean {
  return left.isOpen === right.isOpen && left.folders.length === right.folders.length
}

function afterCommand(command: FoundCommand, moment: Moment, reading: ReadScript, place: Place): Moment {
  const { state } = moment
  if (command.role === "assumed" || command.role === "launched") return moment
  switch (command.words[0]?.value) {
    case "cd":
    case "chdir":
      return moved(state, command, state.stack, reading, place)
    case "pushd":
      return moved(state, command, [state.folders, ...state.stack].slice(0, mostFolders), reading, place)
    case "popd": {
      const [top, ...stack] = state.stack
      if (command.words.length > 1) return { state: { ...state, isOpen: true } }
      return top === undefined ? { state } : { state: { ...state, folders: top, stack, back: state.folders } }
    }
    default:
      return { state }
  }
}

function moved(state: State, command: FoundCommand, stack: State["stack"], reading: ReadScript, place: Place): Moment {
  const target = targetOf(command, state, reading, place)
  if (target === undefined) {
    const success: State = { ...state, stack, isOpen: true, back: state.folders }
    return { state: success, success, failure: state }
  }
  const folders = typeof target === "string" ? state.folders.map((folder) => resolveFrom(folder, target)) : target
  const near = folders.filter((folder) => folder.length <= longestPath)
  const isOpen =
    near.length < folders.length || (state.isOpen && !(typeof target === "string" && target.startsWith("/")))
  const success: State = { folders: [...new Set(near)], isOpen, back: state.folders, stack }
  // A folder that is there can be entered.
  if (folders.every((folder) => place.isDirectory(folder))) return { state: success, success }
  return { state: union(success, state), success, failure: state }
}

/** Where a `cd` leads: a path, folders, or undefined when only the shell knows. */
function targetOf(
  command: FoundCommand,
  state: State,
  reading: ReadScript,
  place: Place,
): string | readonly string[] | undefined {
  const isUntouched = (name: string): boolean => reading.valuesOf(name)?.length === 0
  const operand = command.words.slice(1).find((word) => !/^-[LPe@]+$|^--$/.test(word.value))
  const name = command.words[0]?.value
  if (operand === undefined) {
    if (name === "pushd") return state.stack[0]
    return isUntouched("HOME") ? place.home : undefined
  }
  if (operand.value === "-" || /^\$\{?OLDPWD\}?$/.test(operand.value))
    return isUntouched("OLDPWD") ? state.back : undefined
  if (/^[-+]\d*$/.test(operand.value)) return undefined
  const [head = "", tail, ...others] = operand.fragments
  if (tail === undefined) return operand.value
  const isOneGap = others.length === 0 && head === ""
  const gap = operand.gaps[0]?.text ?? ""
  if (isOneGap && /^(\$PWD|\$\{PWD\}|\$\(pwd\)|`pwd`|~\+)$/.test(gap) && isUntouched("PWD")) return `.${tail}`
  if (isOneGap && /^(~|\$HOME|\$\{HOME\})$/.test(gap) && isUntouched("HOME")) return place.home + tail
  if (isOneGap && isTopLevel(gap)) {
    const isInRepository =
      place.worktree !== "/" && !state.isOpen && state.folders.every((folder) => isInside(folder, place))
    return isInRepository ? place.worktree + tail : undefined
  }
  // Behind `HOME=…` a lone `~` is that.
  if (isOneGap && operand.written.startsWith("~")) return gap === "~" ? undefined : pathIn(operand, place)
  return belowOf(operand, reading)
}

function isTopLevel(text: string): boolean {
  return /^(\$\(|`)\s*git rev-parse --show-toplevel(\s+2>\s*\/dev\/null)?\s*[)`]$/.test(text)
}

/** A folder somewhere below, of which only the shell knows the name: a glob, or a loop's variable over globs and words. */
function belowOf(word: ArgumentWord, reading: ReadScript): string | undefined {
  if (isBelow(word)) return word.value
  const [head = "", tail = "", ...others] = word.fragments
  const name = word.gaps[0]?.name
  if (name === undefined || others.length > 0 || /(^|\/)\.\.(\/|$)/.test(tail) || head.startsWith("/")) return undefined
  const values = reading.valuesOf(name)
  if (values === undefined || values.length === 0 || !values.every(isBelow)) return undefined
  return head + (values[0]?.value ?? "") + tail
}

/** A relative path whose unknown parts are names of files. */
function isBelow(word: ArgumentWord): boolean {
  if (word.fragments.some((text) => /(^|\/)\.\.(\/|$)/.test(text))) return false
  if (isKnown(word)) return !word.value.startsWith("/") && word.value !== "-" && word.value !== ""
  return !/^[/~]/.test(word.value) && word.gaps.every((gap) => !/[$`~]|\.\./.test(gap.text))
}
