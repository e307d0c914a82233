import { describe, expect, test } from "bun:test"
import { posix } from "node:path"
import fc from "fast-check"
import patchCases from "../../../test/recordings/opencode-1.18.33/patch-cases.json"
import { runs } from "../../../test/support/runs.ts"
import { joinApart, observationsOfPatch, observationsOfPatchSummary } from "./patch.ts"

/** One recorded call: the files before and after, and what the host answered. */
interface PatchCase {
  readonly name: string
  readonly patchText: string
  readonly output?: string
  readonly error?: string
  readonly before: Readonly<Record<string, string | undefined>>
  readonly after: Readonly<Record<string, string | undefined>>
}
const recorded: readonly PatchCase[] = patchCases

const parse = (patchText: string) => observationsOfPatch(patchText, "apply_patch")
const patch = (...lines: string[]) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n")
/** path → content of each observation. */
const contents = (patchText: string) => Object.fromEntries((parse(patchText) ?? []).map((o) => [o.path, o.content]))

describe("what OpenCode 1.18.33 made of a patch", () => {
  const applied = recorded.filter(({ output }) => output !== undefined)
  const refused = recorded.filter(({ error }) => /Begin\/End markers|no hunks|empty patch/.test(error ?? ""))

  test.each(applied.map((call) => [call.name, call] as const))("%s: the same files", (_name, call) => {
    const touched = observationsOfPatchSummary(call.output ?? "", "apply_patch").map(({ path }) => path)
    const observed = (parse(call.patchText) ?? []).map(({ path }) => relative(path))
    expect(touched.length).toBeGreaterThan(0)
    expect(observed).toEqual(touched)
  })

  test.each(applied.map((call) => [call.name, call] as const))("%s: added text is the file's", (_name, call) => {
    for (const [, path] of call.output?.matchAll(/^A (.+)$/gm) ?? []) {
      const observation = parse(call.patchText)?.find((candidate) => relative(candidate.path) === path)
      const written = observation?.content?.replace(/(?<=[^\n])$/, "\n")
      expect(written).toBe(call.after[path ?? ""])
    }
  })

  // The host leaves parts of these out without a word, though they were submitted for that very file; in the last one it takes
  // typographic quotes for plain ones.
  const partly = [
    "no @@ header first hunk",
    "update without header then indented end",
    "indented @@",
    "EOF marker then more",
    "same file twice",
    "update then move",
    "unicode fuzzy",
  ]
  const whole = applied.filter(({ name }) => !partly.includes(name))
  test.each(whole.map((call) => [call.name, call] as const))("%s: hunks are text of that file", (_name, call) => {
    for (const { path, content = "" } of parse(call.patchText) ?? []) {
      const sides = content.split("\0").map((side) => side.replaceAll("\r", ""))
      const texts = [...Object.values(call.before), call.after[relative(path)] ?? ""].join("\n").replaceAll("\r", "")
      for (const side of sides) expect(texts).toContain(side)
    }
  })

  test.each(refused.map((call) => [call.name, call.patchText] as const))("%s: no patch", (_name, patchText) => {
    expect(parse(patchText)).toBeUndefined()
  })

  test("the recording has both kinds", () => {
    expect(applied.length).toBeGreaterThan(50)
    expect(refused.length).toBeGreaterThan(5)
  })
})

