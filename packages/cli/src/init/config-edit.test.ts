import { expect, test } from "bun:test"
import { UsageError } from "../usage-error.ts"
import { type PluginEdit, withPlugin } from "./config-edit.ts"

function edited(text: string | undefined, edit: Partial<PluginEdit> = {}): string | undefined {
  const whole = { list: "plugin", kind: "opencode", plugin: "opencode-rulebook", rulesOf: [], ...edit } as const
  return withPlugin(text, "/w/opencode.json", whole)
}

const NEW = `{
  "$schema": "https://opencode.ai/config.json",
  "plugin": [
    "opencode-rulebook"
  ]
}
`

test("a file that is not there, or empty, is made with its schema", () => {
  expect(edited(undefined)).toBe(NEW)
  expect(edited(" \n")).toBe(NEW)
  expect(edited("", { kind: "tui", list: "plugins", rulesOf: ["cursor"] })).toBe(`{
  "$schema": "https://opencode.ai/tui.json",
  "plugins": [
    {
      "package": "opencode-rulebook",
      "options": {
        "rulesOf": [
          "cursor"
        ]
      }
    }
  ]
}
`)
})

test.each<[what: string, before: string, after: string]>([
  ["two spaces", '{\n  "a": 1\n}\n', '{\n  "a": 1,\n  "plugin": [\n    "opencode-rulebook"\n  ]\n}\n'],
  ["four", '{\n    "a": 1\n}', '{\n    "a": 1,\n    "plugin": [\n        "opencode-rulebook"\n    ]\n}'],
  ["tabs", '{\n\t"a": 1\n}\n', '{\n\t"a": 1,\n\t"plugin": [\n\t\t"opencode-rulebook"\n\t]\n}\n'],
  ["nothing", "{}", '{\n  "plugin": [\n    "opencode-rulebook"\n  ]\n}'],
  [
    "lines that end as on Windows",
    '{\r\n  "a": 1\r\n}\r\n',
    '{\r\n  "a": 1,\r\n  "plugin": [\r\n    "opencode-rulebook"\r\n  ]\r\n}\r\n',
  ],
  [
    "comments and a comma at the end",
    '{\n  // ours\n  "plugin": ["x",], // others\n}\n',
    '{\n  // ours\n  "plugin": [\n    "x",\n    "opencode-rulebook",\n  ], // others\n}\n',
  ],
  ["a byte-order mark", '\uFEFF{ "plugin": [] }', '\uFEFF{\n  "plugin": [\n    "opencode-rulebook"\n  ]\n}'],
])("a file with %s stays as it is written", (_what, before, after) => expect(edited(before)).toBe(after))

test.each<[before: object, edit: Partial<PluginEdit>, after: object | undefined]>([
  [{ plugin: ["x"] }, {}, { plugin: ["x", "opencode-rulebook"] }],
  [{ plugin: [5, { x: 1 }, ["y"]] }, {}, { plugin: [5, { x: 1 }, ["y"], "opencode-rulebook"] }],
  [{ plugins: ["x"] }, {}, { plugins: ["x"], plugin: ["opencode-rulebook"] }],
  [{ plugin: ["x"] }, { list: "plugins" }, { plugin: ["x"], plugins: ["opencode-rulebook"] }],
  [{ plugin: [] }, { rulesOf: ["kiro"] }, { plugin: [["opencode-rulebook", { rulesOf: ["kiro"] }]] }],
  [
    { plugins: [] },
    { list: "plugins", plugin: "/w/x", rulesOf: ["kiro"] },
    { plugins: [{ package: "/w/x", options: { rulesOf: ["kiro"] } }] },
  ],
  [{ plugin: ["x", "opencode-rulebook@1"] }, {}, undefined],
  [{ plugins: [{ package: "opencode-rulebook" }] }, {}, undefined],
  [{ plugin: ["opencode-rulebook"] }, { list: "plugins" }, undefined],
  [
    { plugin: ["x", "opencode-rulebook@1"] },
    { list: "plugins", rulesOf: ["kiro"] },
    { plugin: ["x", ["opencode-rulebook@1", { rulesOf: ["kiro"] }]] },
  ],
  [
    { plugins: ["opencode-rulebook"] },
    { rulesOf: ["kiro"] },
    { plugins: [{ package: "opencode-rulebook", options: { rulesOf: ["kiro"] } }] },
  ],
  [
    { plugin: [["opencode-rulebook"]] },
    { rulesOf: ["kiro"] },
    { plugin: [["opencode-rulebook", { rulesOf: ["kiro"] }]] },
  ],
  [
    { plugin: [["opencode-rulebook", { receipts: false, rulesOf: "x" }]] },
    { rulesOf: ["kiro"] },
    { plugin: [["opencode-rulebook", { receipts: false, rulesOf: ["kiro"] }]] },
  ],
  [
    { plugins: [{ package: "opencode-rulebook", options: { rulesOf: ["kiro", "kiro", "cline"] } }] },
    { rulesOf: ["cursor", "kiro"] },
    { plugins: [{ package: "opencode-rulebook", options: { rulesOf: ["kiro", "cline", "cursor"] } }] },
  ],
  [{ plugin: [["opencode-rulebook", { rulesOf: ["cursor", "kiro"] }]] }, { rulesOf: ["kiro"] }, undefined],
  [{ plugin: [["opencode-rulebook", { rulesOf: ["kiro"] }]] }, { rulesOf: [] }, undefined],
])("%j with %j", (before, edit, after) => {
  const text = edited(JSON.stringify(before), edit)
  expect(text === undefined ? undefined : JSON.parse(text)).toEqual(after)
})

test("of options that are added, the rest of the file keeps its form", () => {
  const before = '{\n\t"plugin": [\n\t\t"opencode-rulebook", // ours\n\t],\n}\n'
  const entry =
    '[\n\t\t\t"opencode-rulebook",\n\t\t\t{\n\t\t\t\t"rulesOf": [\n\t\t\t\t\t"kiro"\n\t\t\t\t]\n\t\t\t}\n\t\t]'
  expect(edited(before, { rulesOf: ["kiro"] })).toBe(before.replace('"opencode-rulebook"', entry))
})

test.each([
  ["{\n\n x", ":3: not valid JSON (InvalidSymbol)"],
  ["\uFEFF{\n\nx", ":3: not valid JSON (InvalidSymbol)"],
  ["{", ":1: not valid JSON (CloseBraceExpected)"],
  ['{ \uFEFF"plugin": [] }', ":1: not valid JSON (InvalidSymbol)"],
  ["[]", ": not a JSON object"],
  ['{ "plugin": {} }', ': "plugin" is not a list'],
  ['{ "plugin": null }', ': "plugin" is not a list'],
  ['{ "plugins": "x", "plugin": ["opencode-rulebook"] }', ': "plugins" is not a list'],
])("%j is not touched", (text, message) => {
  expect(() => edited(text)).toThrow(new UsageError(`/w/opencode.json${message}; correct it and run init again`))
})
