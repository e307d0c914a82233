import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { EVERYDAY_WORDS, LINTS, PREFIX_WORDS } from "@opencode-rulebook/cli/reference"
import {
  ERRORS,
  FIELDS,
  frontmatterJsonSchema,
  HOOK_FIELDS,
  REASONS,
  RECEIPT_FIELDS,
  RECEIPT_KINDS,
  WARNINGS,
} from "@opencode-rulebook/rule-schema/reference"
import { root } from "../install.ts"

/** A file of which all, or the parts between `<!-- name -->` and `<!-- /name -->`, are made from the code. */
export interface GeneratedFile {
  readonly path: string
  /** What the file is to hold, given what it holds. */
  readonly content: (before: string) => string
}

/** Every document with generated text in it. */
export const GENERATED: readonly GeneratedFile[] = [
  { path: "docs/rule.schema.json", content: () => `${JSON.stringify(frontmatterJsonSchema(), undefined, 2)}\n` },
  {
    path: "docs/rules.md",
    content: (before) =>
      withParts(before, {
        fields: fieldTable(),
        hooks: hookTable(),
        lints: lintTable(),
        errors: problemTable(ERRORS),
        warnings: problemTable(WARNINGS),
      }),
  },
  { path: "docs/receipts.md", content: (before) => withParts(before, { reasons: reasonTable(), kinds: kindTable() }) },
  {
    path: "skills/crafting-rules/references/keyword-safety.md",
    content: (before) => withParts(before, { everyday: everydayWords(), prefixes: prefixTable() }),
  },
]

/** A generated file as it is, and as it should be. */
export async function compare({ path, content }: GeneratedFile): Promise<{ is: string; shouldBe: string }> {
  const is = await readFile(join(root, path), "utf8").catch(() => "")
  return { is, shouldBe: content(is) }
}

function withParts(text: string, parts: Record<string, string>): string {
  return Object.entries(parts).reduce((before, [name, part]) => {
    const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
    const [from, to] = [before.indexOf(open), before.indexOf(close)]
    if (from < 0 || to < from) throw new Error(`no ${open} … ${close}`)
    return `${before.slice(0, from)}${open}\n\n${part}\n\n${before.slice(to)}`
  }, text)
}

function fieldTable(): string {
  const rows = FIELDS.map(({ key, aliases, description, example, lifetime }) => {
    const names = [key, ...aliases].map((name) => `\`${name}\``).join(", ")
    return [names, description, `\`${key}: ${example}\``, lifetime ?? ""]
  })
  return table(["key", "meaning", "example", "delivery"], rows)
}

function hookTable(): string {
  const rows = HOOK_FIELDS.map(({ key, description, example }) => [`\`${key}\``, description, `\`${key}: ${example}\``])
  return table(["key", "meaning", "example"], rows)
}

function lintTable(): string {
  return table(
    ["code", "what is valid, but probably a mistake"],
    LINTS.map(({ code, about }) => [`\`${code}\``, about]),
  )
}

function problemTable(codes: Readonly<Record<string, string>>): string {
  return table(
    ["code", "what is wrong"],
    Object.entries(codes).map(([code, about]) => [`\`${code}\``, about]),
  )
}

function reasonTable(): string {
  return table(
    ["reason", "of a rule"],
    Object.entries(REASONS).map(([reason, about]) => [`\`${reason}\``, about]),
  )
}

function kindTable(): string {
  const rows = Object.entries(RECEIPT_KINDS).map(([kind, about]) => {
    const fields = Object.keys(RECEIPT_FIELDS[kind as keyof typeof RECEIPT_FIELDS])
    return [`\`${kind}\``, about, fields.map((field) => `\`${field}\``).join(" ")]
  })
  return table(["kind", "what happened", "fields"], rows)
}

function everydayWords(): string {
  return EVERYDAY_WORDS.map((word) => `\`${word}\``).join(" ")
}

function prefixTable(): string {
  const rows = Object.entries(PREFIX_WORDS).map(([word, others]) => [`\`${word}\``, others.join(", ")])
  return table(["keyword", "also matches"], rows)
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows]
  return lines.map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`).join("\n")
}
