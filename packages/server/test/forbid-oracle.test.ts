import { expect, setDefaultTimeout, test } from "bun:test"
import { type CompiledRule, parseRule } from "@opencode-rulebook/rule-schema"
import fc from "fast-check"
import { timesIn } from "../src/engine/file-write.ts"
import { createForbiddenTexts, type Judgement } from "../src/engine/forbid.ts"
import { withDiffs, writesOf } from "../src/hosts/shared/writes.ts"
import { changesOf, hunksOf, type LineChange, side, unifiedDiff } from "./support/changes.ts"
import { runs } from "./support/runs.ts"

// Violators of any kind: what the plugin says of each write, against the whole texts before and after.

setDefaultTimeout(60_000)

const ROOT = "/home/dev/app"
const LITERALS = ["log(", "x", "a\nx", "log(x)", "a\n  x\na"]

function rule(name: string, frontmatter: string): CompiledRule {
  const directory = { scope: "project", path: `${ROOT}/.opencode/rules`, root: ROOT, prefix: "" } as const
  const text = `---\nforbid: ${JSON.stringify(LITERALS)}\n${frontmatter}---\nBody.`
  const parsed = parseRule({ directory, path: `${directory.path}/${name}.md`, text })
  if (parsed.kind === "broken") throw new Error(JSON.stringify(parsed.rule.problems))
  return parsed.rule
}

const RULES = [rule("all", ""), rule("ts", 'globs: "**/*.ts"\n'), rule("with", 'globs: "**/*.ts"\nfileContains: [a]\n')]
const line = fc.constantFrom("", "a", "x", "  x", "log(", "log(x)", "lo", "b x x", "g(")

type Files = Readonly<Record<string, string>>
interface Step {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly diffs: readonly { readonly path: string; readonly diff: string }[]
  readonly after: Files
}

const NAMES = ["a.ts", "src/b.ts", "c.md"]

/** Any step of an agent that knows its files. */
function stepOn(files: Files): fc.Arbitrary<Step> {
  const name = fc.constantFrom(...NAMES)
  const changed = (path: string) => changesOf(files[path] ?? "", line)
  const write = name.chain((path) =>
    changed(path).map((all): Step => {
      const content = side(all, "+")
      return {
        tool: "write",
        args: { filePath: `${ROOT}/${path}`, content },
        diffs: [],
        after: { ...files, [path]: content },
      }
    }),
  )
  const edit = name.chain((path) =>
    changed(path).map((all): Step => {
      const [oldString, newString] = [side(all, "-"), side(all, "+")]
      return {
        tool: "edit",
        args: { path, oldString, newString },
        diffs: [{ path: `${ROOT}/${path}`, diff: unifiedDiff(all) }],
        after: { ...files, [path]: newString },
      }
    }),
  )
  /** A fragment of lines is replaced everywhere. */
  const replace = fc
    .tuple(name, fc.constantFrom("lo", "x", "b", "g("), fc.constantFrom("log(", "lo", "x", "b"))
    .map(([path, from, to]): Step => {
      const before = files[path] ?? ""
      const text = before.replaceAll(from, to)
      const lines = before === "" ? [] : before.replace(/\n$/, "").split("\n")
      const all = lines.flatMap((each): LineChange[] => {
        const next = each.replaceAll(from, to)
        return next === each
          ? [{ sign: " ", text: each }]
          : [
              { sign: "-", text: each },
              { sign: "+", text: next },
            ]
      })
      return {
        tool: "edit",
        args: { path, oldString: from, newString: to, replaceAll: true },
        diffs: [{ path, diff: unifiedDiff(all) }],
        after: { ...files, [path]: text },
      }
    })
  const patch = fc.tuple(...NAMES.map(changed), fc.boolean(), fc.boolean()).map((parts): Step => {
    const isShown = parts.at(-1) === true
    const moves = parts.at(-2) === true
    const after: Record<string, string> = { ...files }
    const diffs: { path: string; diff: string }[] = []
    const sections = NAMES.flatMap((path, at) => {
      const all = parts[at] as readonly LineChange[]
      if (all.every(({ sign }) => sign === " ")) return []
      const target = moves && path === "a.ts" ? "moved.md" : path
      after[target] = side(all, "+")
      if (target !== path) delete after[path]
      if (isShown) diffs.push({ path: `${ROOT}/${target}`, diff: unifiedDiff(all) })
      const head = [`*** Update File: ${path}`, ...(target === path ? [] : [`*** Move to: ${target}`])]
      return [...head, ...hunksOf(all, 2).flatMap(({ lines }) => ["@@", ...lines.map(({ sign, text }) => sign + text)])]
    })
    const patchText = ["*** Begin Patch", ...sections, "*** End Patch"].join("\n")
    return { tool: "apply_patch", args: { patchText }, diffs, after }
  })
  const remove = name.map((path): Step => {
    const { [path]: _, ...after } = files
    const patchText = `*** Begin Patch\n*** Delete File: ${path}\n*** End Patch`
    return { tool: "patch", args: { patchText }, diffs: [], after }
  })
  return fc.oneof(write, edit, replace, patch, remove)
}

