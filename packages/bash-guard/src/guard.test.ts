import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { defaults } from "./config/settings.ts"
import { decide } from "./guard.ts"
import { markCommand, markerFor, markerName, unmarkCommand } from "./marker.ts"
import type { Place } from "./permissions/places.ts"
import type { PermissionRule } from "./permissions/rules.ts"

const place: Place = {
  cwd: "/p",
  directory: "/p",
  worktree: "/p",
  home: "/home/dev",
  exists: () => false,
  isInEnvironment: () => false,
  isDirectory: () => false,
}
const on = { ...defaults, enabled: true }

function rules(...bash: readonly (readonly [string, PermissionRule["action"]])[]): readonly PermissionRule[] {
  return [
    { permission: "*", pattern: "*", action: "allow" },
    ...bash.map(([pattern, action]) => ({ permission: "bash", pattern, action })),
  ]
}

const asking = rules(["*", "ask"], ["echo *", "allow"], ["rm *", "deny"])

describe("restructuring is for what a person would have to review", () => {
  test("allowed chains run, however long", () => {
    expect(decide("echo 1; echo 2; echo 3; echo 4", asking, place, on).kind).toBe("run")
    expect(decide("echo $(echo $(echo $(echo 1)))", asking, place, on).kind).toBe("run")
  })

  test("denied chains are denied, not restructured", () => {
    expect(decide("a; b; c; d; rm x", asking, place, on)).toMatchObject({
      message: expect.stringContaining("forbidden"),
    })
    expect(decide("a; b; c; d; (", asking, place, on)).toMatchObject({
      message: expect.stringContaining("cannot be parsed"),
    })
  })

  test("asking chains within the limits ask", () => {
    expect(decide("a; b; c", asking, place, on).kind).toBe("ask")
    expect(decide("a\nb\nc\nd\ne\nf", asking, place, on).kind).toBe("ask")
  })

  test("asking chains beyond the limits are sent back, when it is enabled", () => {
    expect(decide("a; b; c; d", asking, place, on)).toMatchObject({
      kind: "reject",
      message: expect.stringContaining("a\nb\nc\nd"),
    })
    expect(decide("a; b; c; d", asking, place, defaults).kind).toBe("ask")
  })

  test("what the message suggests is never rejected again", () => {
    const command = fc.constantFrom("a", "b x", "echo 1", "c | d", "e > f", "echo $(g)", "x=1", "[[ -n a ]]")
    const chain = fc
      .tuple(fc.array(command, { minLength: 2, maxLength: 7 }), fc.constantFrom("; ", " && "))
      .map(([commands, operator]) => commands.join(operator))
    fc.assert(
      fc.property(chain, fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 3 }), (line, segments, depth) => {
        const limits = { enabled: true, max_segments: segments, max_depth: depth }
        const decision = decide(line, asking, place, limits)
        if (decision.kind !== "reject") return
        const suggested = decision.message.split("For this command:\n")[1]
        if (suggested !== undefined) expect(decide(suggested, asking, place, limits).kind).not.toBe("reject")
      }),
    )
  })

  test("`set -e` is not suggested where it is forbidden", () => {
    const strict = rules(["*", "ask"], ["set *", "deny"])
    const decision = decide("a && b && c && d", strict, place, on)
    expect(decision.kind === "reject" ? decision.message : "").not.toContain("set -e")
  })
})

test("whatever the command, the guard decides and does not throw", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), (command) => {
      expect(["run", "ask", "reject"]).toContain(decide(command, asking, place, on).kind)
    }),
    { numRuns: 2000 },
  )
})

test("deep nesting and long input are refused or asked about, and quickly", () => {
  for (const command of [
    "(".repeat(5000),
    "$(".repeat(5000),
    "`".repeat(5001),
    `echo ${"$(".repeat(300)}x${")".repeat(300)}`,
    "eval ".repeat(2000),
  ]) {
    expect(["ask", "reject"]).toContain(decide(command, asking, place, on).kind)
  }
  expect(decide(`echo ${"x ".repeat(50_000)}`, asking, place, on).kind).toBe("run")
})

describe("the marker", () => {
  const call = { command: "a", agent: "build", cwd: "/p" }

  test("is another one for another command, agent, folder or process", () => {
    const names = [
      markerFor(call, "s"),
      markerFor({ ...call, command: "a " }, "s"),
      markerFor({ ...call, agent: "plan" }, "s"),
      markerFor({ ...call, cwd: "/q" }, "s"),
      markerFor(call, "t"),
    ]
    expect(new Set(names).size).toBe(names.length)
    expect(markerFor(call, "s")).toBe(markerFor(call, "s"))
    expect(names.every((name) => name.startsWith(markerName))).toBe(true)
  })

  test("comes off again", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary" }), (command, reason) => {
        expect(unmarkCommand(markCommand(command, markerFor({ ...call, command }, "s"), reason))).toBe(command)
      }),
    )
    expect(unmarkCommand("case . in :) other;; esac; a")).toBe("case . in :) other;; esac; a")
  })

  test("in a command of the model's own is a command like any other", () => {
    const withRule = [...asking, { permission: "bash", pattern: `${markerName}*`, action: "allow" as const }]
    expect(decide(markCommand("rm x", `${markerName}000000000000`, "why"), withRule, place, defaults).kind).toBe(
      "reject",
    )
    expect(decide(markCommand("echo x", `${markerName}000000000000`, "why"), withRule, place, defaults).kind).toBe(
      "ask",
    )
  })
})

describe("a decision to ask says why in one line", () => {
  const rows: readonly [command: string, why: string][] = [
    ["a", "`a`: the bash pattern `*`"],
    ["a; b", "`a`: the bash pattern `*` (and 1 more)"],
    ["a; b; a; $x", "`a`: the bash pattern `*` (and 3 more)"],
  ]
  for (const [command, why] of rows) {
    test(command, () => {
      const decision = decide(command, asking, place, defaults)
      expect(decision.kind === "ask" ? decision.why : decision.kind).toBe(why)
    })
  }
})
