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

test.each<[what: string, body: string, failure: string]>([
  [
    "not delivered, with what each condition saw",
    "read: { a.rs: safe }\n  expect: { delivered: [unsafe] }",
    'unsafe: expected to be delivered, but it is not: no condition met; file not met (path matches **/*.rs, its text has none of "unsafe {" literally)',
  ],
  [
    "not delivered, for several conditions",
    "prompt: x\n  expect: { delivered: [both] }",
    'both: expected to be delivered, but it is not: not all conditions met; keywords not met (prompt has none of "ship" literally); agent met (agent is build)',
  ],
  [
    "delivered all the same",
    "prompt: deploy\n  expect: { notDelivered: [deploy] }",
    "deploy: expected not to be delivered, but it is delivered first-request: a condition met",
  ],
  [
    "another moment",
    "prompt: deploy\n  expect: { delivered: { deploy: after-file } }",
    "deploy: expected after-file, but it is delivered first-request",
  ],
  [
    "other moments",
    "read: { a.rs: x }\n  expect: { delivered: { twice: after-call } }",
    "twice: expected after-call, but it is delivered first-request and after-file",
  ],
  [
    "not blocked by the last call",
    "calls: [{ bash: { command: echo git push } }]\n  expect: { blocked: [push] }",
    'push: expected to block a call, but it does not: the tool is bash, and its arguments "{"command":"echo git push"}" do not match',
  ],
  [
    "not blocked by any of its hooks",
    "calls: [{ read: {} }]\n  expect: { blocked: [two] }",
    "two: expected to block a call, but it does not: the tool is read, not bash; the tool is read, not edit",
  ],
  [
    "not blocked without a call",
    "prompt: x\n  expect: { blocked: [push] }",
    "push: expected to block a call, but it does not: there is no call",
  ],
  [
    "blocked by a rule without a hook",
    "prompt: x\n  expect: { blocked: [deploy] }",
    "deploy: expected to block a call, but it does not: it has no hook that blocks",
  ],
  [
    "blocked by a rule whose hook only holds",
    "calls: [{ bash: { command: ls } }]\n  expect: { blocked: [once] }",
    "once: expected to block a call, but it does not: it has no hook that blocks",
  ],
  [
    "not held",
    'read: { a.rs: "unsafe {" }\n  writes: { a.rs: "unsafe {" }\n  expect: { held: [held] }',
    "held: expected to hold a call, but it does not: it is delivered after-file: a condition met",
  ],
  [
    "held by nothing",
    "writes: { a.rs: safe }\n  expect: { held: [held] }",
    "held: expected to hold a call, but it does not: no call makes it match",
  ],
  [
    "not held by a hook",
    "calls: [{ edit: {} }]\n  expect: { held: [once] }",
    "once: expected to hold a call, but it does not: no call makes it match",
  ],
  [
    "held by a rule that can't hold",
    "prompt: x\n  expect: { held: [push] }",
    "push: expected to hold a call, but it does not: it has neither `hold: true` nor a hook with `block: once`",
  ],
  [
    "refused by nothing",
    "writes: { a.ts: x }\n  expect: { refused: [refusing] }",
    "refusing: expected to refuse a call, but it does not: no call adds what it forbids",
  ],
  [
    "refused by a rule that does not hold",
    "prompt: x\n  expect: { refused: [log] }",
    "log: expected to refuse a call, but it does not: that needs `forbid` and `hold: true`",
  ],
  [
    "refused by a rule that forbids nothing",
    "prompt: x\n  expect: { refused: [held] }",
    "held: expected to refuse a call, but it does not: that needs `forbid` and `hold: true`",
  ],
  [
    "nothing forbidden",
    "writes: { a.js: x }\n  expect: { forbidden: [log] }",
    "log: expected a call to add what it forbids, but none does: no call that ran adds what it forbids",
  ],
  [
    "a rule that forbids nothing",
    "prompt: x\n  expect: { forbidden: [held] }",
    "held: expected a call to add what it forbids, but none does: the rule has no `forbid`",
  ],
  [
    "no such rule",
    "prompt: x\n  expect: { delivered: [nobody] }",
    "nobody: there is no such rule; there are both, deploy, held, log, once, plan, push, refusing, twice, two, Unsafe Rust",
  ],
  [
    "a rule that must not be there either",
    "prompt: x\n  expect: { notDelivered: [.md] }",
    ".md: there is no such rule; there are both, deploy, held, log, once, plan, push, refusing, twice, two, Unsafe Rust",
  ],
])("a case that does not hold says why: %s", async (_what, body, failure) => {
  const files = {
    "rules/both.md": rule("match: all\nkeywords: [ship]\nagent: [build]"),
    "rules/twice.md": rule("globs: '*.rs'\nagent: [build]"),
    "rules/once.md": rule("hooks: { type: PreToolUse, tool: bash, block: once }"),
    "rules/two.md": rule(
      "hooks: [{ type: PreToolUse, tool: bash, block: true }, { type: PreToolUse, tool: edit, block: once }]",
    ),
  }
  expect(await run(`- case: It\n  ${body}\n`, [], files)).toEqual({
    code: 1,
    err: "",
    out: `.opencode/rules/all.cases.yaml
  ✗ It
      ${failure}

0 passed, 1 failed
`,
  })
})

