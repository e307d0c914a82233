import { describe, expect, test } from "bun:test"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { rule, testProject } from "./project.ts"

const RULES = {
  "rules/unsafe.md": rule('name: Unsafe Rust\nglobs: "**/*.rs"\nfileContains: "unsafe {"'),
  "rules/held.md": rule('globs: "**/*.rs"\nfileContains: "unsafe {"\nhold: true'),
  "rules/log.md": rule('globs: "**/*.js"\nforbid: console.log('),
  "rules/refusing.md": rule('globs: "**/*.ts"\nforbid: console.log(\nhold: true'),
  "rules/deploy.md": rule("keywords: [deploy]"),
  "rules/plan.md": rule("agent: [plan]"),
  "rules/push.md": rule(
    "hooks:\n  - type: PreToolUse\n    tool: bash\n    match: { command: ^git push }\n    block: true",
  ),
}

const CASES = `- case: An unsafe block that was read
  read: { src/a.rs: "unsafe { x() }" }
  expect:
    delivered: { Unsafe Rust: after-file }
    notDelivered: [deploy, plan.md]
- case: A deploy by the plan agent
  prompt: deploy it
  agent: plan
  expect:
    delivered: [deploy, plan]
    notDelivered: [unsafe]
- case: A push
  calls:
    - bash: { command: git push --force }
  expect:
    blocked: [push]
    delivered: { push: after-call }
- case: A new file
  writes: { src/new.rs: "unsafe { x() }" }
  expect:
    held: [held]
    delivered: [held, unsafe]
- case: A forbidden text
  writes: { src/log.js: console.log(1) }
  expect:
    forbidden: [log]
- case: A refused text
  writes: { src/log.ts: console.log(1) }
  expect:
    refused: [refusing]
`

async function run(cases: string, args: readonly string[] = [], files: Record<string, string> = {}) {
  await using project = await testProject({ ...RULES, "rules/all.cases.yaml": cases, ...files })
  const { code, out, err } = await project.run(["test", ...args])
  return { code, out, err }
}

test("cases that hold pass, one line each", async () => {
  expect(await run(CASES)).toEqual({
    code: 0,
    err: "",
    out: `.opencode/rules/all.cases.yaml
  ✓ An unsafe block that was read
  ✓ A deploy by the plan agent
  ✓ A push
  ✓ A new file
  ✓ A forbidden text
  ✓ A refused text

6 passed, 0 failed
`,
  })
})

test.each([
  ["the line ends of Windows", (text: string) => text.replaceAll("\n", "\r\n")],
  ["a byte-order mark too", (text: string) => `\uFEFF${text.replaceAll("\n", "\r\n")}`],
])("cases and rules with %s hold as the others do", async (_what, written) => {
  const rules = Object.fromEntries(Object.entries(RULES).map(([name, text]) => [name, written(text)]))
  const { code, out } = await run(written(CASES), [], rules)
  expect({ code, passed: out.includes("6 passed, 0 failed") }).toEqual({ code: 0, passed: true })
})

test.each<[string, string, string]>([
  [
    "not delivered",
    "read: { a.rs: safe }\n  expect: { delivered: [unsafe] }",
    "unsafe: expected to be delivered, but it is not",
  ],
  ["why not", "read: { a.rs: safe }\n  expect: { delivered: [unsafe] }", "its text"],
  [
    "delivered all the same",
    "prompt: deploy\n  expect: { notDelivered: [deploy] }",
    "deploy: expected not to be delivered, but it is delivered first-request",
  ],
  [
    "another moment",
    "prompt: deploy\n  expect: { delivered: { deploy: after-file } }",
    "deploy: expected after-file, but it is delivered first-request",
  ],
  [
    "not blocked",
    "calls: [{ bash: { command: echo git push } }]\n  expect: { blocked: [push] }",
    "push: expected to block a call, but it does not",
  ],
  ["a rule without a hook", "prompt: x\n  expect: { blocked: [deploy] }", "it has no hook that blocks"],
  [
    "not held",
    'read: { a.rs: "unsafe {" }\n  writes: { a.rs: "unsafe {" }\n  expect: { held: [held] }',
    "held: expected to hold a call, but it does not: it is delivered after-file: a condition met",
  ],
  ["held by nothing", "writes: { a.rs: safe }\n  expect: { held: [held] }", "no call makes it match"],
  ["a rule that can't hold", "prompt: x\n  expect: { held: [deploy] }", "it has neither `hold: true` nor a hook"],
  ["refused by nothing", "writes: { a.ts: x }\n  expect: { refused: [refusing] }", "no call adds what it forbids"],
  ["a rule that can't refuse", "prompt: x\n  expect: { refused: [log] }", "that needs `forbid` and `hold: true`"],
  ["nothing forbidden", "writes: { a.js: x }\n  expect: { forbidden: [log] }", "no call that ran adds what it forbids"],
  ["a rule that forbids nothing", "prompt: x\n  expect: { forbidden: [held] }", "the rule has no `forbid`"],
  ["no such rule", "prompt: x\n  expect: { delivered: [nobody] }", "nobody: there is no such rule"],
  [
    "a rule that must not be there either",
    "prompt: x\n  expect: { notDelivered: [nobody] }",
    "nobody: there is no such rule",
  ],
])("a case that does not hold says why: %s", async (_what, body, message) => {
  const { code, out } = await run(`- case: It\n  ${body}\n`)
  expect(code).toBe(1)
  expect(out).toContain("  ✗ It\n")
  expect(out).toContain(message)
  expect(out).toEndWith("0 passed, 1 failed\n")
})

