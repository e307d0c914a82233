import { expect, test } from "bun:test"
import { join } from "node:path"
import { Ajv } from "ajv"
import { Glob } from "bun"
import { parse } from "yaml"
import schema from "../../docs/rule.schema.json" with { type: "json" }
import { root } from "../install.ts"
import { DOCUMENTS, readDocument } from "./documents.ts"
import { fencesOf, isRule } from "./markdown.ts"

/** `strict` refuses keywords that the draft does not know. */
const ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true })

test("the JSON Schema is valid by its own draft's meta-schema", () => {
  expect(ajv.validateSchema(schema)).toBe(true)
  expect(ajv.errors ?? []).toEqual([])
})

const validate = ajv.compile(schema)

/** What is wrong with a rule's frontmatter; undefined where it is not YAML, which only this project reads as it is meant. */
function problemsOf(text: string): readonly string[] | undefined {
  const frontmatter = yamlOf(/^---\n([\s\S]*?)^---$/m.exec(text)?.[1] ?? "")
  if (frontmatter === undefined) return undefined
  if (validate(frontmatter)) return []
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

function yamlOf(source: string): unknown {
  try {
    return parse(source) ?? {}
  } catch {
    return undefined
  }
}

test("each rule of the documents and of the example is valid by it", async () => {
  let count = 0
  for (const path of DOCUMENTS) {
    for (const { text, line } of fencesOf(await readDocument(path)).filter(isRule)) {
      const problems = problemsOf(text)
      if (problems === undefined) continue
      count += 1
      expect({ path, line, problems }).toEqual({ path, line, problems: [] })
    }
  }
  for await (const path of new Glob("examples/**/.opencode/rules/**/*.md").scan({ cwd: root, dot: true })) {
    count += 1
    expect({ path, problems: problemsOf(await Bun.file(join(root, path)).text()) }).toEqual({ path, problems: [] })
  }
  expect(count).toBeGreaterThan(20)
})

test("each key's own examples are valid by it", () => {
  for (const [key, property] of Object.entries(schema.properties)) {
    expect(property.examples.length).toBeGreaterThan(0)
    for (const example of property.examples)
      expect({ key, valid: validate({ [key]: example }) }).toEqual({ key, valid: true })
  }
})

test.each([
  [{ globs: 3 }],
  [{ os: ["solaris"] }],
  [{ ci: "yes" }],
  [{ match: "some" }],
  [{ hooks: [{ tool: "bash" }] }],
  [{ hooks: { type: "Pre" } }],
  [{ hooks: { type: "PreToolUse", block: "twice" } }],
  [{ hold: "once" }],
  [{ remind: 1999 }],
  [{ remind: 2000.5 }],
  [{ forbid: 3 }],
  [{ reminder: "x".repeat(1025) }],
])("what a rule can't have is refused: %j", (frontmatter) => {
  expect(validate(frontmatter)).toBe(false)
})
