import { readFileSync } from "node:fs"
import { type ParseError, parseTree, printParseErrorCode } from "jsonc-parser/lib/esm/main.js"
import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from "yaml"
import type { CommandEnvironment, ConfigSource } from "./files.ts"
import { type ConfigMap, type ConfigValue, emptyMap, fromNode, type Origin } from "./value.ts"

/** One of the things that OpenCode reads, once read. */
export interface Document {
  /** The agent that it is about; the whole configuration when undefined. */
  readonly agent: string | undefined
  readonly value: ConfigMap
  /** Why it could not be read, where it is there. */
  readonly problem: { readonly origin: Origin; readonly reason: string } | undefined
}

/** Reads a source; undefined when there is no such file. */
export function readDocument(source: ConfigSource, env: CommandEnvironment["env"]): Document | undefined {
  if (source.kind === "text") return fromJson(source.text, source.name, env)
  const text = textOf(source.path)
  if (typeof text !== "string") return text === undefined ? undefined : broken(source.path, 1, text.reason)
  // OpenCode takes an empty file for none (1.18.33, read).
  if (source.kind === "file") return text === "" ? undefined : fromJson(text, source.path, env)
  return { ...fromMarkdown(text, source.path), agent: source.name }
}

function textOf(path: string): string | { readonly reason: string } | undefined {
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")
    return isMissing
      ? undefined
      : { reason: `cannot be read (${error instanceof Error ? error.message : String(error)})` }
  }
}

function fromJson(text: string, file: string, env: CommandEnvironment["env"]): Document {
  const substituted = text.replace(/\{env:([^}]+)\}/g, (_, name: string) => env[name] ?? "")
  const errors: ParseError[] = []
  const root = parseTree(substituted.replace(/^\uFEFF/, " "), errors, { allowTrailingComma: true })
  const lineOf = (offset: number): number => substituted.slice(0, offset).split("\n").length
  const [error] = errors
  if (error !== undefined)
    return broken(file, lineOf(error.offset), `not valid JSONC (${printParseErrorCode(error.error)})`)
  const value = root && fromNode(root, file, lineOf)
  return value?.kind === "map" ? { agent: undefined, value, problem: undefined } : broken(file, 1, "not a JSON object")
}

/** From the first line to the next that begins with dashes, or to the end (gray-matter, of which 1.18.33 makes use). */
const frontmatter = /^\uFEFF?---[^\S\n]*\n((?:(?!---)[^\n]*\n?)*)/

function fromMarkdown(text: string, file: string): Document {
  const yaml = frontmatter.exec(text)?.[1] ?? ""
  const counter = new LineCounter()
  const document = parseDocument(yaml, { lineCounter: counter })
  // The frontmatter begins on the file's second line.
  const lineAt = (offset: number): number => counter.linePos(offset).line + 1
  const [error] = document.errors
  if (error !== undefined)
    return broken(file, lineAt(error.pos[0]), `frontmatter cannot be read (${error.message.split("\n")[0]})`)
  const value = fromYaml(document.contents, { document, file, lineAt })
  return { agent: undefined, value: value.kind === "map" ? value : emptyMap, problem: undefined }
}

interface Frontmatter {
  readonly document: ReturnType<typeof parseDocument>
  readonly file: string
  readonly lineAt: (offset: number) => number
}

/** More aliases than this, one within the other, are not followed: an alias may stand in what it names. */
const mostAliases = 4

function fromYaml(node: unknown, around: Frontmatter, aliases = 0): ConfigValue {
  const { document, file, lineAt } = around
  if (isAlias(node) && aliases < mostAliases) return fromYaml(node.resolve(document), around, aliases + 1)
  const origin = { file, line: lineAt((isNode(node) ? node.range : undefined)?.[0] ?? 0) }
  if (isMap(node)) {
    const entries = node.items.map(({ key, value }) => [String(key), fromYaml(value, around, aliases)] as const)
    return { kind: "map", entries: new Map(entries), origin }
  }
  if (isSeq(node)) return { kind: "list", items: node.items.map((item) => fromYaml(item, around, aliases)), origin }
  return { kind: "leaf", value: isScalar(node) ? node.value : undefined, origin }
}

function broken(file: string, line: number, reason: string): Document {
  return { agent: undefined, value: emptyMap, problem: { origin: { file, line }, reason } }
}
