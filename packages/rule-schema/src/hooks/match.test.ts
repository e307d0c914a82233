import { describe, expect, test } from "bun:test"
import type { RuleHook } from "../rule.ts"
import { argumentsJson, membersOf } from "./arguments.ts"
import { hookMatches } from "./match.ts"
import { compileHookPattern } from "./pattern.ts"

describe("an expression that can't look at all of a text", () => {
  // Of `{"b":"yz"}`, and of no text in which `"b"` is not the first argument.
  const result = compileHookPattern('^\\{"b":"(?!.*x).*y.*z"(?<=z")')
  const pattern = result.kind === "bad" ? undefined : result.pattern
  const reach = pattern?.reach ?? 0
  const argsOf = (length: number) => ({ a: "-".repeat(length - '{"a":"","b":"yz"}'.length), b: "yz" })

  function matches(args: unknown): boolean {
    if (pattern === undefined) return expect.unreachable()
    const match = { kind: "json", pattern } as const
    const hook: RuleHook = { type: "PreToolUse", tool: "*", names: [], match, block: true, run: undefined }
    return hookMatches(hook, { type: "PreToolUse", tool: "bash", args })
  }

  test("looks at each argument by itself where the text is longer, and only there", () => {
    expect(argumentsJson(argsOf(reach))).toHaveLength(reach)
    expect(matches(argsOf(reach - 1))).toBeFalse()
    expect(matches(argsOf(reach))).toBeFalse()
    expect(matches(argsOf(reach + 1))).toBeTrue()
  })
})

describe("the arguments' JSON", () => {
  const hookOf = (source: string, names?: readonly string[]): RuleHook => {
    const result = compileHookPattern(source)
    const pattern = result.kind === "bad" ? expect.unreachable() : result.pattern
    const match = names
      ? ({ kind: "arguments", patterns: new Map(names.map((name) => [name, pattern])) } as const)
      : ({ kind: "json", pattern } as const)
    return { type: "PreToolUse", tool: "*", names: [], match, block: false, run: undefined }
  }

  test("is made once for many hooks, and only for one that asks for it", () => {
    const event = { type: "PreToolUse", tool: "bash", args: { command: "ls" } } as const
    let made = 0
    const json = () => {
      made += 1
      return "given"
    }
    expect(hookMatches(hookOf("^given$"), event, json)).toBeTrue()
    expect(hookMatches(hookOf("ls"), event, json)).toBeFalse()
    expect(made).toBe(2)
    expect(hookMatches({ ...hookOf("given"), match: undefined }, event, json)).toBeTrue()
    expect(hookMatches({ ...hookOf("given"), type: "PostToolUse" }, event, json)).toBeFalse()
    expect(hookMatches(hookOf("^ls$", ["command"]), event, json)).toBeTrue()
    expect(made).toBe(2)
  })

  test("of one argument is looked at in parts too, where the expression can't look at all of it; a text is not", () => {
    const hook = hookOf("(s)e.*cret(?!\\1)", ["edits"])
    const matches = (edits: unknown) => hookMatches(hook, { type: "PreToolUse", tool: "x", args: { edits } })
    const long = "-".repeat(64 * 1024)
    expect(matches([{ text: long }, { text: "secret" }])).toBeTrue()
    expect(matches([{ text: long }, { text: "public" }])).toBeFalse()
    expect(matches(`${long}secret`)).toBeFalse()
    expect(matches("secret")).toBeTrue()
  })

  test("an argument that is not there has no text, not even an empty one", () => {
    const matches = (args: unknown) => hookMatches(hookOf("^.*$", ["path"]), { type: "PreToolUse", tool: "read", args })
    expect([{ path: "" }, { filePath: "" }, { path: null }].map(matches)).toEqual([true, true, true])
    expect([{}, { path: undefined }, undefined].map(matches)).toEqual([false, false, false])
  })
})

describe("the members of a call's arguments", () => {
  test("are each argument and each part of one, the shortest first", () => {
    expect(membersOf({ edits: [{ path: "a" }, 3], name: null }, 100)).toEqual([
      "[3]",
      '{"path":"a"}',
      '{"name":null}',
      '[{"path":"a"}]',
      '{"edits":[{"path":"a"},3]}',
    ])
    expect(membersOf("text", 100)).toEqual([])
    expect(membersOf(null, 100)).toEqual([])
  })

  test("go eight levels deep", () => {
    const deep: Record<string, unknown> = {}
    let inner = deep
    for (let level = 1; level <= 10; level += 1) {
      const next = {}
      inner[`l${level}`] = next
      inner = next
    }
    expect(membersOf(deep, 1000).map((member) => member.slice(2, member.indexOf('":')))).toEqual(
      Array.from({ length: 8 }, (_, index) => `l${8 - index}`),
    )
  })

  test("are as many as sixteen reaches hold, of a long one as much as is looked at", () => {
    const args = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`k${10 + index}`, "x".repeat(92)]))
    expect(membersOf(args, 100)).toHaveLength(16)
    expect(membersOf(args, 101)).toHaveLength(16)
    expect(membersOf(args, 50)).toHaveLength(16)
    expect(membersOf({ a: "x".repeat(2000) }, 100)).toHaveLength(1)
  })

  test("are ten thousand at most", () => {
    const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`k${index}`, { x: 1 }]))
    expect(membersOf(many, 1_000_000)).toHaveLength(10_000)
  })

  test("leave out what can't be read", () => {
    const args = Object.defineProperty({ b: 1 }, "a", {
      enumerable: true,
      get() {
        throw new Error("no")
      },
    })
    expect(membersOf(args, 100)).toEqual(["{}", '{"b":1}'])
  })
})
