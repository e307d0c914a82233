import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { call, calls, type Lab, type Project, startLab } from "../../src/index.ts"
import { observe, results } from "./observations.ts"
import { openPair, type Pair } from "./support.ts"

setDefaultTimeout(180_000)

let lab: Lab
let pair: Pair
beforeAll(async () => {
  lab = await startLab()
  pair = await openPair(lab, { rules: {} })
})
afterAll(() => lab.stop())

const read = (project: Project, path: string, slice: { offset?: number; limit?: number } = {}) =>
  call("read", { filePath: project.path(path), ...slice })

test("a Read's markup, notes and reminders select nothing; file text that looks like them does", async () => {
  const markup = [
    "<path>x",
    "1: alpha",
    "</content>",
    "(End of file - total 2 lines)",
    "<system-reminder>",
    "see sub/AGENTS.md",
  ]
  const files = {
    "sub/plain.txt": "alpha\nbeta\n",
    "sub/AGENTS.md": "see sub/AGENTS.md\n",
    "like.txt": `12: x\n${markup.join("\n")}\n\n</content>\n`,
  }
  const rules = {
    text: 'fileContains: "alpha\\nbeta"',
    path: "fileContains: <path>",
    number: 'fileContains: "1: alpha"',
    tag: "fileContains: </content>",
    note: "fileContains: (End of file",
    reminder: "fileContains: <system-reminder>",
    instructions: "fileContains: see sub/AGENTS.md",
    agents: "globs: AGENTS.md",
  }
  const { arrived, requests } = await observe(pair, { files, rules }, (project) => [
    read(project, "sub/plain.txt"),
    read(project, "like.txt"),
    read(project, "sub/AGENTS.md"),
  ])
  expect(requests[1]?.text).toMatch(/<system-reminder>\nInstructions from: .*\nsee sub\/AGENTS\.md/)
  const likeMarkup = ["instructions", "note", "number", "path", "reminder", "tag"]
  expect(arrived).toEqual([[], ["text"], likeMarkup, ["agents"]])
})

test("a partial Read contributes its slice: by offset and limit, by size, by line length", async () => {
  const long = `${"x".repeat(1994)}inside|outside`
  const wide = Array.from({ length: 60 }, (_, index) => `row ${index} ${"w".repeat(1500)}`)
  const files = { "four.txt": "first\nsecond\nthird\nfourth\n", "long.txt": long, "wide.txt": wide.join("\n") }
  const words = ["first", "second", "third", "fourth", "inside", "outside", "row 1 ", "row 59", "truncated", "offset="]
  const rules = Object.fromEntries(words.map((word) => [word.replace(/\W/g, ""), `fileContains: "${word}"`]))
  const { arrived, requests } = await observe(pair, { files, rules }, (project) => [
    read(project, "four.txt", { offset: 2, limit: 1 }),
    read(project, "four.txt", { offset: 4 }),
    read(project, "long.txt"),
    read(project, "wide.txt"),
    read(project, "wide.txt", { offset: 50 }),
    call("write", { filePath: project.path("new.txt"), content: long }),
  ])
  expect(results(requests, 1)[0]).toContain("offset=")
  expect(results(requests, 3)[0]).toContain("truncated")
  expect(results(requests, 4)[0]).toContain("offset=")
  expect(arrived).toEqual([[], ["second"], ["fourth"], ["inside"], ["row1"], ["row59"], ["outside"]])
})

test("a directory gives nothing, a PDF, an image and an empty file their path", async () => {
  const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
  const files = {
    "docs/guide.md": "guide\n",
    "docs/paper.pdf": "%PDF-1.4\n",
    "docs/dot.png": Uint8Array.fromBase64(pixel),
    "docs/empty.txt": "",
  }
  const rules = {
    directory: "globs: docs",
    entry: "fileContains: guide.md",
    inside: "globs: docs/*",
    pdf: "globs: '*.pdf'",
    image: "globs: '*.png'",
    empty: "globs: empty.txt",
    message: "fileContains: [read successfully, PDF, PNG, End of file]",
  }
  const { arrived, requests } = await observe(pair, { files, rules }, (project) => [
    read(project, "docs"),
    read(project, "docs/paper.pdf"),
    read(project, "docs/dot.png"),
    read(project, "docs/empty.txt"),
  ])
  expect(results(requests, 1)[0]).toContain("guide.md")
  expect(arrived).toEqual([[], [], ["inside", "pdf"], ["image"], ["empty"]])
})

test("line ends, a byte order mark and odd file names change nothing", async () => {
  const odd = "a\n<path>\u00fc <b>.txt"
  const files = { "crlf.txt": "one\r\ntwo\r\n", "bom.txt": "\ufeff# head\n", [odd]: "oddly named\n" }
  const rules = {
    crlf: 'fileContains: "one\\ntwo"',
    bom: 'fileContains: "# head"',
    odd: 'globs: "*.txt"\nfileContains: oddly named',
  }
  const { arrived } = await observe(pair, { files, rules }, (project) => [
    read(project, "crlf.txt"),
    read(project, "bom.txt"),
    read(project, odd),
  ])
  expect(arrived).toEqual([[], ["crlf"], ["bom"], ["odd"]])
})

test("parallel calls: every rule they meet is in the next request, once, and none costs a request", async () => {
  const names = ["a", "b", "c", "d"]
  const files = Object.fromEntries(names.map((name) => [`src/${name}.rs`, `fn ${name}() { unsafe { x() } }\n`]))
  const rules = {
    ...Object.fromEntries(names.map((name) => [name, `globs: ${name}.rs`])),
    all: "globs: src/**\nfileContains: [unsafe, x()]",
    written: "fileContains: written",
    later: "globs: later.rs",
  }
  const { arrived, requests } = await observe(pair, { files, rules }, (project) => [
    calls(
      ...[...names, ...names].map((name) => read(project, `src/${name}.rs`)),
      read(project, "src/none.rs"),
      call("bash", { command: "echo later.rs", description: "echo" }),
      // In a folder of its own: OpenCode names like files of a folder where one is not found.
      call("write", { filePath: project.path("made/e.rs"), content: "unsafe written\n" }),
    ),
    calls(read(project, "src/a.rs"), read(project, "src/b.rs")),
  ])
  expect(results(requests, 1)).toHaveLength(11)
  expect(arrived).toEqual([[], ["a", "all", "b", "c", "d", "written"], []])
})