describe("hunks", () => {
  const update = (...lines: string[]) => contents(patch("*** Update File: a.ts", ...lines))["a.ts"]

  test.each([
    ["both sides", ["@@", " one", "-two", "+TWO", " three"], joinApart(["one\ntwo\nthree", "one\nTWO\nthree"])],
    ["only added", ["@@", "+x", "+y"], "x\ny"],
    ["only context", ["@@", " x", " y"], "x\ny"],
    ["anchors are syntax", ["@@ class A", "@@ method()", "-x"], "x"],
    ["hunks are apart", ["@@", "+x", "@@", "+y"], joinApart(["x", "y"])],
    ["hunks with anchors are apart", ["@@ class A", "+x", "@@ class B", "+y"], joinApart(["x", "y"])],
    ["a line that ends like an anchor", ["@@", "+x @@", "+y"], "x @@\ny"],
    ["an end of file with spaces behind it", ["@@", "+x", "*** End of File  ", "+y"], joinApart(["x", "y"])],
    [
      "an indented end of file",
      ["@@", "+x", " *** End of File", "+y"],
      joinApart(["*** End of File", "x\n*** End of File\ny"]),
    ],
    ["above the first @@", ["-x", "+y"], joinApart(["x", "y"])],
    ["end of file ends a hunk", ["@@", "+x", "*** End of File", "@@", "+y"], joinApart(["x", "y"])],
    ["signless lines", ["@@", "+x", "", "noise", "\ttab", "\\ No newline at end of file", "+y"], "x\ny"],
    ["another directive ends the section", ["@@", "+x", "*** Frobnicate: b", "+y"], "x"],
    [
      "an indented end marker in a hunk",
      ["@@", "-x", "  *** End Patch", "+y"],
      joinApart(["x\n *** End Patch", " *** End Patch\ny"]),
    ],
    ["an indented end marker above the hunks", ["+x", "  *** End Patch", "+y"], "x"],
    ["nothing", [], undefined],
    ["a blank line", ["@@", "+"], ""],
    [
      "file text like syntax",
      ["@@", " *** Add File: b", "+*** End Patch"],
      "*** Add File: b\0*** Add File: b\n*** End Patch",
    ],
  ])("%s", (_name, lines, expected) => {
    expect(update(...lines)).toBe(expected)
  })

  test("no literal matches across a joint", () => {
    const content = update("@@", "-old();", "+fresh();", "@@", "+later();") ?? ""
    for (const literal of ["old();", "fresh();", "later();"]) expect(content).toContain(literal)
    for (const joint of ["old();\nfresh();", "old();fresh();", "fresh();\nlater();", "fresh();later();"])
      expect(content).not.toContain(joint)
  })

  test("only what stands between the markers is done", () => {
    const around = ["Here it is:", "*** Add File: a", "+x", "*** Delete File: b"]
    const behind = ["*** Add File: d", "+x"]
    const whole = [...around, patch("*** Add File: c", "+y"), ...behind].join("\n")
    expect(contents(whole)).toEqual({ c: "y" })
    expect(parse([...around, "*** End Patch"].join("\n"))).toBeUndefined()
  })

  test("carriage returns end lines, in the patch as in what Read gives", () => {
    expect(contents(patch("*** Add File: a.ts", "+x", "+y").replaceAll("\n", "\r\n"))).toEqual({ "a.ts": "x\ny" })
  })
})

describe("one observation per file", () => {
  test.each([
    ["two updates", ["*** Update File: a", "@@", "+x", "*** Update File: a", "@@", "+y"], { a: joinApart(["x", "y"]) }],
    ["deleted", ["*** Delete File: a", "-x"], { a: undefined }],
    ["replaced", ["*** Delete File: a", "*** Add File: a", "+x"], { a: "x" }],
    ["updated, then deleted", ["*** Update File: a", "@@", "-x", "*** Delete File: a"], { a: undefined }],
    ["moved", ["*** Update File: a", "*** Move to: b", "@@", "-x"], { b: "x" }],
    ["only moved", ["*** Update File: a", "*** Move to: b"], { b: undefined }],
    ["added empty", ["*** Add File: a"], { a: "" }],
    ["named like a property", ["*** Add File: __proto__", "+x"], { ["__proto__"]: "x" }],
  ])("%s", (_name, lines, expected) => {
    expect(contents(patch(...lines))).toEqual(expected)
  })

  test("carries the tool's name", () => {
    expect(observationsOfPatch(patch("*** Add File: a", "+x"), "patch")).toEqual([
      { path: "a", tool: "patch", content: "x" },
    ])
  })
})

