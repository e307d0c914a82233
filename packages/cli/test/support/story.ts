import { parseRule } from "@opencode-rulebook/rule-schema"
import { rule } from "../project.ts"
import { delivered, matched, receiptRule, ruleId, type SessionScript, script } from "./receipts.ts"

export const RUST = rule('name: Unsafe Rust\nglobs: "**/*.rs"\nfileContains: "unsafe {"')
export const RELEASE = rule("name: Releases\nmatch: all\nkeywords: [release]\nbranch: release/*")

/** A session of two processes, with something of everything in it. */
export function story(directory: string): SessionScript {
  const rules = [
    receiptRule("style.md", { name: "House style", activation: "always" }),
    receiptRule("unsafe.md", { name: "Unsafe Rust", digest: digestOf("unsafe.md", RUST) }),
    receiptRule("release.md", { name: "Releases", digest: digestOf("release.md", RELEASE), lifetime: "transient" }),
    receiptRule("build.md", { name: "While building", lifetime: "transient" }),
    receiptRule("force.md", { name: "No force", activation: "hooks" }),
    receiptRule("read-me.md", { name: "Deploying", activation: "onRequest" }),
  ]
  const build = { kind: "transient", rule: ruleId("build.md"), tokens: 20 } as const
  return script({ directory })
    .begin(rules, ["project:bad.md"])
    .add({ kind: "matched", rule: ruleId("style.md"), by: [{ kind: "always" }] })
    .add(matched("build.md", "agent", "build"))
    .request({ prompted: true, tokens: 120 })
    .add(delivered("style.md", { how: "request" }), { ...build, isOn: true, reason: "matched" })
    .add({ kind: "store", rules: [ruleId("style.md")], outcome: "retry" })
    .add({ kind: "store", rules: [ruleId("style.md")], outcome: "stored" })
    .add(matched("unsafe.md", "file", "src/a.rs"))
    .request({
      did: [
        { tool: "read", paths: ["src/a.rs"] },
        { tool: "read", paths: ["src/b.rs"] },
      ],
      tokens: 164,
    })
    .add(delivered("unsafe.md", { tokens: 44 }))
    .add({ kind: "hook", rule: ruleId("force.md"), on: "PreToolUse", tool: "bash" })
    .add({ kind: "stopped", rule: ruleId("force.md"), reason: "blocked", tool: "bash", paths: [] })
    .request({ agent: "plan", did: [{ tool: "bash", paths: [], stopped: true }], tokens: 154 })
    .add({ ...build, isOn: false, reason: "ended" }, delivered("force.md", { reason: "hook", tokens: 10 }))
    .add({ kind: "verdicts", rules: verdicts() })
    .add({ kind: "forbidden", rule: ruleId("unsafe.md"), path: "src/a.rs", line: 7, literal: 0 })
    .begin(rules)
    .request({ prompted: true, agent: "plan", did: [{ tool: "edit", paths: ["src/a.rs"] }], tokens: 110 })
    .add({ kind: "found", rules: ["style.md", "force.md"].map(ruleId) })
    .add({ kind: "gone", rule: ruleId("unsafe.md"), reason: "compacted" })
    .add({ kind: "followed", rule: ruleId("unsafe.md"), path: "src/b.rs" })
}

function verdicts() {
  return {
    [ruleId("release.md")]: [
      { family: "keywords", met: false },
      { family: "branch", met: true, seen: "release/1" },
    ],
    [ruleId("unsafe.md")]: [{ family: "file", met: true, seen: "src/a.rs" }],
  } as const
}

/** As receipts have it: the first characters. */
function digestOf(name: string, text: string): string {
  const directory = { scope: "project", path: "/app/.opencode/rules", root: "/app", prefix: "" } as const
  return parseRule({ directory, path: `/app/.opencode/rules/${name}`, text }).rule.digest.slice(0, 12)
}
