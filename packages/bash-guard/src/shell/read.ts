import { type Command, type ParsedScript, parse, type Redirect, type Redirection } from "unbash"
import { auditText, emptyAccount, hasLineBreak, isTooDeep, type TextAccount } from "./audit.ts"
import { expandCommand, mostExpansions, type Script, type Sink, takeCommandVariable } from "./expand.ts"
import { isStandardInput } from "./feed.ts"
import { createKnowledge } from "./knowledge.ts"
import type { Doubt, FoundCommand, Reading, Role, Step } from "./reading.ts"
import { fillCertain, type Values, valuesOf } from "./values.ts"
import type { ScriptPlace, Span, Visitor } from "./visitor.ts"
import { walkScript } from "./walk.ts"
import { toArgument } from "./words.ts"

/** Scripts within scripts, their number, and their text in all: beyond these they are not followed, and never allowed. */
const deepestScript = 8
const mostScripts = 500
const mostScriptText = 400_000
/** Longer commands are not read. */
const longestCommand = 400_000

/**
 * Reads a command line: every simple command in it wherever it stands, what wrappers start, the scripts in strings, the
 * files that redirections write, and the reasons not to trust the reading. Never throws. Takes time in proportion to the
 * command's length; where that would not do, the rest is a doubt.
 */
export function readScript(source: string): Reading {
  const reader = createReader()
  if (source.length > longestCommand || isTooDeep(source)) return reader.refuse(source)
  try {
    reader.read(source)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { kind: "unreadable", reason: `the command could not be parsed (${reason})`, line: 1, column: 1 }
  }
  return reader.finish(source)
}

interface Failure {
  readonly reason: string
  readonly line: number
  readonly column: number
}

/** One text that is read: the whole command, or a script in a string of it. */
interface Unit {
  readonly source: string
  readonly accounts: Map<string, TextAccount>
  readonly values: Values
  readonly role: Role
  readonly nesting: number
}

