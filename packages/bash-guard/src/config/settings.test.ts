import { describe, expect, test } from "bun:test"
import { defaults, mergeLayers, readLayer } from "./settings.ts"

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
    ['{\n"restructure":{\n"enabled":"yes"}}', { enabled: false }, 'f:3: "restructure.enabled" must be true or false'],
    [
      '{"restructure":{"max_segments":0}}',
      { max_segments: 3 },
      '"restructure.max_segments" must be a whole number from 1',
    ],
    ['{"restructure":{"max_segments":2.5}}', { max_segments: 3 }, "whole number"],
    ['{"restructure":{"max_depth":null}}', { max_depth: 2 }, '"restructure.max_depth" must be'],
    ['{"restructure":{"max_depth":"2","enabled":true}}', { max_depth: 2, enabled: true }, "max_depth"],
    ['{"restructure":true}', { enabled: false }, '"restructure" is not an object'],
    ["[]", { enabled: false }, "not a JSON object"],
    ["", { enabled: false }, "not valid JSONC"],
    ['{\n"restructure":\n  { "enabled": true', { enabled: false }, "f:3: not valid JSONC"],
    [
      '{"restructure":{"max_segment":5}}',
      {},
      'unknown setting "max_segment"; known here: enabled, max_segments, max_depth',
    ],
    ['{"restucture":{}}', {}, 'unknown setting "restucture"; known here: restructure'],
  ]
  for (const [text, settings, warning] of rows) {
    test(JSON.stringify(text), () => {
      const layer = readLayer(text, "f")
      expect(layer.settings).toEqual(settings)
      if (warning === undefined) expect(layer.warnings).toEqual([])
      else expect(layer.warnings).toEqual([expect.stringContaining(warning)])
    })
  }
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
