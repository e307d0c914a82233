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

  test("what is too deep is not made any better by a line for each command", () => {
    const deep = "echo $(echo $(a))"
    const message = (command: string): string => {
      const decision = decide(command, asking, place, on)
      return decision.kind === "reject" ? decision.message : decision.kind
    }
    expect(message(`${deep}; b`)).not.toContain("For this command")
    expect(message(`${deep} && b && c`)).toContain(
      "5 commands on one line (limit 3), and commands nested 3 deep (limit 2)",
    )
    expect(message(`${deep} && b && c`)).not.toContain("For this command")
    expect(message("a && b && c && d")).toEndWith("For this command:\nset -e\na\nb\nc\nd")
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
    const name = `${markerName}0123456789ab`
    for (const other of [
      "case . in :) other;; esac; a",
      `x; case . in :) ${name} 'why';; esac; a`,
      `case . in :) ${name}0 'why';; esac; a`,
      `case . in :) ${name} 'why' x;; esac; a`,
      `case . in :) ${name} 'why' 'x';; esac; a`,
      `case . in :) ${name} 'why';; esac\na`,
    ])
      expect(unmarkCommand(other)).toBe(other)
    const twice = markCommand(markCommand("a", name, "why"), name, "why")
    expect(unmarkCommand(twice)).toBe(markCommand("a", name, "why"))
  })

  test("has the reason on its line, quoted, and cut when it is long", () => {
    expect(markCommand("a\nb", "name", "it's\n\u0007\u2028\u2029'x'")).toBe(
      "case . in :) name 'it'\\''s    '\\''x'\\''';; esac; a\nb",
    )
    const x = "x".repeat(198)
    expect(markCommand("a", "name", `${x}yz`)).toBe(`case . in :) name '${x}yz';; esac; a`)
    expect(markCommand("a", "name", `${x}yzz`)).toBe(`case . in :) name '${x}y…';; esac; a`)
    // No half of a character.
    expect(markCommand("a", "name", `${x}\u{1F600}z`)).toBe(`case . in :) name '${x}\uFFFD…';; esac; a`)
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

test("a decision says all that a host needs", () => {
  const outside = { ...place, exists: () => true }
  const rules: readonly PermissionRule[] = [
    ...asking,
    { permission: "external_directory", pattern: "*", action: "ask" },
    { permission: "edit", pattern: "*", action: "ask" },
  ]
  const npm = { text: "\\npm test -- a > b", form: "\\npm test -- a > b", pattern: "*" } as const
  expect(decide("\\npm test -- a > b; echo a < /etc/x", rules, outside, defaults)).toEqual({
    kind: "ask",
    why: "`\\npm test -- a > b`: the bash pattern `*` (and 2 more)",
    lasting: [{ permission: "external_directory", pattern: "/etc/*", text: "/etc/*" }],
    reasons: [
      { kind: "pattern", action: "ask", certainty: "certain", ...npm },
      { kind: "file", action: "ask", permission: "edit", text: "> b", pattern: "*" },
      { kind: "file", action: "ask", permission: "external_directory", text: "/etc/*", pattern: "*" },
    ],
    commands: [
      expect.objectContaining({
        text: npm.text,
        role: "simple",
        depth: 1,
        action: "ask",
        pattern: "*",
        forms: [npm.text, "\\npm test -- a", "npm test -- a"],
      }),
      expect.objectContaining({ text: "echo a < /etc/x", action: "allow", pattern: "echo *" }),
    ],
    byHost: false,
  })
  expect(decide("rm x; rm y; a", rules, outside, on)).toEqual({
    kind: "reject",
    message: "`rm x` is forbidden by the bash permission pattern `rm *`. Nothing was run.",
  })
  expect(decide("a", [{ permission: "bash", pattern: "*", action: "allow" }], place, on)).toEqual({ kind: "off" })
  expect(decide("a", [], place, on)).toEqual({ kind: "off" })
})
