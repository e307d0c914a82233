import { type Command, type ParsedScript, parse, type Redirect, type Redirection } from "unbash"
import { auditText, emptyAccount, hasLineBreak, type TextAccount } from "./audit.ts"
import { expandCommand, type Sink, type Start } from "./expand.ts"
import type { Doubt, FileRedirect, FoundCommand, Reading } from "./reading.ts"
import type { Place, Span, Visitor } from "./visitor.ts"
import { walkScript } from "./walk.ts"
import { plainText, toArgument } from "./words.ts"

/** Payloads within payloads; deeper ones are not followed, and never allowed. */
const maxPayloads = 12

/**
 * Reads a command line: every simple command in it wherever it stands, what wrappers start, the scripts in strings, the
 * files that redirections write, and the reasons not to trust the reading. Never throws.
 */
export function readScript(source: string): Reading {
  const reader = createReader()
  try {
    reader.read(source, { depth: 1, deferred: false, stdin: { kind: "inherited" } })
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

function createReader() {
  const commands: FoundCommand[] = []
  const redirects: FileRedirect[] = []
  const doubts: Doubt[] = []
  let failure: Failure | undefined
  let hasArithmetic = false
  let hasQuotedSubstitution = false
  let isSingleLine = true
  let payloads = 0

  const sink: Sink = {
    found: (command) => void commands.push(command),
    doubt: (reason, text) => void doubts.push({ reason, text }),
    payload: (text, known, start) => {
      payloads += 1
      if (!known) sink.doubt("a script that is only known when it runs", text)
      if (payloads > maxPayloads) sink.doubt("scripts within scripts", text)
      else if (known || parse(text).errors === undefined) read(text, start)
    },
    evaluatesArithmetic: () => {
      hasArithmetic = true
    },
    hasEvaluatedText: () => {
      hasQuotedSubstitution = true
    },
  }

  function read(source: string, start: Start): void {
    const accounts = new Map<string, TextAccount>()
    const script: ParsedScript = parse(source)
    const place: Place = { source, ...start, quoting: "code", pattern: false }
    accountFor(accounts, source)
    walkScript(script, place, visitorFor(accounts))
    if (start.depth === 1) isSingleLine = !hasLineBreak(source, accountFor(accounts, source))
    for (const [text, account] of accounts) audit(text, account)
  }

  function audit(text: string, account: TextAccount): void {
    const audited = auditText(text, account)
    hasQuotedSubstitution ||= audited.hasQuotedSubstitution
    for (const at of audited.missed) sink.doubt("a substitution that may hide a command", excerpt(text, at))
  }

  function visitorFor(accounts: Map<string, TextAccount>): Visitor {
    const account = (place: Place): TextAccount => accountFor(accounts, place.source)
    const textOf = (span: Span, place: Place): string => place.source.slice(span.pos, span.end)
    return {
      command: (node, place) => foundCommand(node, place),
      redirect: (node, place) => foundRedirect(node, place),
      substitution: (span, place) => {
        account(place).starts.add(span.pos)
        if (place.source[span.pos] === "`") account(place).closings.add(span.end - 1)
      },
      quoted: (span, place) => void account(place).quoted.push(span),
      halfQuoted: (span, place) => void account(place).halfQuoted.push(span),
      word: (node, place, isValue) => {
        const special = isValue ? /[$`]/ : /\$\(|`|\$\{[\s|]/
        hasQuotedSubstitution ||= special.test(plainText(node, place.source))
      },
      unescapable: (span, place) => void account(place).unescapable.push(span),
      leaf: (span, place) => void account(place).leaves.push(span),
      arithmetic: (span, place, kind) => {
        hasArithmetic = true
        const suspicious = kind === "loop" ? /['"\n]|\bcase\b/ : /['"\n;]|\bcase\b/
        if (kind !== "subscript" && suspicious.test(textOf(span, place))) {
          sink.doubt("arithmetic that shells read differently", textOf(span, place))
        }
      },
      doubt: (reason, span, place) => sink.doubt(reason, textOf(span, place)),
      ownText: (source, span, outer) => {
        account(outer).elsewhere.push({ pos: span.pos + 1, end: span.end })
        accountFor(accounts, source)
      },
      unreadable: (message, pos, source) => {
        failure ??= { reason: message, ...positionOf(source, pos) }
      },
    }
  }

  function foundCommand(node: Command, place: Place): void {
    const words = node.name === undefined ? [] : [node.name, ...node.args]
    expandCommand(
      {
        role: "simple",
        written: place.source.slice(node.pos, node.end),
        assignments: node.prefix.flatMap((item) =>
          item.type === "Assignment" ? [place.source.slice(item.pos, item.end)] : [],
        ),
        words: words.map((word) => toArgument(word, place.source)),
        depth: place.depth,
        deferred: place.deferred,
      },
      place,
      sink,
    )
  }

  function foundRedirect(node: Redirection, place: Place): void {
    if (node.type === "HereDoc" && node.closing === undefined) {
      sink.doubt("a here-document that never ends", place.source.slice(node.pos, node.end))
    }
    if (node.type !== "Redirect" || isDescriptor(node)) return
    const target = node.target === undefined ? undefined : toArgument(node.target, place.source)
    const mode = node.operator === "<" ? "read" : "write"
    redirects.push({ mode, written: place.source.slice(node.pos, node.end), target })
  }

  function finish(source: string): Reading {
    if (failure !== undefined) return { kind: "unreadable", ...failure }
    if (hasArithmetic && hasQuotedSubstitution) {
      sink.doubt("quoted text that arithmetic may run", source)
    }
    if (!commands.some((command) => command.words.length > 0)) sink.doubt("no command", source)
    return { kind: "read", source, commands, redirects, doubts, isSingleLine }
  }

  return { read, finish }
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