/** What must be said of each file that a step changes: `rule path: literals`, by the whole texts. */
function verdicts(before: Files, step: Step): string[] {
  const written = writesOf(step.tool, step.args)
  const counted = countedIn(step)
  return written.flatMap(({ path, movedFrom, kind }) => {
    if (kind === "delete") return []
    const name = path.replace(`${ROOT}/`, "")
    const [was, is] = [before[movedFrom ?? name] ?? "", step.after[name] ?? ""]
    const added = LITERALS.flatMap((literal, at) =>
      counted(literal) && timesIn(is, literal) > timesIn(was, literal) ? [at] : [],
    )
    return RULES.filter(({ name: own }) => own === "all" || name.endsWith(".ts"))
      .filter(({ name: own }) => own !== "with" || is.includes("a"))
      .map(({ name: own }) => `${own} ${name}: ${added}`)
  })
}

/** Of a fragment that is replaced, a literal over several lines goes over the edge of all that is sure to be shown. */
function countedIn({ args }: Step): (literal: string) => boolean {
  return (literal) => args["replaceAll"] !== true || !literal.includes("\n")
}

function told({ rule: { name }, path, added }: Judgement, step: Step): string {
  const counted = countedIn(step)
  const literals = added.map(({ literal }) => literal).filter((literal) => counted(LITERALS[literal] ?? ""))
  return `${name} ${path.replace(`${ROOT}/`, "")}: ${literals}`
}

test("of files that the agent has read or written, every new literal is found, and nothing else", () => {
  const files = fc.record(
    Object.fromEntries(
      NAMES.map((name) => [
        name,
        fc.array(line, { maxLength: 8 }).map((all) => all.map((each) => `${each}\n`).join("")),
      ]),
    ),
  )
  fc.assert(
    fc.property(files, fc.array(fc.nat(), { minLength: 1, maxLength: 8 }), (begin, seeds) => {
      const forbidden = createForbiddenTexts(ROOT)
      forbidden.add(RULES)
      for (const [path, content] of Object.entries(begin)) forbidden.observed({ path, tool: "read", content })
      let now: Files = begin
      for (const seed of seeds) {
        const [step] = fc.sample(stepOn(now), { numRuns: 1, seed })
        if (step === undefined) continue
        const writes = withDiffs(writesOf(step.tool, step.args), step.diffs)
        const expected = verdicts(now, step)
        const found = forbidden.wrote(writes).map((one) => told(one, step))
        expect([step, found.toSorted()]).toEqual([step, expected.toSorted()])
        // An edit that changes nothing fails.
        if (writes.length > 0) now = step.after
        for (const [path, content] of Object.entries(now)) forbidden.observed({ path, tool: "read", content })
      }
    }),
    { numRuns: runs(400) },
  )
})