describe("properties", () => {
  const path = fc.stringMatching(/^[\p{L}*"'./ \\@+-]{1,12}$/u).filter((name) => name.trim() === name && name !== "")
  const line = fc.oneof(
    fc.constantFrom("", "*** End Patch", "*** Update File: x", "*** End of File", "@@", "+", "- x", " ", "EOF"),
    fc.string({ unit: "binary" }).map((text) => text.replace(/[\r\n]/g, "")),
  )
  const signed = fc.record({ sign: fc.constantFrom("+", "-", " "), text: line })
  const operation = fc.oneof(
    fc.record({ kind: fc.constant("add" as const), path, lines: fc.array(line, { minLength: 1 }) }),
    fc.record({ kind: fc.constant("delete" as const), path }),
    fc.record({
      kind: fc.constant("update" as const),
      path,
      to: fc.option(path, { nil: undefined }),
      hunks: fc.array(fc.array(signed, { minLength: 1 }), { minLength: 1 }),
    }),
  )
  type FileOperation = typeof operation extends fc.Arbitrary<infer T> ? T : never

  test("any operations on different files parse back", () => {
    const operations = fc
      .uniqueArray(operation, { selector: destination, minLength: 1 })
      .filter((all) => !all.some(closesThePatch))
    fc.assert(
      fc.property(operations, (all) => {
        const expected = all.map((each) => [destination(each), contentOf(each)])
        const text = `*** Delete File: before the patch\n${patch(...all.flatMap(render))}\n*** Delete File: behind it`
        expect(parse(text)?.map((o) => [o.path, o.content])).toEqual(expected)
      }),
      { numRuns: runs(500) },
    )
  })

  test("garbage made of syntax: no throw, and every content line is a signed line of the patch", () => {
    const syntax = fc.constantFrom("*** Begin Patch", "*** Add File: a", "*** Update File: b", "*** Move to: c", "@@ x")
    const more = fc.constantFrom(
      "*** Delete File: b",
      "*** End of File",
      "*** End Patch",
      "+x",
      "-*** y",
      " z",
      "",
      "@@",
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(syntax, more, fc.string())), fc.boolean(), (garbage, framed) => {
        const lines = framed ? ["*** Begin Patch", ...garbage, "*** End Patch"] : garbage
        const signedLines = new Set(lines.filter((each) => /^[+ -]/.test(each)).map((each) => each.slice(1)))
        for (const { content = "" } of parse(lines.join("\n")) ?? [])
          for (const each of content.split(/[\n\0]/)) if (each !== "") expect(signedLines).toContain(each)
      }),
      { numRuns: runs(2000) },
    )
  })

  function destination(each: FileOperation): string {
    return (each.kind === "update" ? each.to : undefined) ?? each.path
  }
  /** An unsigned-looking context line ` *** End Patch` ends the list of sections for the host: a case of its own above. */
  function closesThePatch(each: FileOperation): boolean {
    if (each.kind !== "update") return false
    return each.hunks.flat().some(({ sign, text }) => (sign + text).trim() === "*** End Patch")
  }
  function render(each: FileOperation): string[] {
    if (each.kind === "delete") return [`*** Delete File: ${each.path}`]
    if (each.kind === "add") return [`*** Add File: ${each.path}`, ...each.lines.map((text) => `+${text}`)]
    const move = each.to === undefined ? [] : [`*** Move to: ${each.to}`]
    const hunks = each.hunks.flatMap((hunk) => ["@@", ...hunk.map(({ sign, text }) => sign + text)])
    return [`*** Update File: ${each.path}`, ...move, ...hunks]
  }
  function contentOf(each: FileOperation): string | undefined {
    if (each.kind === "delete") return undefined
    if (each.kind === "add") return each.lines.join("\n")
    return joinApart(
      each.hunks.flatMap((hunk) => {
        const side = (sign: string) => hunk.filter((entry) => entry.sign === sign || entry.sign === " ")
        const sides = [side("-"), side("+")].filter((lines) => lines.length > 0)
        return [...new Set(sides.map((lines) => lines.map(({ text }) => text).join("\n")))]
      }),
    )
  }
})

describe("the summary", () => {
  test.each([
    [
      "v1",
      "Success. Updated the following files:\nA src/added.rs\nM src/b.txt\nD src/x y.rs",
      "src/added.rs|src/b.txt|src/x y.rs",
    ],
    ["v2", "Applied patch sequentially:\nA src/added.rs\nM src/a.txt", "src/added.rs|src/a.txt"],
    ["diagnostics below", "Success.\nM a.ts\n\nLSP errors detected in a.ts:\nA value is missing", "a.ts"],
    ["a file twice", "Success.\nD a.ts\nA a.ts", "a.ts"],
    ["carriage returns", "Success.\r\nM a.ts\r\nM b.ts", "a.ts|b.ts"],
    ["a heading that reads like an entry", "What M a.ts\nM b.ts", "b.ts"],
    ["no list", "Done.", ""],
    ["nothing", "", ""],
  ])("%s", (_name, output, paths) => {
    const observations = observationsOfPatchSummary(output, "patch")
    expect(observations.map(({ path }) => path).join("|")).toBe(paths)
    for (const { content, tool } of observations) expect([content, tool]).toEqual([undefined, "patch"])
  })
})

/** The host's summary spells paths from the project's root. */
function relative(path: string): string {
  return posix.relative("/home/dev/app", posix.resolve("/home/dev/app", path))
}
