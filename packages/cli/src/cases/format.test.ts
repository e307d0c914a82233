import { expect, test } from "bun:test"
import type { Paint } from "../io.ts"
import type { Case } from "./case.ts"
import { formatJUnit, formatResults } from "./format.ts"
import { type CasesFile, readCases } from "./read.ts"
import type { CaseResult } from "./run.ts"

/** Shows which text has which style. */
const MARKED: Paint = (style, text) => `<${style}>${text}</>`

const GOOD: CasesFile = readCases(
  "/app/rules/a.cases.yaml",
  '- case: First & <b> "x" \u001b[2J\n  expect: { held: [a] }\n- case: Second\n  expect: { held: [a] }\n- case: Third\n  expect: { held: [a] }\n',
)
const BAD: CasesFile = readCases("/other/\u001b[2J&.cases.yaml", "- case: It\n  promt: x\n- x\n")

function result({ path, cases }: CasesFile, index: number, milliseconds: number, ...failures: string[]): CaseResult {
  return { file: path, case: cases[index] as Case, failures, milliseconds }
}

const RESULTS = [
  result(GOOD, 0, 1234, "a: expected <x>\u001b[2J", "b: also"),
  result(GOOD, 1, 0.4),
  result(GOOD, 2, 12.5, "c: no"),
]

test("for people: each file with what can't be read in it and its cases, and the sums", () => {
  expect(formatResults([GOOD, BAD], RESULTS, "/app", MARKED)).toBe(`<bold>rules/a.cases.yaml</>
  <red>✗</> First & <b> "x" \\u001b[2J
      a: expected <x>\\u001b[2J
      b: also
  <green>✓</> Second
  <red>✗</> Third
      c: no

<bold>/other/\\u001b[2J&.cases.yaml</>
  <bold>/other/\\u001b[2J&.cases.yaml:2:3</> <red>error</> bad-case promt: is not a key of a case
    The keys are case, prompt, command, agent, model, branch, os, session, ci, project, tools, read, writes, calls, expect
  <bold>/other/\\u001b[2J&.cases.yaml:3:3</> <red>error</> bad-case a case is a mapping
    Write for example \`- case: A test is read\`, \`  read: { a.test.ts: text }\`, \`  expect: { delivered: [tests] }\`

1 passed, 2 failed, 2 can't be read
`)
})

test("for people: no problems, no word of them", () => {
  expect(formatResults([GOOD], RESULTS.slice(1, 2), "/app", MARKED)).toBe(`<bold>rules/a.cases.yaml</>
  <green>✓</> Second

1 passed, 0 failed
`)
})

test("for CI services: JUnit XML, with escaped texts and times in seconds", () => {
  expect(formatJUnit([GOOD, BAD], RESULTS, "/app")).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="rules/a.cases.yaml" tests="3" failures="2" errors="0">
    <testcase classname="rules/a.cases.yaml" name="First &amp; &lt;b&gt; &quot;x&quot; \\u001b[2J" time="1.234">
      <failure message="a: expected &lt;x&gt;\\u001b[2J">a: expected &lt;x&gt;\\u001b[2J
b: also</failure>
    </testcase>
    <testcase classname="rules/a.cases.yaml" name="Second" time="0.000"/>
    <testcase classname="rules/a.cases.yaml" name="Third" time="0.013">
      <failure message="c: no">c: no</failure>
    </testcase>
  </testsuite>
  <testsuite name="/other/\\u001b[2J&amp;.cases.yaml" tests="2" failures="0" errors="2">
    <testcase classname="/other/\\u001b[2J&amp;.cases.yaml" name="line 2">
      <error message="is not a key of a case. The keys are case, prompt, command, agent, model, branch, os, session, ci, project, tools, read, writes, calls, expect."/>
    </testcase>
    <testcase classname="/other/\\u001b[2J&amp;.cases.yaml" name="line 3">
      <error message="a case is a mapping. Write for example \`- case: A test is read\`, \`  read: { a.test.ts: text }\`, \`  expect: { delivered: [tests] }\`."/>
    </testcase>
  </testsuite>
</testsuites>
`)
})
