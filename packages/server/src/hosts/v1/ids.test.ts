import { expect, test } from "bun:test"
import type { Part } from "@opencode-ai/sdk"
import { partID } from "./ids.ts"

const partsWith = (...ids: (string | undefined)[]) => ids.map((id) => ({ id, type: "text" }) as Part)

test("a part's id stands after all that are there, whatever their order", () => {
  expect(partID(partsWith("prt_2", "prt_3", "prt_1"))).toBe("prt_3_rulebook")
  expect(["prt_3_rulebook", "prt_3", "prt_4"].toSorted()).toEqual(["prt_3", "prt_3_rulebook", "prt_4"])
})

test.each([
  ["none are there", []],
  ["the newest has an id of another kind", ["prt_1", "zzz"]],
])("where %s it is one of its own", (_what, ids) => {
  const made = [partID(partsWith(...ids)), partID(partsWith(...ids))]
  for (const id of made) expect(id).toMatch(/^prt_[0-9a-f-]{36}$/)
  expect(made[0]).not.toBe(made[1])
})
