import { expect, test } from "bun:test"
import { FIELDS } from "@opencode-rulebook/rule-schema/reference"
import { parse } from "yaml"
import { DOCUMENTS, readDocument } from "./documents.ts"
import { examplesOf } from "./examples.ts"

const FOLDER = "skills/crafting-rules/"
const documents = DOCUMENTS.filter((path) => path.startsWith(FOLDER))

test("SKILL.md is an Agent Skill: named as its folder, with a description that says when, and short", async () => {
  const text = await readDocument(`${FOLDER}SKILL.md`)
  const frontmatter = parse(/^---\n(.*?)\n---\n/s.exec(text)?.[1] ?? "") as Record<string, string>
  expect(Object.keys(frontmatter).toSorted()).toEqual(["description", "license", "name"])
  expect(frontmatter["name"]).toBe("crafting-rules")
  expect(frontmatter["description"]?.length).toBeLessThanOrEqual(1024)
  expect(frontmatter["description"]).toContain("Use when")
  expect(text.split("\n").length).toBeLessThan(100)
})

test("it tells the agent to check, to explain and to show", async () => {
  const text = await readDocument(`${FOLDER}SKILL.md`)
  for (const part of ["opencode-rulebook check", "opencode-rulebook explain", "Show the user"])
    expect(text).toContain(part)
})

test("it names every reference file", async () => {
  const text = await readDocument(`${FOLDER}SKILL.md`)
  const references = documents.map((path) => path.slice(FOLDER.length)).filter((path) => path !== "SKILL.md")
  expect(references.length).toBeGreaterThan(6)
  for (const path of references) expect(text).toContain(`(${path})`)
})

test("each condition has a worked example that is delivered and one that is not", async () => {
  const examples = examplesOf(await readDocument(`${FOLDER}references/examples.md`))
  for (const { key } of FIELDS.filter(({ family }) => family !== undefined)) {
    const runs = examples.filter(({ rule }) => rule.text.includes(`\n${key}: `)).flatMap((example) => example.runs)
    const says = runs.map((run) => run.says)
    expect([key, says.some((each) => each !== "not delivered"), says.includes("not delivered")]).toEqual([
      key,
      true,
      true,
    ])
  }
})

test("each rule but the one that shows the keys has a dry run", async () => {
  const without: string[] = []
  for (const path of documents) {
    for (const { rule, runs } of examplesOf(await readDocument(path))) {
      if (runs.length === 0) without.push(`${path}:${rule.line}`)
    }
  }
  expect(without).toEqual([expect.stringMatching(/references\/format\.md:\d+$/)])
})
