import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { call, calls, type Lab, startLab } from "../../src/index.ts"
import { observe, results } from "./observations.ts"
import { openPair } from "./support.ts"

setDefaultTimeout(240_000)

let lab: Lab
beforeAll(async () => {
  lab = await startLab()
})
afterAll(() => lab.stop())

/** Text in the answer to each operation, asked of a file of its own. */
const ANSWERS = {
  goToDefinition: "src/lib.ts",
  findReferences: "src/lib.ts",
  hover: "shared(): string",
  documentSymbol: '"name": "documentSymbolCaller"',
  workspaceSymbol: '"name": "workspaceSymbolCaller"',
  goToImplementation: "src/lib.ts",
  prepareCallHierarchy: '"name": "shared"',
  incomingCalls: '"name": "incomingCallsCaller"',
  outgoingCalls: "No results found for outgoingCalls",
}
const OPERATIONS = Object.keys(ANSWERS)

// One scenario: the host waits five seconds for diagnostics in each LSP call (1.18.33), and calls in parallel wait together.
test("every LSP operation gives its answer to the file that was asked about, and to no other", async () => {
  const caller = (name: string) =>
    `import { shared } from "./lib"\nexport function ${name}Caller() {\n  return shared()\n}\n`
  const files = {
    "src/lib.ts": 'export function shared(): string {\n  return "x"\n}\n',
    ...Object.fromEntries(OPERATIONS.map((name) => [`src/${name}.ts`, caller(name)])),
    "notes.lab": "no language\n",
    "tsconfig.json": "{}",
  }
  const answer = ([name, text]: [string, string]) => `globs: src/${name}.ts\nfileContains: ${JSON.stringify(text)}`
  const rules = {
    ...Object.fromEntries(Object.entries(ANSWERS).map((entry) => [entry[0], answer(entry)])),
    result: "globs: lib.ts\nfileContains: uri",
    other: "globs: lib.ts",
    source: 'fileContains: "import {"',
    failed: "globs: [missing.ts, '*.lab']",
    diagnostics: "fileContains: not assignable",
    written: "globs: bad.ts",
  }
  const pair = await openPair(lab, { files, rules: {}, lsp: true })
  const { arrived, requests } = await observe(pair, { rules }, (project) => {
    const query = (operation: string, path = `src/${operation}.ts`) =>
      call("lsp", { operation, filePath: project.path(path), line: 3, character: 11, query: operation })
    return [
      calls(...OPERATIONS.map((operation) => query(operation))),
      calls(query("hover", "src/missing.ts"), query("hover", "notes.lab")),
      call("write", { filePath: project.path("src/bad.ts"), content: 'export const x: number = "text"\n' }),
      call("read", { filePath: project.path("src/lib.ts") }),
    ]
  })
  const offered = requests[0]?.raw.tools?.find((tool) => tool.function.name === "lsp")
  expect(offered).toMatchObject({ function: { parameters: { properties: { operation: { enum: OPERATIONS } } } } })
  const answers = [Object.values(ANSWERS), ["File not found", "No LSP server available"], ["not assignable"]]
  for (const [index, texts] of answers.entries()) {
    expect(results(requests, index + 1)).toEqual(texts.map((text) => expect.stringContaining(text)))
  }
  expect(arrived).toEqual([[], OPERATIONS.toSorted(), [], ["written"], ["other"]])
})
