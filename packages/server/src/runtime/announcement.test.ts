import { expect, test } from "bun:test"
import type { BrokenRule, RuleDirectory } from "@opencode-rulebook/rule-schema"
import { rulebookOf } from "../../test/support/rules.ts"
import { announcement, VERSION } from "./announcement.ts"

function announced(rules: Readonly<Record<string, string>>, broken = 0): string {
  const directories = [
    { path: "/app/.opencode/rules" },
    { path: "/home/dev/.config/opencode/rules" },
  ] as RuleDirectory[]
  const rulebook = { ...rulebookOf(rules), broken: Array.from({ length: broken }, () => ({}) as BrokenRule) }
  return announcement("OpenCode 1", "/app", { rulebook, directories })
}

test("the line that the plugin is loaded says how many rules there are, how many of the files are broken, and from where", () => {
  const begin = `version ${VERSION} is loaded on OpenCode 1 for /app`
  const folders = "from /app/.opencode/rules, /home/dev/.config/opencode/rules"
  expect(VERSION).toMatch(/^\d+\.\d+\.\d+/)
  expect(announced({})).toBe(`${begin}: 0 rules, ${folders}`)
  expect(announced({ "a.md": "Text." })).toBe(`${begin}: 1 rule, ${folders}`)
  expect(announced({ "a.md": "Text.", "b.md": "Text." }, 3)).toBe(`${begin}: 2 rules, 3 broken, ${folders}`)
})
