import { expect, test } from "bun:test"
import { listedPlugins } from "./listed-plugins.ts"

test("the entries of both lists, whichever way they are written", () => {
  const options = { receipts: false }
  const written = { package: "d", options, more: 1 }
  expect(
    listedPlugins({ plugins: ["c", written, 5, null], plugin: ["a", ["b", options], ["e"]], pluginx: ["f"] }),
  ).toEqual([
    { list: "plugin", index: 0, entry: "a", spec: "a", options: undefined },
    { list: "plugin", index: 1, entry: ["b", options], spec: "b", options },
    { list: "plugin", index: 2, entry: ["e"], spec: "e", options: undefined },
    { list: "plugins", index: 0, entry: "c", spec: "c", options: undefined },
    { list: "plugins", index: 1, entry: written, spec: "d", options },
    { list: "plugins", index: 2, entry: 5, spec: 5, options: undefined },
    { list: "plugins", index: 3, entry: null, spec: null, options: undefined },
  ])
  expect(listedPlugins({ plugin: "a", plugins: { a: 1 } })).toEqual([])
  expect(listedPlugins({})).toEqual([])
})
