import { describe, expect, test } from "bun:test"
import { appendReceipts } from "@opencode-rulebook/rule-schema"
import { Ajv, type AnySchemaObject } from "ajv"
import schema from "../../../docs/output.schema.json" with { type: "json" }
import { rule, testProject } from "./project.ts"
import { exportOf, readOf } from "./support/exports.ts"
import { story } from "./support/story.ts"

const ajv = new Ajv({ allErrors: true, strict: true, strictTypes: false, allowUnionTypes: true })
/** Knows every key: what the schema doesn't name is an error here, so that it is documented. */
const isDocumented = ajv.compile(closed(schema) as AnySchemaObject)

/** The schema, with no other keys in its objects than those that it names. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== "object" || value === null) return value
  const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, closed(inner)]))
  return "properties" in copy && copy["type"] === "object" ? { ...copy, additionalProperties: false } : copy
}

const PACK = {
  "node_modules/@acme/rules/package.json": JSON.stringify({
    name: "@acme/rules",
    version: "1.2.0",
    "opencode-rulebook": { rules: "rules" },
  }),
  "node_modules/@acme/rules/rules/a.md": "Text.",
}
const FILES = {
  ...PACK,
  "opencode.json": JSON.stringify({ plugin: [["opencode-rulebook", { packs: ["@acme/rules"] }]] }),
  "rules/all.md": rule(
    "match: all\nglobs: '*.rs'\nfileContains: TODO|FIXME\nkeywords: [deploy]\nos: linux\nagent: Build\nmodel: x\nbranch: main\ntools: [bash]",
  ),
  "rules/always.md": "Text.",
  "rules/held.md": rule("globs: '*.ts'\nforbid: debugger\nhold: true"),
  "rules/log.md": rule("globs: '*.ts'\nforbid: console.log("),
  "rules/broken.md": rule("ci: maybe"),
  "rules/hooks.md": rule(
    "hooks:\n  - { type: PreToolUse, tool: bash, match: { command: '^git push' }, block: true }\n  - { type: PostToolUse, tool: edit, match: x, run: notify }\n  - { type: PreToolUse, tool: terminal, block: once }",
  ),
  ".cursor/rules/c.mdc": rule("alwaysApply: true"),
  "src/a.rs": "fn a() {}",
}

describe("what is printed for programs is what the schema says, and nothing more", () => {
  for (const args of [
    ["check"],
    ["check", ".opencode/rules/always.md"],
    ["explain"],
    ["explain", "--file", "src/a.rs", "--prompt", "deploy it"],
    ["explain", "--file", "src/a.ts", "--writes", "console.log(1)"],
    ["explain", "--file", "src/a.ts", "--writes", "debugger"],
    ["explain", "--call", "bash", "--args", '{"command":"git push"}'],
  ]) {
    test(args.join(" "), async () => {
      await using project = await testProject(FILES)
      const output: unknown = JSON.parse((await project.run([...args, "--json"])).out)
      expect({ valid: isDocumented(output), errors: isDocumented.errors ?? [] }).toEqual({ valid: true, errors: [] })
    })
  }

  for (const args of [["explain", "--session"], ["report"]]) {
    test(args.join(" "), async () => {
      await using project = await testProject(FILES)
      await appendReceipts(project.stateFolder, "ses_1", story(project.directory).receipts)
      const output: unknown = JSON.parse((await project.run([...args, "--json"])).out)
      expect({ valid: isDocumented(output), errors: isDocumented.errors ?? [] }).toEqual({ valid: true, errors: [] })
    })
  }

  test("replay", async () => {
    const reading = { prompt: "deploy", delivers: ["project:gone.md"], steps: [[readOf("/home/dev/app/a.rs", "TODO")]] }
    const pushing = { prompt: "push", steps: [[{ tool: "bash", input: { command: "git push" } }]] }
    const files = { ...FILES, "s.json": JSON.stringify(exportOf({ turns: [reading, pushing] })) }
    await using project = await testProject(files)
    await appendReceipts(project.stateFolder, "ses_1", story(project.directory).receipts)
    await project.write(
      "exports/t.json",
      JSON.stringify(exportOf({ id: "ses_2", parentID: "ses_1", turns: [reading] })),
    )
    await project.write("exports/torn.json", "{")
    for (const args of [["s.json", "--diff"], ["exports", "--diff"], ["exports"]]) {
      const output: unknown = JSON.parse((await project.run(["replay", ...args, "--json"])).out)
      expect({ valid: isDocumented(output), errors: isDocumented.errors ?? [] }).toEqual({ valid: true, errors: [] })
    }
  })

  test("a project without rules", async () => {
    await using project = await testProject({})
    for (const command of ["check", "explain"])
      expect(isDocumented(JSON.parse((await project.run([command, "--json"])).out))).toBe(true)
  })
})

test("the schema is one, and refuses what it doesn't describe", () => {
  expect(ajv.validateSchema(schema)).toBe(true)
  for (const wrong of [{}, { version: 2, rules: 0, findings: [] }, { version: 1, rules: 0, findings: [{}] }])
    expect(isDocumented(wrong)).toBe(false)
})