test("a broken rule fails its case with the problem", async () => {
  const { out } = await run("- case: It\n  prompt: x\n  expect: { notDelivered: [bad] }\n", [], {
    "rules/bad.md": rule("ci: maybe"),
  })
  expect(out).toMatch(/^.*bad: .*, so this rule never matches\. /m)
  expect(out).toContain("bad.md:2:5 ci")
})

test("each fact of a case is the turn's", async () => {
  const files = {
    "rules/facts.md": rule(
      "match: all\nbranch: [topic]\nos: [win32]\nci: true\nproject: [go]\ntools: [mcp_x]\nmodel: [a/b]\ncommand: [ship]",
    ),
  }
  const facts =
    "command: /ship\n  model: a/b\n  branch: topic\n  os: win32\n  ci: true\n  project: [go]\n  tools: [mcp_x]"
  const body = `- case: All\n  ${facts}\n  expect: { delivered: [facts] }\n`
  expect((await run(body, [], files)).code).toBe(0)
  for (const line of facts.split("\n")) {
    const without = body.replace(`${line.trim()}\n  `, "")
    expect({ line, code: (await run(without, [], files)).code }).toEqual({ line, code: 1 })
  }
})

test("a path without a text is read from the project", async () => {
  const { code } = await run("- case: It\n  read: [src/real.rs]\n  expect: { delivered: [unsafe] }\n", [], {
    "src/real.rs": "unsafe { }",
  })
  expect(code).toBe(0)
})

describe("a recorded session", () => {
  let ids = 0
  const message = (info: object, parts: readonly object[]) => ({ info: { id: `msg_${ids++}`, ...info }, parts })
  const model = { providerID: "a", modelID: "b" }
  const text = (words: string, synthetic = false) => ({ type: "text", text: words, synthetic })
  const read = (path: string, content: string, status = "completed") => ({
    type: "tool",
    tool: "read",
    callID: "call_1",
    state: {
      status,
      input: { filePath: path },
      output: `<path>${path}</path>\n<type>file</type>\n<content>\n1: ${content}\n\n(End of file - total 1 lines)\n</content>`,
    },
  })
  const session = (status?: string) => ({
    "rules/s.json": JSON.stringify({
      info: { id: "ses_1", directory: "/x" },
      messages: [
        message({ role: "user", agent: "build", model }, [text("look"), text("deploy", true)]),
        message({ role: "assistant" }, [read("/x/a.rs", "unsafe { }", status)]),
        message({ role: "user", agent: "plan", model }, [text("and now?")]),
        message({ role: "assistant" }, [text("done")]),
      ],
    }),
  })
  const body = "- case: It\n  session: s.json\n  expect:\n    delivered: [unsafe, plan]\n    notDelivered: [deploy]\n"

  test("is played turn by turn, with what its calls showed", async () => {
    expect(await run(body, [], session())).toMatchObject({ code: 0, err: "" })
  })

  test.each<[string, BufferEncoding]>([
    ["UTF-8 behind a byte-order mark", "utf8"],
    ["UTF-16, as Windows PowerShell redirects it", "utf16le"],
  ])("may be written in %s", async (_what, encoding) => {
    await using project = await testProject({ ...RULES, "rules/all.cases.yaml": body })
    const file = join(project.directory, ".opencode/rules/s.json")
    await writeFile(file, Buffer.from(`\uFEFF${session()["rules/s.json"]}`, encoding))
    expect(await project.run(["test"])).toMatchObject({ code: 0, err: "" })
  })

  test("a call that failed showed nothing", async () => {
    expect((await run(body, [], session("error"))).out).toContain("unsafe: expected to be delivered")
  })

  test("of another machine is played with the paths of this one", async () => {
    const files = { ...session(), "rules/unsafe.md": rule('name: unsafe\nglobs: "/a.rs"') }
    expect(await run(body, [], files)).toMatchObject({ code: 0, err: "" })
  })

  test.each([
    ["", "empty"],
    ["{", "not whole or not JSON ("],
    ["[]", "not a session"],
    ['{ "messages": 3 }', "not a session"],
  ])("a file that is none is a clear error: %p", async (content, reason) => {
    const { code, err } = await run(body, [], { "rules/s.json": content })
    expect(code).toBe(2)
    expect(err).toContain(`s.json: ${reason}`)
    expect(err).toContain("expected is what `opencode export SESSION > FILE` writes")
  })
})

