import type {
  AndOr,
  ArithmeticExpression,
  ArrayValue,
  Assignment,
  Command,
  CommandNode,
  CompoundList,
  ParameterOperation,
  ParsedScript,
  PipelineNode,
  Redirection,
  Statement,
  SyntaxNode,
  TestExpression,
  Word,
  WordPart,
} from "unbash"
import { wordsOf } from "./arithmetic.ts"
import { setByArithmetic } from "./assigned.ts"
import { feedFromCommand, feedFromRedirects, feedOfGroup } from "./feed.ts"
import type { Block } from "./reading.ts"
import type { ScriptPlace, Visitor } from "./visitor.ts"
import { toArgument } from "./words.ts"

/** Walks a parsed script. Total: a node kind that is added to the parser's union fails to compile here. */
export function walkScript(script: ParsedScript, place: ScriptPlace, visitor: Visitor): void {
  for (const error of script.errors ?? []) visitor.unreadable(error.message, error.pos, place.source)
  for (const statement of script.commands) walk(statement, place, visitor)
}

type Walked =
  | Statement
  | CompoundList
  | AndOr
  | PipelineNode
  | Word
  | WordPart
  | Assignment
  | ArrayValue
  | Redirection
  | ArithmeticExpression
  | TestExpression
  | ParameterOperation

