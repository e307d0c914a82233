import { expect, test } from "bun:test"
import { rule } from "../../test/project.ts"
import { compiled } from "../../test/support/compiled.ts"
import { figures, ruleFigures } from "../../test/support/figures.ts"
import { ruleId } from "../../test/support/receipts.ts"
import { adherence, type RuleFigures, type TouchedFile } from "./figures.ts"
import { findingsOf } from "./findings.ts"

const ROOT = "/home/dev/app"

function findings(rules: readonly RuleFigures[], files: readonly TouchedFile[] = [], gone: readonly string[] = []) {
  const there = rules
    .filter(({ name }) => !gone.includes(name))
    .map(({ id }) => ({ ...compiled("x.md", rule("globs: '*.rs'")), id }))
  const { onDisk, withoutRule, ...lists } = findingsOf(figures({ rules, files }), there, ROOT)
  const named = {
    dead: lists.dead.map(({ name }) => name),
    always: lists.always.map(({ name }) => name),
    together: lists.together.map((group) => group.map(({ name }) => name)),
    expensive: lists.expensive.map(({ name }) => name),
    broken: lists.broken.map(({ name }) => name),
  }
  return { ...named, onDisk: [...onDisk], withoutRule }
}

test("never matched: rules with conditions or hooks, in three sessions at least, those of the most sessions first", () => {
  const rules = [
    ruleFigures("two", { sessions: 2 }),
    ruleFigures("three", { sessions: 3 }),
    ruleFigures("hooks", { sessions: 5, activation: "hooks" }),
    ruleFigures("request", { activation: "onRequest" }),
    ruleFigures("always", { activation: "always" }),
    ruleFigures("matched", { matched: 1 }),
    ruleFigures("gone", { sessions: 9 }),
  ]
  const { dead, onDisk } = findings(rules, [], ["gone"])
  expect(dead).toEqual(["hooks", "three"])
  expect(onDisk).toEqual(["two", "three", "hooks", "request", "always", "matched"].map((path) => ruleId(path)))
})

test("always matched: rules with conditions, in each session, transient ones in each request, the dearest first", () => {
  const rules = [
    ruleFigures("cheap", { matched: 4, cost: 1 }),
    ruleFigures("dear", { matched: 4, cost: 5 }),
    ruleFigures("two", { sessions: 2, matched: 2 }),
    ruleFigures("three", { sessions: 3, matched: 3, cost: 3 }),
    ruleFigures("almost", { matched: 3, throughout: 4 }),
    ruleFigures("transient", { lifetime: "transient", matched: 4, throughout: 4 }),
    ruleFigures("at times", { lifetime: "transient", matched: 4, throughout: 3 }),
    ruleFigures("hooks", { activation: "hooks", matched: 4 }),
    ruleFigures("no conditions", { activation: "always", matched: 4 }),
    ruleFigures("gone", { matched: 4 }),
  ]
  expect(findings(rules, [], ["gone"]).always).toEqual(["dear", "three", "cheap", "transient"])
})

test("together: rules of one scope and lifetime with the same moments, three sessions at least, the largest groups first", () => {
  const same = (path: string, rest: Partial<RuleFigures> = {}) =>
    ruleFigures(path, { sessions: 9, matched: 3, moments: "1:1 2:1 3:1", ...rest })
  const often = { matched: 4, moments: "1:1 2:1 3:1 4:1" }
  const rules = [
    same("a"),
    same("b"),
    same("transient", { lifetime: "transient" }),
    same("global:c"),
    same("hooks", { activation: "hooks" }),
    same("gone"),
    same("other", { moments: "1:1 2:1 3:2" }),
    same("always", { sessions: 3 }),
    same("often", often),
    same("rare", { matched: 2, moments: "1:1 2:1" }),
    same("as often", often),
    same("as rare", { matched: 2, moments: "1:1 2:1" }),
    same("d"),
  ]
  expect(findings(rules, [], ["gone"]).together).toEqual([
    ["often", "as often"],
    ["a", "b", "d"],
  ])
})

test("the most expensive are ten, whether they are still there or not", () => {
  const rules = Array.from({ length: 12 }, (_, index) => ruleFigures(`${index}`, { sessions: 1, cost: index }))
  const expected = ["11", "10", "9", "8", "7", "6", "5", "4", "3", "2"]
  expect(findings(rules, [], ["11"]).expensive).toEqual(expected)
  expect(findings(rules.slice(0, 3)).expensive).toEqual(["2", "1"])
})

test("broken: by how often, refused calls included", () => {
  const stopped = (refused: number) => ({ blocked: 9, held: 9, refused })
  const rules = [
    ruleFigures("once", { sessions: 1, forbidden: 1, followed: 9 }),
    ruleFigures("kept", { followed: 3 }),
    ruleFigures("unseen", { stopped: stopped(0) }),
    ruleFigures("refused", { stopped: stopped(3) }),
    ruleFigures("both", { forbidden: 2, stopped: stopped(2) }),
  ]
  expect(findings(rules, [], ["once"]).broken).toEqual(["both", "refused", "once"])
  expect(rules.map(adherence)).toEqual([0.9, 1, undefined, 0, 0])
})

test("files without a rule are those that no rule on disk is about", () => {
  const file = (path: string) => ({ path, sessions: 1, hasMatched: false })
  expect(findings([ruleFigures("a")], [file("src/a.rs"), file("src/a.go")]).withoutRule).toEqual([
    { pattern: "src/*.go", files: 1, touched: 1 },
  ])
})
