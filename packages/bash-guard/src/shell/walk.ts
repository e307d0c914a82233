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
import { feedFromCommand, feedFromRedirects } from "./feed.ts"
import type { Place, Visitor } from "./visitor.ts"

/** Walks a parsed script. Total: a node kind that is added to the parser's union fails to compile here. */
export function walkScript(script: ParsedScript, place: Place, visitor: Visitor): void {
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

function walk(node: Walked, place: Place, visitor: Visitor): void {
  switch (node.type) {
    case "Statement":
      walk(node.command, place, visitor)
      return
    case "CompoundList":
    case "AndOr":
      walkAll(node.commands, place, visitor)
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
      walkAll([node.clause, node.then], place, visitor)
      for (const branch of node.elif) walkAll([branch.clause, branch.then], place, visitor)
      if (node.else !== undefined) walk(node.else, place, visitor)
      return
    case "For":
    case "Select":
      for (const word of node.wordlist ?? []) visitor.word(word, place, true)
      walkAll(node.wordlist ?? [], place, visitor)
      visitor.leaf(node.name, place)
      walk(node.body, { ...place, deferred: true }, visitor)
      return
    case "ArithmeticFor":
      walkArithmeticFor(node, place, visitor)
      return
    case "While":
      walkAll([node.clause, node.body], { ...place, deferred: true }, visitor)
      return
    case "Function":
      visitor.leaf(node.name, place)
      walk(node.body, { ...place, deferred: true, stdin: { kind: "unknown" } }, visitor)
      return
    case "Coproc":
      if (node.name !== undefined) visitor.leaf(node.name, place)
      walk(node.body, { ...place, deferred: true, stdin: { kind: "unknown" } }, visitor)
      return
    case "Subshell":
    case "BraceGroup":
      walk(node.body, place, visitor)
      return
    case "Case":
      walk(node.word, place, visitor)
      for (const item of node.items) {
        walkAll(item.pattern, { ...place, pattern: true }, visitor)
        walk(item.body, place, visitor)
      }
      return
    case "TestCommand":
      walk(node.expression, place, visitor)
      return
    case "ArithmeticCommand":
      visitor.leaf(node, place)
      visitor.arithmetic(node, place, "expression")
      if (node.expression !== undefined) walk(node.expression, asText(place), visitor)
      return
    case "Word":
      visitor.leaf(node, place)
      visitor.word(node, place, false)
      walkAll(node.parts ?? [], place, visitor)
      return
    case "Assignment":
      visitor.leaf(node, place)
      if (node.index !== undefined) walkSubscript(node.index, place, visitor)
      if (node.value.type === "Word") visitor.word(node.value, place, true)
      walk(node.value, place, visitor)
      return
    case "ArrayValue":
      for (const element of node.elements) {
        visitor.word(element, place, true)
        if (element.text.startsWith("[")) visitor.arithmetic(element, place, "subscript")
        walk(element, place, visitor)
      }
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
      if (node.prefix === "!") visitor.arithmetic(node, place, "subscript")
      if (node.index !== undefined) walkSubscript(node.index, place, visitor)
      if (node.operation !== undefined) walk(node.operation, place, visitor)
      return
    case "Default":
      visitor.word(node.operand, place, true)
      walk(node.operand, { ...place, pattern: true }, visitor)
      return
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
      walkSubscript(node.offset, place, visitor)
      if (node.length !== undefined) walkSubscript(node.length, place, visitor)
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
      visitor.arithmetic(node, place, "expression")
      if (node.expression !== undefined) walk(node.expression, asText(place), visitor)
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
      if (node.operator === "-v" || node.operator === "-R") visitor.arithmetic(node, place, "subscript")
      walk(node.operand, place, visitor)
      return
    case "TestBinary":
      if (/^-(eq|ne|lt|le|gt|ge)$/.test(node.operator)) visitor.arithmetic(node, place, "subscript")
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

function walkAll(nodes: readonly Walked[], place: Place, visitor: Visitor): void {
  for (const node of nodes) walk(node, place, visitor)
}

function asText(place: Place): Place {
  return { ...place, quoting: "text", pattern: false }
}

function walkPipeline(commands: readonly CommandNode[], place: Place, visitor: Visitor): void {
  let stdin = place.stdin
  for (const command of commands) {
    walk(command, { ...place, stdin }, visitor)
    stdin = feedFromCommand(command, { ...place, stdin })
  }
}

function walkCommand(node: Command, place: Place, visitor: Visitor): void {
  visitor.command(node, { ...place, stdin: feedFromRedirects(node.redirects, place) })
  walkAll(node.prefix, place, visitor)
  if (node.name !== undefined) walk(node.name, place, visitor)
  walkAll(node.suffix, place, visitor)
}

function walkArithmeticFor(node: Extract<SyntaxNode, { type: "ArithmeticFor" }>, place: Place, visitor: Visitor): void {
  const header = { pos: node.pos, end: node.body.pos }
  visitor.leaf(header, place)
  visitor.arithmetic(header, place, "loop")
  for (const expression of [node.initialize, node.test, node.update]) {
    if (expression !== undefined) walk(expression, asText(place), visitor)
  }
  walk(node.body, { ...place, deferred: true }, visitor)
}

function walkSubscript(word: Word, place: Place, visitor: Visitor): void {
  visitor.arithmetic(word, place, "subscript")
  walk(word, asText(place), visitor)
}

function walkRedirection(node: Redirection, place: Place, visitor: Visitor): void {
  visitor.redirect(node, place)
  visitor.leaf(node, place)
  if (node.type !== "HereDoc") {
    if (node.target !== undefined) walk(node.target, place, visitor)
    return
  }
  visitor.leaf(node.body, place)
  if (node.closing !== undefined) visitor.leaf(node.closing, place)
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
  place: Place,
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
  walkScript(script, { ...place, source, depth: place.depth + 1, quoting: "code", pattern: false }, visitor)
}