function walk(node: Walked, place: ScriptPlace, visitor: Visitor): void {
  switch (node.type) {
    case "Statement":
      if (node.background === true) within("subshell", visitor, () => walk(node.command, place, visitor))
      else walk(node.command, place, visitor)
      return
    case "CompoundList":
      walkAll(node.commands, place, visitor)
      return
    case "AndOr":
      walkAndOr(node, place, visitor)
      return
    case "Pipeline":
      walkPipeline(node.commands, place, visitor)
      return
    case "Command":
      walkCommand(node, place, visitor)
      return
    case "Redirected":
      walkAll(node.redirects, place, visitor)
      walk(node.command, { ...place, stdin: feedFromRedirects(node.redirects, place) }, visitor)
      return
    case "If":
      walkIf(node, place, visitor)
      return
    case "For":
    case "Select":
      walkFor(node, place, visitor)
      return
    case "ArithmeticFor":
      walkArithmeticFor(node, place, visitor)
      return
    case "While":
      within("loop", visitor, () => walkAll([node.clause, node.body], drained(place), visitor))
      return
    case "Function":
      visitor.leaf(node.name, place)
      visitor.functionNamed(node.name, place)
      within("deferred", visitor, () => walk(node.body, { ...place, stdin: { kind: "unknown" } }, visitor))
      return
    case "Coproc":
      if (node.name !== undefined) {
        visitor.leaf(node.name, place)
        const written = place.source.slice(node.pos, node.end)
        visitor.assigns({ name: toArgument(node.name, place.source).value, kind: "input", written })
      }
      within("subshell", visitor, () => walk(node.body, { ...place, stdin: { kind: "unknown" } }, visitor))
      return
    case "Subshell":
      within("subshell", visitor, () => walk(node.body, sharedBy(place, node.body), visitor))
      return
    case "BraceGroup":
      walk(node.body, sharedBy(place, node.body), visitor)
      return
    case "Case":
      walk(node.word, place, visitor)
      for (const item of node.items) {
        walkAll(item.pattern, { ...place, pattern: true }, visitor)
        within("branch", visitor, () => walk(item.body, sharedBy(place, item.body), visitor))
      }
      return
    case "TestCommand":
      walk(node.expression, place, visitor)
      return
    case "ArithmeticCommand":
      visitor.leaf(node, place)
      walkExpression(node, place, visitor)
      return
    case "Word":
      visitor.leaf(node, place)
      walkAll(node.parts ?? [], place, visitor)
      return
    case "Assignment":
      walkAssignment(node, place, visitor)
      return
    case "ArrayValue":
      walkAll(node.elements, place, visitor)
      return
    case "Redirect":
    case "HereString":
    case "HereDoc":
      walkRedirection(node, place, visitor)
      return
    case "Literal":
      if (place.quoting === "text") visitor.halfQuoted(node, place)
      return
    case "SingleQuoted":
    case "AnsiCQuoted":
      if (place.quoting === "code") visitor.quoted(node, place)
      return
    case "DoubleQuoted":
    case "LocaleString":
      walkAll(node.parts, asText(place), visitor)
      return
    case "SimpleExpansion":
      return
    case "Glob":
    case "BraceExpansion":
      walkAll(node.parts ?? [], place, visitor)
      return
    case "ExtendedGlob":
      if (!place.pattern) visitor.doubt("an extended glob outside a pattern", node, place)
      walkAll(node.parts ?? [], place, visitor)
      return
    case "ParameterExpansion":
      if (place.quoting === "text") visitor.unescapable(node, place)
      walkParameter(node, place, visitor)
      return
    case "Default":
    case "Remove":
      walk(node.operand, { ...place, pattern: true }, visitor)
      return
    case "Transform":
      if (!/^[UuLEAaKkQ]$/.test(node.operand.text))
        visitor.doubt("a transformation that may run what it expands", node, place)
      walk(node.operand, place, visitor)
      return
    case "CaseModification":
      if (node.operand !== undefined) walk(node.operand, { ...place, pattern: true }, visitor)
      return
    case "Replace":
      walkAll([node.pattern, node.replacement], { ...place, pattern: true }, visitor)
      return
    case "Slice":
      walkSubscript(node.offset, place, visitor, undefined)
      if (node.length !== undefined) walkSubscript(node.length, place, visitor, undefined)
      return
    case "Names":
      return
    case "Unknown":
      visitor.doubt("an expansion that is not known", node, place)
      return
    case "CommandExpansion":
    case "ArithmeticCommandExpansion":
    case "ProcessSubstitution":
      walkSubstitution(node, place, visitor)
      return
    case "ArithmeticExpansion":
      visitor.substitution(node, place)
      walkExpression(node, place, visitor)
      return
    case "ArithmeticBinary":
      walkAll([node.left, node.right], place, visitor)
      return
    case "ArithmeticUnary":
      walk(node.operand, place, visitor)
      return
    case "ArithmeticTernary":
      walkAll([node.test, node.consequent, node.alternate], place, visitor)
      return
    case "ArithmeticGroup":
      walk(node.expression, place, visitor)
      return
    case "ArithmeticWord":
      walkAll(node.parts ?? [], place, visitor)
      return
    case "TestUnary":
      if (node.operator === "-v" || node.operator === "-R") {
        visitor.evaluates([toArgument(node.operand, place.source)], node, place)
      }
      walk(node.operand, place, visitor)
      return
    case "TestBinary":
      if (/^-(eq|ne|lt|le|gt|ge)$/.test(node.operator)) {
        const words = [node.left, node.right].map((word) => toArgument(word, place.source))
        visitor.evaluates(words, node, place, { isTest: true })
      }
      walk(node.left, place, visitor)
      walk(node.right, { ...place, pattern: true }, visitor)
      return
    case "TestLogical":
      walkAll(node.operands, place, visitor)
      return
    case "TestNot":
      walk(node.operand, place, visitor)
      return
    case "TestGroup":
      walk(node.expression, place, visitor)
      return
    default:
      node satisfies never
  }
}

function walkAll(nodes: readonly Walked[], place: ScriptPlace, visitor: Visitor): void {
  for (const node of nodes) walk(node, place, visitor)
}

function asText(place: ScriptPlace): ScriptPlace {
  return { ...place, quoting: "text", pattern: false }
}

/** A part of the script with folders of its own, or that runs only perhaps, or more than once. */
function within(block: Block, visitor: Visitor, work: () => void): void {
  visitor.enter(block)
  work()
  visitor.leave()
}

/** Behind the first of several commands that may have read the input, what is left of it is not known. */
function drained(place: ScriptPlace): ScriptPlace {
  const { stdin } = place
  return stdin.kind === "text" ? { ...place, stdin: { ...stdin, known: false } } : place
}

function sharedBy(place: ScriptPlace, body: CompoundList): ScriptPlace {
  return { ...place, stdin: feedOfGroup(place.stdin, body) }
}

function walkPipeline(commands: readonly CommandNode[], place: ScriptPlace, visitor: Visitor): void {
  const [only, ...others] = commands
  if (only !== undefined && others.length === 0) {
    walk(only, place, visitor)
    return
  }
  let stdin = place.stdin
  for (const command of commands) {
    within("subshell", visitor, () => walk(command, { ...place, stdin }, visitor))
    stdin = feedFromCommand(command, { ...place, stdin })
  }
}

