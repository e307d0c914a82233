import { engineWith, manyRules, ROOT, sourceText, toolRules } from "../fixtures.ts"
import { compare, type Table } from "../measure.ts"

/** One dispatch with 1,000 rules, in sessions that have observed more and more. */
export async function dispatch(): Promise<Table> {
  const engine = engineWith(manyRules(1000))
  const content = sourceText(2048)
  const history = { messages: ["msg_1", "msg_2"], deliveries: [] }
  const sizes = [10, 100, 1000, 10_000]
  for (const size of sizes) {
    for (let index = 0; index < size; index += 1) {
      const path = `${ROOT}/src/file${index}.ts`
      const call = { sessionID: `ses_${size}`, tool: "read", args: { filePath: path } }
      await engine.toolSucceeded(call, [{ path, tool: "read", content }])
    }
  }
  return compare(
    "One request with 1,000 rules, by what the session has observed before",
    200,
    sizes.map((size) => ({
      name: `after ${size.toLocaleString("en")} observations`,
      repeat: 5,
      run: () => engine.dispatch(`ses_${size}`, history, { agent: "build" }),
    })),
  )
}

/** One dispatch with 1,000 rules of which more and more ask for tools: the host is asked once for each dispatch, not for each rule. */
export async function dispatchWithTools(): Promise<Table> {
  const history = { messages: ["msg_1", "msg_2"], deliveries: [] }
  const contenders = [0, 10, 1000].map((count) => {
    const engine = engineWith([...manyRules(1000 - count), ...toolRules(count)])
    const name = `${count.toLocaleString("en")} of them ask for tools`
    return { name, repeat: 5, run: () => engine.dispatch("ses_1", history, { agent: "build" }) }
  })
  return compare("One request with 1,000 rules, by how many have `tools`", 200, contenders)
}
