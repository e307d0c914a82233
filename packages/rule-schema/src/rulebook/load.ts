import type { RuleDirectory } from "../identity.ts"
import { digestOf, fileStem, ruleId } from "../identity.ts"
import { parseRule } from "../parse.ts"
import type { ProblemCode } from "../problem-codes.ts"
import type { RuleProblem } from "../problems.ts"
import { fileProblem } from "../problems.ts"
import type { BrokenRule, CompiledRule, ParsedRule, Rulebook } from "../rule.ts"
import type { RuleCache } from "./cache.ts"
import { byCodeUnits, type DatedFile, discoverRules, type FoundFile } from "./discover.ts"
import { type FileBytes, type FileGate, fileGate, readRegularFile } from "./file-gate.ts"
import { inParallel } from "./in-parallel.ts"
import { reasonOf } from "./inspect.ts"

const MAX_BYTES = 10 * 1024 * 1024
const CONCURRENT_READS = 16

/**
 * Finds, reads and parses all rules of the directories. Never rejects: what can't be read is a broken rule. Rules are sorted,
 * global ones first, then by path.
 *
 * @param cache rules that were read before; what has not changed since is not read again.
 * @param gate ends what takes too long.
 */
export async function loadRulebook(
  directories: readonly RuleDirectory[],
  cache?: RuleCache,
  gate: FileGate = fileGate,
): Promise<Rulebook> {
  const loading = cache?.begin()
  const { files, problems, folders } = await discoverRules(directories, gate)
  const readAnew = (file: DatedFile) => readRule(file, gate)
  const read = (file: DatedFile) => loading?.read(file, readAnew) ?? readAnew(file)
  const rulebook = await loadFiles(files, problems, folders, read)
  loading?.end()
  return rulebook
}

/**
 * Reads and parses the given files as one rulebook, in the same way.
 *
 * @param problems what is known to be wrong beside them.
 * @param folders those in which a change can change the rulebook, where that matters.
 * @param read reads one of them.
 */
export async function loadFiles<File extends FoundFile>(
  files: readonly File[],
  problems: readonly RuleProblem[] = [],
  folders: readonly string[] = [],
  read: (file: File) => Promise<ParsedRule> = (file) => readRule(file, fileGate),
): Promise<Rulebook> {
  const parsed = await inParallel(files, CONCURRENT_READS, read)
  const sorted = parsed.toSorted((a, b) => byScopeAndPath(a.rule, b.rule))
  const unique = withUniqueIds(sorted)
  return {
    rules: unique.rules,
    broken: unique.broken,
    problems: [...problems, ...parsed.flatMap(problemsOf), ...unique.problems],
    folders,
  }
}

async function readRule(file: FoundFile, gate: FileGate): Promise<ParsedRule> {
  let read: FileBytes
  try {
    read = await gate.pass(file.path, file.isForeign, () => readRegularFile(file.path, MAX_BYTES))
  } catch (error) {
    return unread(file, "unreadable", `can't be read: ${reasonOf(error)}`, "Check its permissions")
  }
  if (read.kind === "too-large")
    return unread(file, "too-large", "is larger than 10 MB", "Split it, or move its text elsewhere")
  if (read.kind === "not-regular") return unread(file, "unreadable", "is not a regular file", "Repair or remove it")
  const { bytes } = read
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
    return parseRule({ directory: file.directory, path: file.path, text })
  } catch {
    return unread(file, "not-utf8", "is not UTF-8 text", "Save it as UTF-8", digestOf(bytes))
  }
}

function unread(file: FoundFile, code: ProblemCode, reason: string, remedy: string, digest = digestOf("")): ParsedRule {
  const rule: BrokenRule = {
    id: ruleId(file.directory, file.path),
    scope: file.directory.scope,
    file: file.path,
    name: fileStem(file.path),
    ...(file.directory.origin && { origin: file.directory.origin }),
    digest,
    problems: [fileProblem(file.path, "error", code, reason, remedy)],
  }
  return { kind: "broken", rule }
}

/** A nested directory and a folder of an outer one can spell one id: the first keeps it, a second would share its deliveries. */
function withUniqueIds(parsed: readonly ParsedRule[]): {
  rules: CompiledRule[]
  broken: BrokenRule[]
  problems: RuleProblem[]
} {
  const rules: CompiledRule[] = []
  const broken: BrokenRule[] = []
  const problems: RuleProblem[] = []
  const owners = new Map<string, string>()
  for (const entry of parsed) {
    const owner = owners.get(entry.rule.id)
    if (owner !== undefined) {
      const reason = `has the same identity as ${owner}`
      problems.push(fileProblem(entry.rule.file, "error", "duplicate-id", reason, "Rename one of the two files"))
      continue
    }
    owners.set(entry.rule.id, entry.rule.file)
    if (entry.kind === "rule") rules.push(entry.rule)
    else broken.push(entry.rule)
  }
  return { rules, broken, problems }
}

function problemsOf(parsed: ParsedRule): readonly RuleProblem[] {
  return parsed.kind === "rule" ? parsed.problems : parsed.rule.problems
}

function byScopeAndPath(a: CompiledRule | BrokenRule, b: CompiledRule | BrokenRule): number {
  const isGlobal = (rule: CompiledRule | BrokenRule) => Number(rule.scope === "global")
  return isGlobal(b) - isGlobal(a) || byCodeUnits(a.file, b.file)
}