/** What stands behind `&&` runs only after a success; what stands behind `||` perhaps. */
function walkAndOr(node: AndOr, place: ScriptPlace, visitor: Visitor): void {
  const [first, ...others] = node.commands
  if (first !== undefined) walk(first, place, visitor)
  let open = 0
  for (const [index, command] of others.entries()) {
    if (node.operators[index] === "&&") {
      visitor.enter("success")
      open += 1
      walk(command, place, visitor)
      continue
    }
    for (; open > 0; open -= 1) visitor.leave()
    within(endsScript(command) ? "exit" : "branch", visitor, () => walk(command, place, visitor))
  }
  for (; open > 0; open -= 1) visitor.leave()
}

/** `cd x || exit 1`, `cd x || { echo no; exit 1; }` */
function endsScript(node: PipelineNode): boolean {
  if (node.type === "Command") return /^(exit|return)$/.test(node.name?.text ?? "")
  if (node.type !== "BraceGroup") return false
  const last = node.body.commands.at(-1)?.command
  return last?.type === "Command" && endsScript(last)
}

function walkIf(node: Extract<SyntaxNode, { type: "If" }>, place: ScriptPlace, visitor: Visitor): void {
  walk(node.clause, sharedBy(place, node.clause), visitor)
  within("success", visitor, () => walk(node.then, drained(place), visitor))
  for (const branch of node.elif) {
    within("branch", visitor, () => walkAll([branch.clause, branch.then], drained(place), visitor))
  }
  const { else: otherwise } = node
  if (otherwise !== undefined) within("branch", visitor, () => walk(otherwise, drained(place), visitor))
}

function walkFor(node: Extract<SyntaxNode, { type: "For" | "Select" }>, place: ScriptPlace, visitor: Visitor): void {
  const { name: nameWord, wordlist } = node
  const name = toArgument(nameWord, place.source).value
  const written = place.source.slice(node.pos, node.body.pos)
  for (const word of wordlist ?? []) {
    visitor.assigns({ name, kind: "text", value: toArgument(word, place.source), written })
  }
  if (wordlist === undefined) {
    const value = { fragments: ["", ""], gaps: [{ text: "$@", name: "@", isQuoted: true }], isSplit: true }
    visitor.assigns({ name, kind: "text", value: { written: "", value: "$@", pos: 0, end: 0, ...value }, written })
  }
  if (node.type === "Select") visitor.assigns({ name: "REPLY", kind: "input", written })
  walkAll(wordlist ?? [], place, visitor)
  visitor.leaf(nameWord, place)
  within("loop", visitor, () => walk(node.body, sharedBy(place, node.body), visitor))
}

function walkCommand(node: Command, place: ScriptPlace, visitor: Visitor): void {
  visitor.command(node, { ...place, stdin: feedFromRedirects(node.redirects, place) })
  walkAll(node.prefix, place, visitor)
  if (node.name !== undefined) walk(node.name, place, visitor)
  walkAll(node.suffix, place, visitor)
}

function walkAssignment(node: Assignment, place: ScriptPlace, visitor: Visitor): void {
  const { name, index, value } = node
  const written = place.source.slice(node.pos, node.end)
  visitor.leaf(node, place)
  if (index !== undefined) walkSubscript(index, place, visitor, name)
  if (value.type === "Word") {
    visitor.assigns({ name, kind: "text", value: toArgument(value, place.source), written })
  } else {
    for (const element of value.elements) {
      visitor.assigns({ name, kind: "text", value: toArgument(element, place.source), written })
      // `([key]=value)`: the key of an array that is not associative is evaluated.
      const argument = toArgument(element, place.source)
      if (element.text.startsWith("[")) visitor.evaluates([argument], element, place, { array: name })
    }
    if (value.elements.length === 0) visitor.assigns({ name, kind: "number", written })
  }
  walk(value, place, visitor)
}

