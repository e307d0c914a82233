import { describe, expect, test } from "bun:test"
import { defaults, mergeLayers, readLayer } from "./settings.ts"

const off = "restructuring is off until it is corrected; permissions are checked all the same."

function wrong(key: string, used: number): string {
  return `f:1: "restructure.${key}" must be a whole number from 1; ${used} is used until it is.`
}

describe("one file's settings", () => {
  const rows: readonly [text: string, settings: object, warning?: string][] = [
    ["{}", {}],
    ['{"restructure":{}}', {}],
    [
      '{"restructure":{"enabled":true,"max_segments":5,"max_depth":1}}',
      { enabled: true, max_segments: 5, max_depth: 1 },
    ],
    ['{ // comment\n  "restructure": { "enabled": true, }, /* more */ }', { enabled: true }],
    ['\uFEFF{"restructure":{"enabled":true}}', { enabled: true }],
    [
      '{\n"restructure":{\n"enabled":"yes"}}',
      { enabled: false },
      'f:3: "restructure.enabled" must be true or false; false is used until it is.',
    ],
    ['{"restructure":{"max_segments":0}}', { max_segments: 3 }, wrong("max_segments", 3)],
    ['{"restructure":{"max_segments":1}}', { max_segments: 1 }],
    ['{"restructure":{"max_segments":2.5}}', { max_segments: 3 }, wrong("max_segments", 3)],
    ['{"restructure":{"max_segments":9007199254740992}}', { max_segments: 3 }, wrong("max_segments", 3)],
    ['{"restructure":{"max_depth":null}}', { max_depth: 2 }, wrong("max_depth", 2)],
    ['{"restructure":{"max_depth":"2","enabled":true}}', { max_depth: 2, enabled: true }, wrong("max_depth", 2)],
    ['{"restructure":{"max_depth":true}}', { max_depth: 2 }, wrong("max_depth", 2)],
    ['{"restructure":true}', { enabled: false }, `f:1: "restructure" is not an object; ${off}`],
    ["[]", { enabled: false }, `f:1: not a JSON object; ${off}`],
    ["", { enabled: false }, `f:1: not valid JSONC (ValueExpected); ${off}`],
    ['{\n"restructure":\n  { "enabled": true', { enabled: false }, `f:3: not valid JSONC (CloseBraceExpected); ${off}`],
    [
      '{"restructure":{\n"max_segment":5}}',
      {},
      'f:2: unknown setting "max_segment"; known here: enabled, max_segments, max_depth.',
    ],
    ['{"restucture":{}}', {}, 'f:1: unknown setting "restucture"; known here: restructure, cases.'],
  ]
  for (const [text, settings, warning] of rows) {
    test(JSON.stringify(text), () => {
      const warnings = warning === undefined ? [] : [warning]
      expect(readLayer(text, "f")).toEqual({ settings, cases: [], warnings })
    })
  }

  test("each problem is said, and the rest counts", () => {
    const cases = '"cases": [{ "action": "ask", "match": ["x"] }, 3]'
    const odd = readLayer(`{ "x": 1, "restructure": [], ${cases} }`, "f")
    expect(odd.settings).toEqual({ enabled: false })
    expect(odd.cases.map(({ command }) => command)).toEqual(["x"])
    expect(odd.warnings.map((warning) => warning.split(";")[0])).toEqual([
      'f:1: unknown setting "x"',
      'f:1: a case must be { "pattern" or "action", "match": [commands], "notMatch": [commands], "agent"? }',
      'f:1: "restructure" is not an object',
    ])
    const many = readLayer(
      '{ "restructure": { "max_depth": 0, "enabled": 1, "y": 2, "max_segments": 4 }, "x": 1 }',
      "f",
    )
    expect(many.settings).toEqual({ enabled: false, max_segments: 4, max_depth: 2 })
    expect(many.warnings.map((warning) => warning.split(";")[0])).toEqual([
      'f:1: unknown setting "x"',
      'f:1: "restructure.enabled" must be true or false',
      'f:1: "restructure.max_depth" must be a whole number from 1',
      'f:1: unknown setting "y"',
    ])
  })
})

test("later files go over earlier ones, setting by setting", () => {
  const user = readLayer('{"restructure":{"enabled":true,"max_depth":4}}', "user")
  const project = readLayer('{"restructure":{"max_depth":1}}', "project")
  expect(mergeLayers([])).toEqual(defaults)
  expect(mergeLayers([user, project])).toEqual({ enabled: true, max_segments: 3, max_depth: 1 })
})

test("a project file that is no JSONC turns restructuring off, whatever the user's says", () => {
  const user = readLayer('{"restructure":{"enabled":true}}', "user")
  expect(mergeLayers([user, readLayer("{", "project")]).enabled).toBe(false)
})
