import type { RuleProblem } from "@opencode-rulebook/rule-schema"
import { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, type YAMLMap } from "yaml"
import { type Case, type Expected, MOMENTS, type Moment } from "./case.ts"

const CODE = "bad-case"
const EXAMPLE =
  "Write for example `- case: A test is read`, `  read: { a.test.ts: text }`, `  expect: { delivered: [tests] }`"

const TEXT_KEYS = ["prompt", "command", "agent", "model", "branch", "os", "session"] as const
const KEYS: readonly string[] = ["case", ...TEXT_KEYS, "ci", "project", "tools", "read", "writes", "calls", "expect"]
const EXPECT_KEYS = ["delivered", "notDelivered", "blocked", "held", "refused", "forbidden"] as const

type Expectations = Record<(typeof EXPECT_KEYS)[number], readonly Expected[]>

/** The cases of a file, and what is wrong with it. A case with a problem is left out. */
export interface CasesFile {
  readonly path: string
  readonly text: string
  readonly cases: readonly Case[]
  readonly problems: readonly RuleProblem[]
}

/** Thrown inside this file only: the place and what is wrong there. */
class CaseProblem extends Error {
  readonly node: unknown
  readonly field: string | undefined
  readonly remedy: string

  constructor(node: unknown, field: string | undefined, reason: string, remedy: string) {
    super(reason)
    this.node = node
    this.field = field
    this.remedy = remedy
  }
}

function offsetOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined
}

/**
 * Reads a file of cases: a YAML list of mappings, or `cases:` with that list. Never throws.
 *
 * @param path the file's, absolute.
 */
export function readCases(path: string, written: string): CasesFile {
  // The YAML library reads a byte-order mark as a letter of the first key.
  const text = written.replace(/^\uFEFF/, "")
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const problems: RuleProblem[] = []
  const report = (offset: number, field: string | undefined, reason: string, remedy: string) => {
    const { line, col } = lines.linePos(offset)
    problems.push({
      severity: "error",
      code: CODE,
      file: path,
      line: Math.max(line, 1),
      column: Math.max(col, 1),
      field,
      reason,
      remedy,
    })
  }
  const [error] = document.errors
  if (error) {
    report(error.pos[0], undefined, `not valid YAML: ${error.message}`, "Put texts with special characters in quotes")
    return { path, text, cases: [], problems }
  }
  const root = document.contents
  const list = isMap(root) ? root.get("cases") : root
  if (!isSeq(list)) {
    report(0, undefined, "there is no list of cases in the file", EXAMPLE)
    return { path, text, cases: [], problems }
  }
  const cases = list.items.flatMap((item): Case[] => {
    try {
      const line = lines.linePos(offsetOf(item) ?? 0).line
      return [readCase(item, line)]
    } catch (problem) {
      if (!(problem instanceof CaseProblem)) throw problem
      report(offsetOf(problem.node) ?? offsetOf(item) ?? 0, problem.field, problem.message, problem.remedy)
      return []
    }
  })
  return { path, text, cases, problems }
}

function readCase(item: unknown, line: number): Case {
  if (!isMap(item)) throw new CaseProblem(item, undefined, "a case is a mapping", EXAMPLE)
  refuseOthers(item, KEYS, "")
  const name = textAt(item, "case")
  if (name === undefined) throw new CaseProblem(item, "case", "the case has no name", EXAMPLE)
  const [prompt, command, agent, model, branch, os, session] = TEXT_KEYS.map((key) => textAt(item, key))
  const expected = item.get("expect")
  if (!isMap(expected))
    throw new CaseProblem(
      item,
      "expect",
      "the case expects nothing",
      `Write \`expect:\` with one of ${EXPECT_KEYS.join(", ")}`,
    )
  refuseOthers(expected, EXPECT_KEYS, "expect.")
  const named = Object.fromEntries(EXPECT_KEYS.map((key) => [key, expectedAt(expected, key)])) as Expectations
  if (EXPECT_KEYS.every((key) => named[key].length === 0))
    throw new CaseProblem(
      expected,
      "expect",
      "the case expects nothing",
      `Name a rule below one of ${EXPECT_KEYS.join(", ")}`,
    )
  return {
    ...{ name, line, prompt, command, agent, model, branch, os, session },
    ci: booleanAt(item, "ci"),
    project: textsAt(item, "project"),
    tools: textsAt(item, "tools"),
    read: filesAt(item),
    writes: textsByPath(item, "writes"),
    calls: callsAt(item),
    ...named,
  }
}

