import { observes } from "../../packages/rule-schema/test/observes.ts"
import { observeToolResult } from "../../packages/server/src/hosts/v1/observe.ts"
import { engineWith, manyRules, otherWork, ROOT, readOutput, sourceText } from "../fixtures.ts"
import { compare, type Table } from "../measure.ts"

/** One Read of 50 KB with 1,000 rules of which none is met: all that the plugin does behind the call. */
export async function toolEvent(): Promise<Table> {
  const rules = manyRules(1000)
  const content = sourceText(50 * 1024)
  const path = `${ROOT}/src/index.ts`
  const args = { filePath: path }
  const result = { output: readOutput(path, content), metadata: {} }
  const call = { sessionID: "ses_1", tool: "read", args }
  const engine = engineWith(rules)
  const hook = async () => {
    await engine.toolSucceeded(call, observeToolResult(call, result))
    await engine.safePoint("ses_1")
  }
  return compare("A Read of 50 KB, 1,000 rules (500 with 5 literals each, 500 with globs)", 40, [
    { name: "one `includes` of an absent literal", repeat: 20, run: () => content.includes("noSuchLiteralAnywhere") },
    {
      name: "the same, right after other work",
      before: otherWork,
      run: () => content.includes("noSuchLiteralAnywhere"),
    },
    { name: "the plugin, right after other work: nothing of it in the caches", before: otherWork, run: hook },
    { name: "the plugin, ten times in a row", repeat: 10, run: hook },
    {
      name: "the plain way: each rule, literal and glob in turn",
      run: () => rules.filter((rule) => observes(rule, { path, tool: "read", content }, ROOT)),
    },
  ])
}