function walkParameter(
  node: Extract<WordPart, { type: "ParameterExpansion" }>,
  place: ScriptPlace,
  visitor: Visitor,
): void {
  const { parameter, prefix, index, operation } = node
  const written = place.source.slice(node.pos, node.end)
  const isList = operation?.type === "Names" || /^[@*]$/.test(index?.text ?? "")
  // `${!x}` takes what x holds for a name, with a subscript perhaps.
  if (prefix === "!" && !isList) {
    const value = { fragments: ["", ""], gaps: [{ text: `$${parameter}`, isQuoted: true }], isSplit: false }
    visitor.evaluates([{ written, value: written, pos: node.pos, end: node.end, ...value }], node, place)
  }
  if (operation?.type === "Default" && operation.operator.includes("=")) {
    const name = prefix === "!" ? undefined : parameter
    visitor.assigns({ name, kind: "text", value: toArgument(operation.operand, place.source), written })
  }
  if (index !== undefined && !isList) walkSubscript(index, place, visitor, parameter)
  else if (index !== undefined) walk(index, asText(place), visitor)
  if (operation !== undefined) walk(operation, place, visitor)
}

function walkExpression(
  node: Extract<SyntaxNode, { type: "ArithmeticCommand" | "ArithmeticExpansion" }>,
  place: ScriptPlace,
  visitor: Visitor,
): void {
  const written = place.source.slice(node.pos, node.end)
  visitor.arithmetic(node, place, "expression")
  for (const assigned of setByArithmetic(written)) visitor.assigns(assigned)
  visitor.evaluates(wordsOf(node.expression, written, place.source), node, place)
  if (node.expression !== undefined) walk(node.expression, asText(place), visitor)
}

function walkArithmeticFor(
  node: Extract<SyntaxNode, { type: "ArithmeticFor" }>,
  place: ScriptPlace,
  visitor: Visitor,
): void {
  const header = { pos: node.pos, end: node.body.pos }
  const written = place.source.slice(header.pos, header.end)
  visitor.leaf(header, place)
  visitor.arithmetic(header, place, "loop")
  for (const assigned of setByArithmetic(written)) visitor.assigns(assigned)
  for (const expression of [node.initialize, node.test, node.update]) {
    if (expression === undefined) continue
    visitor.evaluates(wordsOf(expression, written, place.source), header, place)
    walk(expression, asText(place), visitor)
  }
  within("loop", visitor, () => walk(node.body, sharedBy(place, node.body), visitor))
}

function walkSubscript(word: Word, place: ScriptPlace, visitor: Visitor, array: string | undefined): void {
  visitor.evaluates([toArgument(word, place.source)], word, place, array === undefined ? {} : { array })
  walk(word, asText(place), visitor)
}

function walkRedirection(node: Redirection, place: ScriptPlace, visitor: Visitor): void {
  if (node.descriptor?.type === "FileDescriptorVariable") {
    const { name } = node.descriptor
    const written = place.source.slice(node.pos, node.end)
    const isPlain = /^\w+$/.test(name)
    visitor.assigns({ name: isPlain ? name : undefined, kind: "number", written })
  }
  visitor.redirect(node, place)
  visitor.leaf(node, place)
  if (node.type !== "HereDoc") {
    if (node.target !== undefined) walk(node.target, place, visitor)
    return
  }
  visitor.leaf(node.body, place)
  if (node.closing !== undefined) visitor.leaf(node.closing, place)
  visitor.body({ pos: node.body.pos, end: (node.closing ?? node.body).end }, place)
  // The shell cuts tabs off before it looks for the end of the inner one; the parser has no part in that.
  if (node.operator === "<<-" && node.delimiter?.quoted !== true && /<</.test(node.body.text)) {
    visitor.doubt("a here-document within an indented one", node, place)
  }
  if (node.delimiter?.quoted === true) {
    visitor.quoted(node.body, place)
    return
  }
  if (node.body.parts === undefined) {
    visitor.halfQuoted(node.body, place)
    return
  }
  walkAll(node.body.parts, asText(place), visitor)
}

function walkSubstitution(
  node: Extract<WordPart | ArithmeticExpression, { script: ParsedScript | undefined }>,
  place: ScriptPlace,
  visitor: Visitor,
): void {
  visitor.substitution(node, place)
  const script = node.script
  if (script === undefined) {
    visitor.doubt("a substitution that cannot be read", node, place)
    return
  }
  const source = script.source ?? place.source
  if (script.source !== undefined) visitor.ownText(script.source, node, place)
  within("subshell", visitor, () =>
    walkScript(script, { ...place, source, depth: place.depth + 1, quoting: "code", pattern: false }, visitor),
  )
}
