import { createHash } from "node:crypto"
import type { Origin } from "./sources/origin.ts"

/** Where a rule comes from: the user's own configuration, the project, or a package that the project has installed. */
export type Scope = "global" | "project" | `pack:${string}`

declare const brand: unique symbol

/** `${scope}:${prefix}${path inside its rules directory}`, `/`-separated. Derived from the path, never from the text. */
export type RuleId = string & { readonly [brand]: "RuleId" }

/**
 * One rules directory. `root` is the folder that project-relative globs of its rules are relative to;
 * `prefix` keeps the ids of nested directories apart ("" normally).
 */
export interface RuleDirectory {
  readonly scope: Scope
  readonly path: string
  readonly root: string
  readonly prefix: string
  /** Symbolic links that lead out of this folder, absolute, are not followed. Undefined: all are. */
  readonly within?: string | undefined
  /** The project's outermost folder, when `root` is one below it: files of the project outside of `root` are none of its rules'. */
  readonly project?: string | undefined
  /** Undefined for OpenCode's own places. */
  readonly origin?: Origin | undefined
}

/** A rule's identity: scope, prefix and path inside its rules directory. An edit of the file does not change it. */
export function ruleId(directory: RuleDirectory, path: string): RuleId {
  const isWindows = /^[A-Za-z]:[\\/]|^\\\\/.test(directory.path)
  const start = path.slice(0, directory.path.length)
  const isInside = isWindows ? start.toLowerCase() === directory.path.toLowerCase() : start === directory.path
  const inside = isInside ? path.slice(directory.path.length) : path
  const text = (isWindows ? inside.replaceAll("\\", "/") : inside).replace(/^\/+/, "").normalize("NFC")
  // The one place that makes an id out of a text.
  return `${directory.scope}:${directory.prefix}${text}` as RuleId
}

/** The file's name without its ending; of a `RULE.md`, as one tool calls the file of a rule's own folder, the folder's. */
export function fileStem(path: string): string {
  const isWindows = /^[A-Za-z]:[\\/]|^\\\\/.test(path)
  const [base = "", folder = ""] = path.split(isWindows ? /[\\/]/ : "/").toReversed()
  const stem = base.replace(/(?:\.instructions)?\.mdc?$|\.txt$/i, "")
  return (stem === "RULE" ? folder : stem) || base
}

/** Tells two states of a file apart: 128 bits of SHA-256, in hex. */
export function digestOf(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex").slice(0, 32)
}
