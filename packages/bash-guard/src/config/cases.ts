import { getNodeValue, type Node } from "jsonc-parser/lib/esm/main.js"
import { isAction } from "../opencode/rules.ts"
import type { Origin } from "../opencode/value.ts"
import type { Action } from "../permissions/rules.ts"
import { isListOf, isRecord, isString } from "../shape.ts"

/** What a command must be decided by: a pattern of the bash permission, or any with that effect. */
export type Expectation =
  | { readonly kind: "pattern"; readonly pattern: string }
  | { readonly kind: "action"; readonly action: Action }

/** One command of the `cases` in a configuration, and what is expected of it. */
export interface Case {
  readonly command: string
  readonly expectation: Expectation
  /** Whether the expectation is to be met, or not to be. */
  readonly matches: boolean
  /** The default agent when undefined. */
  readonly agent: string | undefined
  readonly origin: Origin
}

const known = ["pattern", "action", "agent", "match", "notMatch"]

/** @param report takes what is wrong with an entry, and where. */
export function readCases(
  list: Node,
  file: string,
  lineOf: (offset: number) => number,
  report: (offset: number, reason: string, remedy: string) => void,
): readonly Case[] {
  if (list.type !== "array") {
    report(list.offset, '"cases" is not a list', "no case is checked until it is")
    return []
  }
  return (list.children ?? []).flatMap((entry) => {
    const value: unknown = getNodeValue(entry)
    const expectation = isRecord(value) ? expectationOf(value) : undefined
    const agent = isRecord(value) ? value["agent"] : undefined
    const isNamed = agent === undefined || isString(agent)
    if (!isRecord(value) || expectation === undefined || !areLists(value) || !isNamed) {
      const shape = '{ "pattern" or "action", "match": [commands], "notMatch": [commands], "agent"? }'
      report(entry.offset, `a case must be ${shape}`, "it is not checked until it is")
      return []
    }
    const unknown = Object.keys(value).find((key) => !known.includes(key))
    if (unknown !== undefined)
      report(entry.offset, `unknown key ${JSON.stringify(unknown)} in a case`, `known here: ${known.join(", ")}`)
    return [true, false].flatMap((matches) =>
      commandsAt(entry, matches ? "match" : "notMatch").map(({ command, offset }): Case => {
        return { command, expectation, matches, agent, origin: { file, line: lineOf(offset) } }
      }),
    )
  })
}

function expectationOf({ pattern, action }: Record<string, unknown>): Expectation | undefined {
  if (isString(pattern) && action === undefined) return { kind: "pattern", pattern }
  return isAction(action) && pattern === undefined ? { kind: "action", action } : undefined
}

function areLists(entry: Record<string, unknown>): boolean {
  const lists = [entry["match"], entry["notMatch"]].filter((list) => list !== undefined)
  return lists.length > 0 && lists.every((list) => isListOf(list, isString))
}

function commandsAt(entry: Node, key: string): readonly { readonly command: string; readonly offset: number }[] {
  const property = entry.children?.find((child) => child.children?.[0]?.value === key)
  return (property?.children?.[1]?.children ?? []).map((node) => ({ command: String(node.value), offset: node.offset }))
}
