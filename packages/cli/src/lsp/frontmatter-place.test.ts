import { describe, expect, test } from "bun:test"
import { type FrontmatterPlace, placeAt } from "./frontmatter-place.ts"

/** The place at `¦`. */
function at(text: string): FrontmatterPlace {
  const before = text.slice(0, text.indexOf("¦")).split(/\r\n|\n|\r/)
  return placeAt(text.replace("¦", ""), before.length - 1, before.at(-1)?.length ?? 0)
}

const body: FrontmatterPlace = { kind: "body" }
const key = (name: string | undefined, isHook = false): FrontmatterPlace => ({ kind: "key", key: name, isHook })
const value = (name: string, isHook = false): FrontmatterPlace => ({ kind: "value", key: name, isHook })

describe("where the frontmatter is", () => {
  test.each<[text: string, place: FrontmatterPlace]>([
    ["---\nglo¦bs: x\n---\n", key("globs")],
    ["---\nglo¦bs: x\n", key("globs")],
    ["\uFEFF---\nglo¦bs: x\n---\n", key("globs")],
    ["\n  \n---  \r\nglo¦bs: x\r\n---\r\n", key("globs")],
    ["---\rname: y\rglo¦bs: x\r---", key("globs")],
    ["---\n\n\nglo¦bs: x\n ---\n", key("globs")],
    ["---\n----\nglo¦bs: x\n---\n", key("globs")],
    ["---\nx---\nglo¦bs: x\n---\n", key("globs")],
    ["---¦\nglobs: x\n---\n", body],
    ["---\nglobs: x\n¦---\n", body],
    ["---\nglobs: x\n--- \nglobs: ¦y\n", body],
    ["globs: ¦x\n", body],
    ["x---\nglobs: ¦x\n---\n", body],
    ["---x\nglobs: ¦x\n---\n", body],
    ["Text.\n---\nglobs: ¦x\n---\n", body],
    ["¦\n---\nglobs: x\n---\n", body],
    ["¦", body],
  ])("%j", (text, place) => expect(at(text)).toEqual(place))
})

describe("keys and values", () => {
  test.each<[lines: string, place: FrontmatterPlace]>([
    ["¦globs: x", key("globs")],
    ["globs¦: x", key("globs")],
    ["globs  ¦: x", key("globs")],
    ["globs:¦ x", value("globs")],
    ["globs: [a, b¦", value("globs")],
    ["file-x_1: ¦", value("file-x_1")],
    ["  glo¦bs: x", key("globs")],
    ["glo¦", key(undefined)],
    ["¦", key(undefined)],
    ["os: linux\nglobs:\n  - src\n  - ¦x", value("globs")],
    ["os: linux\nglobs:\n- ¦", value("globs")],
    ["os: linux\nglobs  :\n- ¦", value("globs")],
    ["os: linux\nglobs:\n-¦", value("globs")],
    ["os: linux\nglobs:\n  -x¦", key(undefined)],
    ["os: linux\nglobs:\n  x-¦ y", key(undefined)],
    ["- ¦x", key(undefined)],
    ["globs:\n  - a: ¦b", value("a")],
    ["x globs:\nos:\n  - ¦", value("os")],
  ])("%j", (lines, place) => expect(at(`---\n${lines}\n---\n`)).toEqual(place))
})

describe("in hooks", () => {
  test.each<[lines: string, place: FrontmatterPlace]>([
    ["hooks:\n  - type: Pre¦", value("type", true)],
    ["hooks:\n  - ty¦pe: PreToolUse", key("type", true)],
    ["hooks:\n- ty¦pe: PreToolUse", key("type", true)],
    ["hooks:\n  - type: PreToolUse\n    to¦", key(undefined, true)],
    ["hooks:\n  - ¦", key(undefined, true)],
    ["hooks:\n  - type: PreToolUse\n    tool: ¦", value("tool", true)],
    ["hooks:\n  - type: PreToolUse\nos: ¦", value("os")],
    ["hooks:\n  - type: PreToolUse\nos:\n  - ¦", value("os")],
    ["hooks: ¦", value("hooks")],
    ["hooks:\nma¦tch: x", key("match")],
    ["web_hooks:\n  ma¦tch: x", key("match")],
  ])("%j", (lines, place) => expect(at(`---\n${lines}\n---\n`)).toEqual(place))
})