describe("a file of cases that can't be read", () => {
  test.each<[string, string, string]>([
    ["a: [", "2:1", "not valid YAML"],
    ["hello", "1:1", "there is no list of cases"],
    ["- prompt: x", "1:3", "the case has no name"],
    ["- case: It\n  prompt: x", "1:3", "the case expects nothing"],
    ["- case: It\n  expect: {}", "2:11", "the case expects nothing"],
    ["- case: It\n  promt: x\n  expect: { delivered: [a] }", "2:3", "promt: is not a key of a case"],
    ["- case: It\n  ci: maybe\n  expect: { delivered: [a] }", "2:7", "ci: is neither true nor false"],
    [
      "- case: It\n  calls: [bash]\n  expect: { delivered: [a] }",
      "2:11",
      "calls: is not a tool's name with its arguments",
    ],
    ["- case: It\n  expect: { delivered: { a: soon } }", "2:29", "is not a moment"],
    ["- case: It\n  read: { a.rs: [1] }\n  expect: { delivered: [a] }", "2:17", "read: is not a path with the text"],
  ])("%p", async (cases, place, reason) => {
    const { code, out } = await run(`${cases}\n`)
    expect(code).toBe(1)
    expect(out).toContain(`.opencode/rules/all.cases.yaml:${place}`)
    expect(out).toContain(reason)
    await using project = await testProject({ ...RULES, "rules/all.cases.yaml": `${cases}\n` })
    const checked = JSON.parse((await project.run(["check", "--json"])).out)
    expect(checked.findings.map(({ code: found }: { code: string }) => found)).toEqual(["bad-case"])
  })

  test("its other cases are played", async () => {
    const { out } = await run(`- case: Bad\n${CASES}`)
    expect(out).toEndWith("6 passed, 0 failed, 1 can't be read\n")
  })
})

test("without cases it says where it looked, and fails", async () => {
  await using project = await testProject(RULES)
  const { code, out } = await project.run(["test"])
  expect(code).toBe(1)
  expect(out).toContain("no *.cases.yaml in ")
})

test("paths: a file, a folder, and what is neither", async () => {
  const files = {
    "more/b.cases.yml": "cases:\n  - case: Other\n    prompt: deploy\n    expect: { delivered: [deploy] }\n",
  }
  for (const path of ["more", "more/b.cases.yml"])
    expect((await run(CASES, [path], files)).out).toEndWith("1 passed, 0 failed\n")
  expect((await run(CASES, ["nowhere"])).err).toContain("no such file or folder")
  expect((await run(CASES, ["opencode.json"], { "opencode.json": "{}" })).err).toContain("not a file of cases")
})

test("the same for programs: JSON, and JUnit XML with escaped texts", async () => {
  const failing = '- case: A <b> & "c"\n  prompt: x\n  expect: { delivered: [deploy] }\n'
  await using project = await testProject({ ...RULES, "rules/all.cases.yaml": CASES + failing })
  const { out, code } = await project.run(["test", "--json", "--junit", "out.xml"])
  expect(code).toBe(1)
  const { version, cases } = JSON.parse(out)
  expect(version).toBe(1)
  expect(cases.map(({ line, passed }: { line: number; passed: boolean }) => [line, passed])).toEqual([
    [1, true],
    [6, true],
    [12, true],
    [18, true],
    [23, true],
    [27, true],
    [31, false],
  ])
  const xml = await readFile(join(project.directory, "out.xml"), "utf8")
  expect(xml).toContain('tests="7" failures="1" errors="0"')
  expect(xml).toContain('name="A &lt;b&gt; &amp; &quot;c&quot;"')
  expect(xml).toContain("<failure message=")
})

test("check of a file of cases alone is about that file alone", async () => {
  await using project = await testProject({ "rules/a.md": rule("ci: maybe"), "rules/x.cases.yaml": "- prompt: x\n" })
  const codes = async (...paths: readonly string[]) => {
    const { findings } = JSON.parse((await project.run(["check", "--json", ...paths])).out)
    return findings.map(({ code }: { code: string }) => code)
  }
  expect(await codes(".opencode/rules/x.cases.yaml")).toEqual(["bad-case"])
  expect(await codes(".opencode/rules/a.md")).toEqual(["wrong-type"])
  expect(await codes()).toEqual(["wrong-type", "bad-case"])
})
