import { expect, test } from "bun:test"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { testProject } from "../../packages/cli/test/project.ts"
import { root } from "../install.ts"
import { DOCUMENTS, readDocument } from "./documents.ts"
import { fencesOf } from "./markdown.ts"

const EXAMPLE = join(root, "examples/service")
const PUSH =
  "---\nhooks:\n  - type: PreToolUse\n    tool: bash\n    match: { command: ^git push }\n    block: true\n---\nDon't.\n"

/** The example's rules by their files' names, and the one that documents block a push with. */
async function exampleRules(): Promise<Record<string, string>> {
  const folder = join(EXAMPLE, ".opencode/rules")
  const names = (await readdir(folder)).filter((name) => name.endsWith(".md"))
  const texts = names.map(async (name) => [`rules/${name}`, await readFile(join(folder, name), "utf8")] as const)
  return { ...Object.fromEntries(await Promise.all(texts)), "rules/no-force-push.md": PUSH }
}

test("the example's own cases hold", async () => {
  await using project = await testProject({})
  const { code, out } = await project.run(["-C", EXAMPLE, "test"])
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining("3 passed, 0 failed") })
})

test("the cases of the documents hold for the example's rules", async () => {
  const played: string[] = []
  for (const path of DOCUMENTS) {
    for (const { language, text, line } of fencesOf(await readDocument(path))) {
      if (language !== "yaml" || !/^- case:/m.test(text)) continue
      await using project = await testProject({ ...(await exampleRules()), "rules/all.cases.yaml": text })
      const { code, out } = await project.run(["test"])
      expect({ path, line, code, out }).toEqual({ path, line, code: 0, out })
      played.push(path)
    }
  }
  expect(played).toEqual(expect.arrayContaining(["docs/testing-rules.md", "skills/crafting-rules/SKILL.md"]))
})