test("all failures of a case are shown, in the order of its keys", async () => {
  const none = "[x]"
  const keys = ["forbidden", "refused", "held", "blocked", "notDelivered", "delivered"]
  const { out } = await run(`- case: It\n  expect: { ${keys.map((key) => `${key}: ${none}`).join(", ")} }\n`, [], {
    ...Object.fromEntries(Object.keys(RULES).map((name) => [name, rule("ci: maybe")])),
    "rules/x.md": rule("keywords: [x]"),
  })
  expect(out.split("\n").filter((line) => line.startsWith("      "))).toEqual([
    "      x: expected to be delivered, but it is not: no condition met; keywords not met (no prompt given)",
    "      x: expected to block a call, but it does not: it has no hook that blocks",
    "      x: expected to hold a call, but it does not: it has neither `hold: true` nor a hook with `block: once`",
    "      x: expected to refuse a call, but it does not: that needs `forbid` and `hold: true`",
    "      x: expected a call to add what it forbids, but none does: the rule has no `forbid`",
  ])
})

test("where there is no rule, a case says so", async () => {
  await using project = await testProject({ "rules/a.cases.yaml": "- case: It\n  expect: { delivered: [x] }\n" })
  expect((await project.run(["test"])).out).toContain("x: there is no such rule; there are none\n")
})

test.each([
  ["its name", "Deep one", 0],
  ["its file's name", "deep.md", 0],
  ["that without its ending", "deep", 0],
  ["its path", "web/deep.md", 0],
  ["that without its ending", "web/deep", 0],
  ["its identity", "project:web/deep.md", 0],
  ["the name of a file of another kind", "cursor", 0],
  ["its file's name with an ending in its midst", "v1.md5", 0],
  ["its path with an ending in its midst", "web/v1.md5", 0],
  ["a part of its path", "web", 1],
  ["its name in another case", "deep one", 1],
  ["the file's name of one that is broken", "bad.md", 1],
])("a rule goes by %s: %s", async (_what, name, code) => {
  const files = {
    "rules/web/deep.md": rule("name: Deep one\nkeywords: [never]"),
    "rules/other/cursor.MDC": rule("keywords: [never]"),
    "rules/web/v1.md5.md": rule("name: Fifth\nkeywords: [never]"),
    "rules/bad.md": rule("ci: maybe"),
  }
  expect((await run(`- case: It\n  expect: { notDelivered: ["${name}"] }\n`, [], files)).code).toBe(code)
})

test("a name of several rules is not enough", async () => {
  const files = { "rules/web/plan.md": rule("keywords: [x]"), "rules/bad/plan.md": rule("ci: maybe") }
  const { out } = await run("- case: It\n  expect: { notDelivered: [plan] }\n", [], files)
  expect(out).toContain(
    "      plan: several rules have this name: project:plan.md, project:web/plan.md; use one of these\n",
  )
})

