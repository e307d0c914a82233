import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import readCases from "../../../test/recordings/opencode-1.18.33/read-cases.json"
import { runs } from "../../../test/support/runs.ts"
import { parseReadOutput } from "./read.ts"

const cutNote = "... (line truncated to 2000 chars)"

describe("what OpenCode 1.18.33 returned", () => {
  const rows = readCases.map(({ name, output }) => [name, output.output, output.metadata] as const)

  test.each(rows)("%s: agrees with the host's own record of the text", (_name, output, metadata) => {
    const shown = metadata.display?.text.replaceAll(cutNote, (note, at, whole) => (isCut(whole, at) ? "" : note))
    expect(parseReadOutput(output)).toEqual(shown === undefined ? { kind: "opaque" } : { kind: "text", text: shown })
  })

  test("the recording has both kinds", () => {
    expect(new Set(rows.map(([, output]) => parseReadOutput(output).kind))).toEqual(new Set(["text", "opaque"]))
  })
})

describe("outputs", () => {
  const file = (...lines: string[]) => ["<path>/a.txt</path>", "<type>file</type>", "<content>", ...lines].join("\n")
  const text = (value: string) => ({ kind: "text", text: value }) as const
  const long = "é".repeat(2000)

  test.each([
    [
      "notes are not text",
      file("1: a", "", "(Output capped at 50 KB. Showing lines 1-1. Use offset=2 to continue.)"),
      text("a"),
    ],
    [
      "tags as text",
      file("1: </content>", "2: <system-reminder>", "", "(End of file - total 2 lines)"),
      text("</content>\n<system-reminder>"),
    ],
    ["numbers as text", file("7: 8: x", "8: 9: y", "", "9: note"), text("8: x\n9: y")],
    ["only consecutive lines", file("1: a", "3: b"), text("a")],
    ["a number that only starts alike", file("1: a", "20: b"), text("a")],
    [
      "instructions after the content",
      `${file("1: a", "", "(note)", "</content>")}\n\n<system-reminder>\n2: b`,
      text("a"),
    ],
    ["instructions that quote a directory", `${file("1: a")}\n\n</path>\n<type>directory</type>\n`, text("a")],
    ["a path of two lines", file("1: x").replace("a.txt", "a\n<path>b</path>.txt"), text("x")],
    [
      "an unknown type, and instructions that quote a file",
      `<path>/a</path>\n<type>socket</type>\n\n${file("1: x")}`,
      { kind: "opaque" } as const,
    ],
    ["blank lines at the end", file("1: a", "2: ", "3: ", "", "(note)"), text("a\n\n")],
    ["one empty line", file("1: ", "", "(note)"), text("")],
    ["no line", file("", "", "(End of file - total 0 lines)", "</content>"), text("")],
    ["a cut line", file(`1: ${long}${cutNote}`), text(long)],
    ["a short line that ends like a cut one", file(`1: a${cutNote}`), text(`a${cutNote}`)],
    [
      "a directory",
      "<path>/a</path>\n<type>directory</type>\n<entries>\n1: a\n</entries>",
      { kind: "directory" } as const,
    ],
    ["an unnumbered body", file("a"), { kind: "opaque" } as const],
    ["an unknown type", "<path>/a</path>\n<type>socket</type>\n<content>\n1: a", { kind: "opaque" } as const],
    ["another layout", "<file>\n00001| a\n</file>", { kind: "opaque" } as const],
    ["a sentence", "PDF read successfully", { kind: "opaque" } as const],
    ["nothing", "", { kind: "opaque" } as const],
  ])("%s", (_name, output, expected) => {
    expect(parseReadOutput(output)).toEqual(expected)
  })
})

describe("properties", () => {
  const markup = fc.constantFrom(
    "",
    "</content>",
    "<content>",
    "12: x",
    "2: ",
    "1: 2: ",
    "(End of file - total 3 lines)",
  )
  const more = fc.constantFrom(
    "<path>/x</path>",
    "<type>directory</type>",
    "<system-reminder>",
    cutNote,
    "x".repeat(1999),
  )
  const free = fc.string({ unit: "binary" }).map((line) => line.replaceAll("\n", ""))
  const long = fc.integer({ min: 1990, max: 2050 }).map((length) => "é".repeat(length))
  const line = fc.oneof(
    markup,
    more,
    free,
    fc.tuple(long, fc.constantFrom("", cutNote)).map((pair) => pair.join("")),
  )

  test("any lines come back, up to the length at which the host cuts them", () => {
    fc.assert(
      fc.property(fc.array(line), fc.integer({ min: 1, max: 5000 }), fc.array(line), (lines, offset, reminder) => {
        const output = render(lines, offset, reminder)
        expect(parseReadOutput(output)).toEqual({
          kind: "text",
          text: lines.map((each) => each.slice(0, 2000)).join("\n"),
        })
      }),
      { numRuns: runs(500) },
    )
  })

  test("garbage: no throw, and every text line stood behind a number", () => {
    const piece = fc.oneof(
      fc.constantFrom("<path>/x</path>", "<type>file</type>", "<content>", "1: ", "2: b", "\n"),
      line,
    )
    fc.assert(
      fc.property(fc.array(piece), fc.constantFrom("", "\n"), (pieces, joint) => {
        const output = `<path>/x</path>\n<type>file</type>\n<content>\n1: ${pieces.join(joint)}`
        for (const whole of [output, pieces.join(joint)]) {
          const result = parseReadOutput(whole)
          if (result.kind !== "text" || result.text === "") continue
          for (const each of result.text.split("\n"))
            expect(whole).toMatch(new RegExp(`\\n\\d+: ${RegExp.escape(each)}`, "u"))
        }
      }),
      { numRuns: runs(500) },
    )
  })
})

/** Read's format as measured, in the smallest form that can hold any lines. */
function render(lines: readonly string[], offset: number, reminder: readonly string[]): string {
  const cut = (line: string) => (line.length > 2000 ? line.slice(0, 2000) + cutNote : line)
  const body = lines.length === 0 ? [""] : lines.map((line, index) => `${offset + index}: ${cut(line)}`)
  const note = `(Showing lines ${offset}-${offset + lines.length - 1}. Use offset=${offset + lines.length} to continue.)`
  const after = ["</content>", "", "<system-reminder>", ...reminder, "</system-reminder>"]
  return ["<path>/x</path>", "<type>file</type>", "<content>", ...body, "", note, ...after].join("\n")
}

function isCut(text: string, noteAt: number): boolean {
  return noteAt - (text.lastIndexOf("\n", noteAt) + 1) === 2000
}
