import { join } from "node:path"
import { type } from "arktype"

/** One small change to the code. */
export interface Mutant {
  /** Unique in one package. */
  readonly id: string
  /** Relative to the repository's root. */
  readonly file: string
  /** The first line of what changes, from 1. */
  readonly line: number
  readonly original: string
  readonly replacement: string
  /** The whole file with the change. */
  readonly text: string
}

export interface SourceFile {
  readonly path: string
  readonly text: string
}

/** Every mutant of some files, and the files instrumented: they count in a global which mutants' code has run. */
export interface Mutants {
  readonly mutants: readonly Mutant[]
  readonly instrumented: readonly SourceFile[]
}

/** The wording of messages is not behaviour: the tests name codes, and docs tests read the words. */
const EXCLUDED = ["StringLiteral"]

/** The end of an exhaustive `switch`, which never runs. */
const FOR_THE_COMPILER = /^default:\s*(?:return )?\w+ satisfies never$/

const Position = type({ line: "number", column: "number" })
const Result = type({
  files: type({ name: "string", content: "string" }).array(),
  mutants: type({
    id: "string",
    fileName: "string",
    replacement: "string",
    "status?": "string",
    location: { start: Position, end: Position },
  }).array(),
})

/** Lists the mutants that Stryker makes of the files, in the files' order. */
export async function listMutants(files: readonly SourceFile[]): Promise<Mutants> {
  const result = await instrument(files)
  const texts = new Map(files.map(({ path, text }) => [path, text]))
  const kept = result.mutants.filter(({ status }) => status !== "Ignored")
  const all = kept.map(({ id, fileName, location, replacement }) => {
    const source = texts.get(fileName) ?? ""
    const start = offset(source, location.start)
    const end = offset(source, location.end)
    const text = source.slice(0, start) + replacement + source.slice(end)
    return { id, file: fileName, line: location.start.line + 1, original: source.slice(start, end), replacement, text }
  })
  const mutants = all.filter(({ original }) => !FOR_THE_COMPILER.test(original))
  return { mutants, instrumented: result.files.map(({ name, content }) => ({ path: name, text: content })) }
}

async function instrument(files: readonly SourceFile[]): Promise<typeof Result.infer> {
  const input = {
    files: files.map(({ path, text }) => ({ name: path, content: text, mutate: true })),
    options: { plugins: null, excludedMutations: EXCLUDED, ignorers: [] },
  }
  const child = Bun.spawn(["node", join(import.meta.dir, "instrument.mjs")], {
    stdio: [new Response(JSON.stringify(input)), "pipe", "inherit"],
  })
  return Result.assert(JSON.parse(await new Response(child.stdout).text()))
}

/** The offset of a place whose line and column count from 0. */
function offset(text: string, { line, column }: typeof Position.infer): number {
  const lines = text.split("\n").slice(0, line)
  return lines.reduce((sum, before) => sum + before.length + 1, column)
}
