import { type CommandNode, type PipelineNode, parse, type Statement } from "unbash"

/**
 * Writes a chain one command per line, where that means the same: commands joined by `;`, and `&&` chains of plain
 * commands, which `set -e` ends at the first failure as `&&` does.
 * @returns undefined when the chain is of another kind: `||`, conditions, groups, `!`, or commands that run scripts of
 * their own in this shell (`set -e` would reach into them).
 */
export function onePerLine(source: string): string | undefined {
  const script = parse(source)
  if (script.errors !== undefined) return undefined
  const [first, ...others] = script.commands
  if (first === undefined) return undefined
  return others.length === 0 ? andChain(first, source) : sequence(script.commands, source)
}

function sequence(statements: readonly Statement[], source: string): string | undefined {
  const lines = statements.flatMap(({ command, background }) =>
    isLine(command) ? [`${textOf(command, source)}${background === true ? " &" : ""}`] : [],
  )
  return lines.length === statements.length ? lines.join("\n") : undefined
}

function andChain(statement: Statement, source: string): string | undefined {
  const list = statement.command
  if (list.type !== "AndOr" || statement.background === true) return undefined
  if (list.operators.some((operator) => operator !== "&&")) return undefined
  if (list.commands.some((command) => !isLine(command) || isNegated(command) || runsInThisShell(command)))
    return undefined
  return ["set -e", ...list.commands.map((command) => textOf(command, source))].join("\n")
}

function isLine(node: Statement["command"]): node is PipelineNode {
  switch (node.type) {
    case "Command":
    case "TestCommand":
    case "ArithmeticCommand":
      return true
    case "Pipeline":
      return node.commands.every((command) => command.type === "Command")
    default:
      return false
  }
}

function isNegated(node: PipelineNode): boolean {
  return node.type === "Pipeline" && node.prefixes.some((prefix) => prefix.type === "Negation")
}

const inThisShell = new Set("eval source . trap set shopt command builtin exec unset".split(" "))

function runsInThisShell(node: PipelineNode): boolean {
  const commands: readonly CommandNode[] = node.type === "Pipeline" ? node.commands : [node]
  return commands.some((command) => command.type === "Command" && inThisShell.has(command.name?.value ?? ""))
}

function textOf(node: PipelineNode, source: string): string {
  return source.slice(node.pos, node.end)
}