function createReader() {
  const commands: FoundCommand[] = []
  const steps: Step[] = []
  const doubts: Doubt[] = []
  const knowledge = createKnowledge()
  let failure: Failure | undefined
  let isSingleLine = true
  let scripts = 0
  let scriptText = 0

  function sinkFor(unit: Unit): Sink {
    const sink: Sink = {
      found(command) {
        commands.push(command)
        steps.push({ kind: "command", command })
      },
      doubt: (reason, text) => void doubts.push({ reason, text }),
      script: (script) => readInner(script, unit),
      assigns(assigned) {
        knowledge.assigns(assigned)
        takeCommandVariable(assigned, unit.nesting, sink)
      },
      evaluates: (words, written, array) => knowledge.evaluates({ words, isTest: false, written, array }),
      positional: (words) => knowledge.positional(words),
      attributes: (integers, associative) => knowledge.attributes(integers, associative),
      suspects: (words, written) =>
        knowledge.suspects(
          words.flatMap((word) => word.gaps),
          written,
        ),
      redirectsInput: () => knowledge.redirectsInput(),
      readsInput: (written) => knowledge.readsInput(written),
    }
    return sink
  }

  function doubt(reason: string, text: string): void {
    doubts.push({ reason, text })
  }

  function within(where: Script["where"], work: () => void): void {
    if (where === "here") {
      work()
      return
    }
    steps.push({ kind: "enter", block: where === "later" ? "deferred" : "subshell" })
    work()
    steps.push({ kind: "leave" })
  }

  /** A script in a string. A text that is not all there, or of another language, is read as far as it makes sense. */
  function readInner(script: Script, outer: Unit): void {
    scripts += 1
    scriptText += script.text.length
    const counts = script.role !== "assumed" && script.role !== "launched"
    if (!script.isKnown && counts) doubt("a script that is only known when it runs", script.text)
    if (
      outer.nesting >= deepestScript ||
      scripts > mostScripts ||
      scriptText > mostScriptText ||
      isTooDeep(script.text)
    ) {
      doubt("scripts within scripts", script.text)
      return
    }
    const isTentative = !script.isKnown || script.where === "foreign" || !counts
    const parsed = parse(script.text)
    if (isTentative && parsed.errors !== undefined) return
    within(script.where, () => readUnit(script, parsed, outer))
  }

  function readUnit(script: Script, parsed: ParsedScript, outer: Unit | undefined): void {
    const { text: source, stdin, depth, role } = script
    const values = valuesOf(parsed, source, outer?.values, script.positional)
    const unit: Unit = { source, accounts: new Map(), values, role, nesting: (outer?.nesting ?? -1) + 1 }
    const place: ScriptPlace = { source, depth, stdin, quoting: "code", pattern: false }
    accountFor(unit.accounts, source)
    walkScript(parsed, place, visitorFor(unit))
    if (outer === undefined) isSingleLine = !hasLineBreak(source, accountFor(unit.accounts, source))
    for (const [text, account] of unit.accounts) {
      for (const at of auditText(text, account)) doubt("a substitution that may hide a command", excerpt(text, at))
    }
  }

  function read(source: string): void {
    const script: Script = {
      text: source,
      isKnown: true,
      depth: 1,
      stdin: { kind: "inherited" },
      where: "here",
      role: "simple",
      positional: [],
    }
    readUnit(script, parse(source), undefined)
  }

  function visitorFor(unit: Unit): Visitor {
    const account = (place: ScriptPlace): TextAccount => accountFor(unit.accounts, place.source)
    const textOf = (span: Span, place: ScriptPlace): string => place.source.slice(span.pos, span.end)
    const sink = sinkFor(unit)
    return {
      command: (node, place) => foundCommand(node, place, unit, sink),
      redirect: (node, place) => foundRedirect(node, place, unit),
      enter: (block) => void steps.push({ kind: "enter", block }),
      leave: () => void steps.push({ kind: "leave" }),
      substitution: (span, place) => {
        account(place).starts.add(span.pos)
        if (place.source[span.pos] === "`") account(place).closings.add(span.end - 1)
      },
      quoted: (span, place) => void account(place).quoted.push(span),
      halfQuoted: (span, place) => void account(place).halfQuoted.push(span),
      unescapable: (span, place) => void account(place).unescapable.push(span),
      body: (span, place) => void account(place).bodies.push(span),
      leaf: (span, place) => void account(place).leaves.push(span),
      arithmetic: (span, place, kind) => {
        const suspicious = kind === "loop" ? /['"\n]|\bcase\b/ : /['"\n;]|\bcase\b/
        if (suspicious.test(textOf(span, place))) doubt("arithmetic that shells read differently", textOf(span, place))
      },
      evaluates: (words, span, place, { isTest = false, array } = {}) =>
        knowledge.evaluates({ words, isTest, written: textOf(span, place), array }),
      assigns: (assigned) => sink.assigns(assigned),
      functionNamed: (name, place) => knowledge.functionNamed(toArgument(name, place.source)),
      doubt: (reason, span, place) => doubt(reason, textOf(span, place)),
      ownText: (source, span, outer) => {
        account(outer).elsewhere.push({ pos: span.pos + 1, end: span.end })
        accountFor(unit.accounts, source)
      },
      unreadable: (message, pos, source) => {
        failure ??= { reason: message, ...positionOf(source, pos) }
      },
    }
  }

  function foundCommand(node: Command, place: ScriptPlace, unit: Unit, sink: Sink): void {
    const { source } = place
    const nodes = node.name === undefined ? [] : [node.name, ...node.args]
    const words = nodes
      .map((word) => toArgument(word, source))
      .map((word) => fillCertain(word, source, unit.values, knowledge.reliesOn))
    knowledge.calls(words)
    expandCommand(
      {
        role: unit.role,
        written: source.slice(node.pos, node.end),
        assignments: node.prefix.flatMap((item) =>
          item.type === "Assignment" ? [source.slice(item.pos, item.end)] : [],
        ),
        words,
        depth: place.depth,
        isInString: unit.nesting > 0,
      },
      {
        source,
        stdin: place.stdin,
        values: unit.values,
        redirectsInput: node.redirects.some((redirect) => isStandardInput(redirect) && redirect.operator.includes("<")),
        budget: { left: mostExpansions },
      },
      sink,
    )
  }

  function foundRedirect(node: Redirection, place: ScriptPlace, unit: Unit): void {
    const written = place.source.slice(node.pos, node.end)
    if (node.type === "HereDoc" && node.closing === undefined) doubt("a here-document that never ends", written)
    if (node.type !== "Redirect" || isDescriptor(node)) return
    const word = node.target === undefined ? undefined : toArgument(node.target, place.source)
    const target = word === undefined ? undefined : fillCertain(word, place.source, unit.values, knowledge.reliesOn)
    if (/^\/+dev\/+(tcp|udp)\//.test(target?.value ?? "")) doubt("a network connection", written)
    steps.push({ kind: "redirect", redirect: { mode: node.operator === "<" ? "read" : "write", written, target } })
  }

  function finish(source: string): Reading {
    if (failure !== undefined) return { kind: "unreadable", ...failure }
    doubts.push(...knowledge.doubts())
    for (const command of knowledge.commands()) {
      commands.push(command)
      steps.push({ kind: "command", command })
    }
    if (!commands.some((command) => command.words.length > 0)) doubt("no command", source)
    return { kind: "read", source, commands, steps, doubts, isSingleLine, valuesOf: knowledge.valuesOf }
  }

  function refuse(source: string): Reading {
    doubt("a command too long or too deeply nested to be read", excerpt(source, 0))
    return { kind: "read", source, commands, steps, doubts, isSingleLine: false, valuesOf: () => [] }
  }

  return { read, finish, refuse }
}

function accountFor(accounts: Map<string, TextAccount>, source: string): TextAccount {
  const known = accounts.get(source)
  if (known !== undefined) return known
  const created = emptyAccount()
  accounts.set(source, created)
  return created
}

/** `2>&1` and `>&-` touch no file. */
function isDescriptor(redirect: Redirect): boolean {
  if (redirect.operator === "<&") return true
  return redirect.operator === ">&" && /^(\d+-?|-)$/.test(redirect.target?.value ?? "")
}

function positionOf(source: string, pos: number): { line: number; column: number } {
  const before = source.slice(0, pos).split("\n")
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

function excerpt(text: string, at: number): string {
  return text.slice(at, at + 40)
}