test("a broken rule fails its case with all its problems", async () => {
  await using project = await testProject({
    "rules/bad.md": rule("ci: maybe\nos: beos"),
    "rules/a.cases.yaml": "- case: It\n  expect: { notDelivered: [bad] }\n",
  })
  const { out } = await project.run(["test"])
  const file = join(project.directory, ".opencode/rules/bad.md")
  expect(out).toBe(`.opencode/rules/a.cases.yaml
  ✗ It
      bad: ${file}:3:5 os: "beos" is not one of linux, darwin, win32, so this rule never matches. Write for example \`os: [linux, darwin]\`. ${file}:2:5 ci: is neither true nor false, so this rule never matches. Write \`ci: true\` or \`ci: false\`.

0 passed, 1 failed
`)
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

test("agent and model that a case leaves out are the configured ones", async () => {
  const files = {
    "opencode.json": JSON.stringify({ model: "a/plain", default_agent: "review", agent: { plan: { model: "a/big" } } }),
    "rules/review.md": rule("agent: [review]"),
    "rules/plain.md": rule("model: [a/plain]"),
    "rules/big.md": rule("model: [a/big]"),
  }
  const cases = `- case: Neither
  expect: { delivered: [review, plain], notDelivered: [plan, big] }
- case: An agent
  agent: plan
  expect: { delivered: [plan, big], notDelivered: [review, plain] }
- case: A model
  model: a/big
  expect: { delivered: [review, big], notDelivered: [plain] }
`
  expect((await run(cases, [], files)).out).toEndWith("3 passed, 0 failed\n")
})

test("a path without a text is read from the project; of one that is not there the path alone counts", async () => {
  const cases = `- case: There
  read: [src/real.rs]
  expect: { delivered: { unsafe: after-file, paths: after-file } }
- case: Not there
  read: src/gone.rs
  expect: { delivered: { paths: after-file }, notDelivered: [unsafe] }
- case: Another text
  read: { src/real.rs: "" }
  expect: { delivered: [paths], notDelivered: [unsafe] }
`
  const files = { "src/real.rs": "unsafe { }", "rules/paths.md": rule("globs: '/src/*.rs'") }
  expect((await run(cases, [], files)).out).toEndWith("3 passed, 0 failed\n")
})

test("files are read, then written, then other calls made", async () => {
  const cases = `- case: A read file is known to the write
  read: { a.ts: console.log(1) }
  writes: { a.ts: "console.log(1)\\nmore" }
  calls: [{ write: { filePath: b.ts, content: console.log(2) } }]
  expect: { delivered: { refusing: after-file }, notDelivered: [held] }
- case: A held write is made before the call
  writes: { a.rs: "unsafe {" }
  calls: [{ bash: { command: git push } }]
  expect: { held: [held], blocked: [push], delivered: { held: after-call } }
`
  expect((await run(cases)).out).toEndWith("2 passed, 0 failed\n")
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

  test("of calls that ran at once, the one that shows a file is what a rule comes after", async () => {
    const shell = {
      type: "tool",
      tool: "bash",
      callID: "call_2",
      state: { status: "completed", input: {}, output: "" },
    }
    const exported = JSON.stringify({
      info: { id: "ses_1", directory: "/x" },
      messages: [
        message({ role: "user", agent: "build", model }, [text("look")]),
        message({ role: "assistant" }, [{ ...shell, callID: "call_0" }, read("/x/a.rs", "unsafe { }"), shell]),
        message({ role: "assistant" }, [text("done")]),
      ],
    })
    const cases = "- case: It\n  session: s.json\n  expect: { delivered: { unsafe: after-file } }\n"
    expect(await run(cases, [], { "rules/s.json": exported })).toMatchObject({ code: 0, err: "" })
  })

  test("of a folder of the repository keeps its paths, of one beside it does not", async () => {
    const cases = "- case: It\n  session: s.json\n  expect: { delivered: [here] }\n"
    const files = { "web/x.txt": "", "web/.opencode/rules/here.md": rule('globs: "/a.rs"') }
    await using project = await testProject({ ...files, "web/.opencode/rules/a.cases.yaml": cases }, true)
    const played = async (folder: string) => {
      const text = session()["rules/s.json"].replaceAll('"/x', `"${folder}`).replaceAll("<path>/x", `<path>${folder}`)
      await project.write("web/.opencode/rules/s.json", text)
      return (await project.run(["-C", "web", "test"])).code
    }
    expect(await played(join(project.directory, "web"))).toBe(0)
    expect(await played(project.directory)).toBe(1)
    expect(await played(`${project.directory}-beside`)).toBe(0)
  })

  test("whose folder is not known keeps its paths", async () => {
    const text = session()["rules/s.json"].replace('"directory":"/x"', '"other":1')
    const files = { "rules/s.json": text, "rules/unsafe.md": rule('name: unsafe\nglobs: "/a.rs"') }
    expect((await run(body, [], files)).code).toBe(1)
    expect((await run(body, [], { "rules/s.json": text })).code).toBe(0)
  })

  test.each([
    ["", "empty"],
    [" \n", "empty"],
    ["{", "not whole or not JSON (JSON Parse error: Expected '}')"],
    ["[]", "not a session"],
    ['{ "messages": 3 }', "not a session"],
  ])("a file that is none is a clear error: %p", async (content, reason) => {
    const { code, out, err } = await run(body, [], { "rules/s.json": content })
    expect({ code, out, err: err.replace(/: .*\/app\//, ": ") }).toEqual({
      ...{ code: 2, out: "" },
      err: `error: .opencode/rules/s.json: ${reason}; expected is what \`opencode export SESSION > FILE\` writes\n`,
    })
  })

  test("a file that is not there is a clear error", async () => {
    const { code, out, err } = await run(body)
    expect({ code, out, err: err.replace(/: .*?\/app\//, ": ") }).toEqual({
      ...{ code: 2, out: "" },
      err: expect.stringMatching(/^error: \.opencode\/rules\/s\.json: can't be read \(ENOENT: [^\n]*\)\n$/),
    })
  })
})

describe("a file of cases that can't be read", () => {
  test("is named by test with the place and what to do, and by check", async () => {
    const cases = "- case: It\n  promt: x\n  expect: { delivered: [a] }\n"
    const place = ".opencode/rules/all.cases.yaml"
    const keys =
      "case, prompt, command, agent, model, branch, os, session, ci, project, tools, read, writes, calls, expect"
    expect(await run(cases)).toEqual({
      code: 1,
      err: "",
      out: `${place}
  ${place}:2:3 error bad-case promt: is not a key of a case
    The keys are ${keys}

0 passed, 0 failed, 1 can't be read
`,
    })
    await using project = await testProject({ ...RULES, "rules/all.cases.yaml": cases })
    const checked = JSON.parse((await project.run(["check", "--json"])).out)
    expect(checked.findings.map(({ code }: { code: string }) => code)).toEqual(["bad-case"])
  })

  test("its other cases are played", async () => {
    const { out } = await run(`- case: Bad\n${CASES}`)
    expect(out).toEndWith("6 passed, 0 failed, 1 can't be read\n")
  })
})

test("without cases it says where it looked, and fails", async () => {
  await using project = await testProject({ ...RULES, "empty/x.yaml": "" })
  const [home, rules] = ["../home/.config/opencode/rules", ".opencode/rules"].map((path) =>
    join(project.directory, path),
  )
  expect(await project.run(["test"])).toEqual({ code: 1, err: "", out: `no *.cases.yaml in ${home}, ${rules}.\n` })
  expect(await project.run(["test", "empty"])).toEqual({
    ...{ code: 1, err: "", out: `no *.cases.yaml in ${join(project.directory, "empty")}.\n` },
  })
  await project.write("empty/x.cases.yaml", "[]")
  expect(await project.run(["test", "empty"])).toEqual({
    ...{ code: 1, err: "", out: "empty/x.cases.yaml\n\n0 passed, 0 failed\n" },
  })
})

describe("paths", () => {
  const one = (name: string) => `- case: ${name}\n  prompt: deploy\n  expect: { delivered: [deploy] }\n`
  const files = {
    "more/z.cases.yml": one("Z"),
    "more/deep/a.CASES.YAML": one("A"),
    "more/x.yaml": "{",
    "more/z.cases.yml.bak": "",
    "opencode.json": "{}",
  }
  const both = "more/deep/a.CASES.YAML\n  ✓ A\n\nmore/z.cases.yml\n  ✓ Z\n\n2 passed, 0 failed\n"

  test.each([
    [["more"], both],
    [["more/z.cases.yml", "more"], both],
    [["more/z.cases.yml", "more/deep/a.CASES.YAML", "more/z.cases.yml"], both],
    [["more/z.cases.yml"], "more/z.cases.yml\n  ✓ Z\n\n1 passed, 0 failed\n"],
  ])("%p: the files of cases there, each once, in the order of their paths", async (paths, out) => {
    expect(await run(CASES, paths, files)).toEqual({ code: 0, err: "", out })
  })

  test.each([
    ["nowhere", "no such file or folder"],
    ["opencode.json", "not a file of cases; their names end in .cases.yaml"],
    ["more/x.yaml", "not a file of cases; their names end in .cases.yaml"],
  ])("%s is an error", async (path, reason) => {
    const { code, out, err } = await run(CASES, [path], files)
    expect({ code, out, err: err.replace(/: .*\/app\//, ": ") }).toEqual({
      ...{ code: 2, out: "", err: `error: ${path}: ${reason}\n` },
    })
  })

  test("without any, cases lie beside the rules of the project and the user's, in folders too", async () => {
    await using project = await testProject({
      ...RULES,
      ...{ "rules/deep/b.cases.yaml": one("B"), "global/a.cases.yaml": one("A"), "c.cases.yaml": one("C") },
    })
    const { out } = await project.run(["test"])
    expect(out.replace(/^.*\/home\//m, "home/")).toBe(
      ".opencode/rules/deep/b.cases.yaml\n  ✓ B\n\nhome/.config/opencode/rules/a.cases.yaml\n  ✓ A\n\n2 passed, 0 failed\n",
    )
  })
})

test("the same for programs: JSON, and JUnit XML", async () => {
  const failing = '- case: A <b> & "c"\n  prompt: x\n  expect: { delivered: [plan] }\n- x\n'
  await using project = await testProject({ ...RULES, "rules/all.cases.yaml": CASES + failing })
  const { out, code, err } = await project.run(["test", "--json", "--junit", "out.xml"])
  const file = ".opencode/rules/all.cases.yaml"
  const passed = (line: number, name: string) => ({ file, line, name, passed: true, failures: [] })
  const why = "no condition met; agent not met (agent is not one of plan)"
  expect({ code, err, ...JSON.parse(out) }).toEqual({
    ...{ code: 1, err: "", version: 1 },
    cases: [
      ...[passed(1, "An unsafe block that was read"), passed(6, "A deploy by the plan agent"), passed(12, "A push")],
      ...[passed(18, "A new file"), passed(23, "A forbidden text"), passed(27, "A refused text")],
      {
        ...{ file, line: 31, name: 'A <b> & "c"', passed: false },
        failures: [`plan: expected to be delivered, but it is not: ${why}`],
      },
    ],
    problems: [
      {
        ...{ severity: "error", code: "bad-case", file: join(project.directory, file), line: 34, column: 3 },
        ...{ reason: "a case is a mapping", remedy: expect.stringMatching(/^Write for example /) },
      },
    ],
  })
  const xml = await readFile(join(project.directory, "out.xml"), "utf8")
  expect(xml).toStartWith('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n')
  expect(xml).toContain(`<testsuite name="${file}" tests="8" failures="1" errors="1">`)
})

test("JUnit XML is written beside the text, and what can't be written is an error", async () => {
  await using project = await testProject({ ...RULES, "rules/all.cases.yaml": CASES })
  const { code, out } = await project.run(["test", "--junit", "out.xml"])
  expect({ code, end: out.slice(out.lastIndexOf("\n\n")) }).toEqual({ code: 0, end: "\n\n6 passed, 0 failed\n" })
  expect(await readFile(join(project.directory, "out.xml"), "utf8")).toContain('tests="6" failures="0" errors="0"')
  expect(await project.run(["test", "--junit", "no/out.xml"])).toEqual({
    ...{ code: 2, out: "" },
    err: expect.stringMatching(/^error: \/.*\/app\/no\/out\.xml: can't be written \(ENOENT: [^\n]*\)\n$/),
  })
})

test("it fails for one case of many that does not hold, and for one that can't be read", async () => {
  expect((await run(`${CASES}- case: It\n  expect: { delivered: [plan] }\n`)).code).toBe(1)
  expect((await run(`${CASES}- x\n`)).code).toBe(1)
  expect((await run(CASES, [], { "rules/other.cases.yaml": "- x\n" })).code).toBe(1)
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