function refuseOthers(map: YAMLMap, known: readonly string[], prefix: string): void {
  for (const { key } of map.items) {
    const name = isScalar(key) ? String(key.value) : ""
    if (known.includes(name)) continue
    throw new CaseProblem(key, `${prefix}${name}`, "is not a key of a case", `The keys are ${known.join(", ")}`)
  }
}

function textAt(map: YAMLMap, key: string): string | undefined {
  const node = map.get(key, true)
  if (node === undefined) return undefined
  if (isScalar(node) && node.value !== null && String(node.value).trim() !== "")
    return node.source ?? String(node.value)
  throw new CaseProblem(node, key, "is not text", `Write text after \`${key}:\`, in quotes if necessary`)
}

function booleanAt(map: YAMLMap, key: string): boolean | undefined {
  const node = map.get(key, true)
  if (node === undefined) return undefined
  if (isScalar(node) && typeof node.value === "boolean") return node.value
  throw new CaseProblem(node, key, "is neither true nor false", `Write \`${key}: true\` or \`${key}: false\``)
}

function textsAt(map: YAMLMap, key: string): readonly string[] | undefined {
  const node = map.get(key, true)
  if (node === undefined) return undefined
  const items = isSeq(node) ? node.items : [node]
  return items.map((item) => {
    if (isScalar(item) && item.value !== null) return String(item.value)
    throw new CaseProblem(item, key, "is not text or a list of texts", `Write \`${key}: [one, another]\``)
  })
}

/** `read` is a mapping from paths to texts, or one path or a list of paths, whose texts are the files' own. */
function filesAt(map: YAMLMap): Case["read"] {
  const node = map.get("read")
  if (!isMap(node)) return (textsAt(map, "read") ?? []).map((path) => ({ path, text: undefined }))
  return textsByPath(map, "read")
}

/** A mapping from paths to texts. */
function textsByPath(map: YAMLMap, field: "read" | "writes"): Case["writes"] {
  const node = map.get(field, true)
  if (node === undefined) return []
  const items = isMap(node) ? node.items : [{ key: node, value: undefined }]
  return items.map(({ key, value }) => {
    if (isScalar(key) && isScalar(value) && value.value !== null)
      return { path: String(key.value), text: String(value.value) }
    const reason = "is not a path with the text of that file"
    throw new CaseProblem(value ?? key, field, reason, `Write \`${field}: { src/a.rs: "unsafe {" }\``)
  })
}

/** `calls` is a list of mappings, each from one tool's name to its arguments. */
function callsAt(map: YAMLMap): Case["calls"] {
  const node = map.get("calls", true)
  if (node === undefined) return []
  const items = isSeq(node) ? node.items : [node]
  return items.map((item) => {
    const [pair] = isMap(item) && item.items.length === 1 ? item.items : []
    if (pair && isScalar(pair.key) && isMap(pair.value))
      return { tool: String(pair.key.value), args: pair.value.toJSON() as unknown }
    throw new CaseProblem(
      item,
      "calls",
      "is not a tool's name with its arguments",
      "Write `calls: [{ bash: { command: git push } }]`",
    )
  })
}

/** A list of rules, or a mapping from rules to the moment at which they are to arrive. */
function expectedAt(map: YAMLMap, key: string): readonly Expected[] {
  const node = map.get(key)
  if (!isMap(node)) return (textsAt(map, key) ?? []).map((rule) => ({ rule, when: undefined }))
  if (key !== "delivered") throw new CaseProblem(node, `expect.${key}`, "has no moments", `Write \`${key}: [rule]\``)
  return node.items.map(({ key: rule, value }) => {
    const when = MOMENTS.find((moment) => isScalar(value) && value.value === moment)
    if (isScalar(rule) && when !== undefined) return { rule: String(rule.value), when: when satisfies Moment }
    throw new CaseProblem(value ?? rule, `expect.${key}`, "is not a moment", `Write one of ${MOMENTS.join(", ")}`)
  })
}
