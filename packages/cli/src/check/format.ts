import { relative, sep } from "node:path"
import { type RuleProblem, reasonAndEffect } from "@opencode-rulebook/rule-schema"
import { visible } from "@opencode-rulebook/rule-schema/authoring"
import type { Paint } from "../io.ts"
import { codeFrame } from "./code-frame.ts"
import type { CheckResult } from "./findings.ts"
import type { CheckedPack } from "./sources.ts"

/**
 * The findings in the style of compilers: `file:line:column severity code message`, then the place in the file and what to do.
 *
 * @param cwd paths below it are shown relative to it.
 */
export function formatFindings({ rules, findings, texts }: CheckResult, cwd: string, paint: Paint): string {
  const blocks = findings.map((finding) => formatFinding(finding, texts.get(finding.file), cwd, paint))
  return [...blocks, formatTotals(rules, findings)].join("\n\n").concat("\n")
}

/** What there is to say beside the findings: the packs that were read, and hints, a line each. */
export function formatNotes(packs: readonly CheckedPack[], hints: readonly string[]): string {
  const lines = [
    ...packs.map(({ name, version, rules }) => `pack ${name} ${version}: ${count(rules, "rule") ?? "no rules"}.`),
    ...hints.map((hint) => `hint: ${hint}`),
  ]
  return lines.map((line) => `${visible(line)}\n`).join("")
}

/** One finding's first line: a path with its place, a severity, a code, and the message. */
export function formatHeadline(finding: RuleProblem, cwd: string, paint: Paint): string {
  const { severity, code, line, column, field } = finding
  const place = `${visible(shownPath(finding.file, cwd))}:${line}:${column}`
  const reason = reasonAndEffect(finding)
  const message = visible(field === undefined ? reason : `${field}: ${reason}`)
  return `${paint("bold", place)} ${paint(severity === "error" ? "red" : "yellow", severity)} ${code} ${message}`
}

function formatFinding(finding: RuleProblem, text: string | undefined, cwd: string, paint: Paint): string {
  const frame = text === undefined ? [] : codeFrame(text, finding).map((line) => paint("dim", line))
  const remedy = `  remedy: ${visible(finding.remedy)}`
  return [formatHeadline(finding, cwd, paint), ...frame, remedy].join("\n")
}

function formatTotals(rules: number, findings: readonly RuleProblem[]): string {
  const errors = findings.filter(({ severity }) => severity === "error").length
  const warnings = findings.length - errors
  const parts = [count(errors, "error"), count(warnings, "warning")].filter((part) => part !== undefined)
  const total = count(rules, "rule") ?? "no rules"
  return parts.length === 0 ? `${total}, no findings.` : `${parts.join(" and ")} in ${total}.`
}

function count(number: number, noun: string): string | undefined {
  if (number === 0) return undefined
  return `${number} ${noun}${number === 1 ? "" : "s"}`
}

/** A path as a person in `cwd` would write it. */
export function shownPath(path: string, cwd: string): string {
  const short = relative(cwd, path)
  return short === "" || short === ".." || short.startsWith(`..${sep}`) ? path : short
}
