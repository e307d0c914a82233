// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the shell expands these, not JavaScript
import { describe, expect, test } from "bun:test"
import { auditText, emptyAccount, isTooDeep } from "./audit.ts"

/** An account in which the given texts have these roles. */
function account(
  source: string,
  roles: { readonly quoted?: string; readonly half?: string; readonly known?: string; readonly leaf?: string },
) {
  const span = (text: string) => ({ pos: source.indexOf(text), end: source.indexOf(text) + text.length })
  const made = emptyAccount()
  if (roles.quoted !== undefined) made.quoted.push(span(roles.quoted))
  if (roles.half !== undefined) made.halfQuoted.push(span(roles.half))
  if (roles.leaf !== undefined) made.leaves.push(span(roles.leaf))
  if (roles.known !== undefined) {
    made.starts.add(span(roles.known).pos)
    if (roles.known.startsWith("`")) made.closings.add(span(roles.known).end - 1)
  }
  return made
}

describe("a tree that knows nothing: every opening is missed", () => {
  const rows: readonly [source: string, missed: readonly number[]][] = [
    ["echo $(id)", [5]],
    ["echo `id`", [5, 8]],
    ["cat <(id) >(id)", [4, 10]],
    ["echo ${ id; }", [5]],
    ["echo ${\tid; }", [5]],
    ["echo ${| id; }", [5]],
    ["echo $((a[$(id)]))", [5, 10]],
    ["echo $\\\n(id)", [5]],
    ["echo <\\\n(id)", [5]],
    ["$\\\nname", [0]],
    ['echo "$(id)"', [6]],
    ["echo '$(id)'", [6]],
    ["echo \\$(id)", []],
    ["echo \\\\$(id)", [7]],
    ["echo \\`id\\`", []],
    ["echo ${x} $x", []],
    ["ls # $(id)", []],
    ["ls a#$(id)", [5]],
  ]
  for (const [source, missed] of rows) {
    test(JSON.stringify(source), () => expect(auditText(source, emptyAccount())).toEqual([...missed]))
  }
})

test("what the tree has is not missed", () => {
  expect(auditText("echo $(id)", account("echo $(id)", { known: "$(id)" }))).toEqual([])
  expect(auditText("echo `id`", account("echo `id`", { known: "`id`" }))).toEqual([])
})

test("quoted text is not missed", () => {
  for (const text of ["'$(id)'", "'<(id)'"]) {
    const source = `echo ${text}`
    expect(auditText(source, account(source, { quoted: text }))).toEqual([])
  }
})

test("in double quotes and here-documents only process substitutions are text", () => {
  const source = 'echo "<(id) $(id)"'
  expect(auditText(source, account(source, { half: "<(id) $(id)" }))).toEqual([source.indexOf("$")])
})

test("a `#` within a word begins no comment", () => {
  const source = "a=(1 # $(id)\n)"
  expect(auditText(source, account(source, { leaf: source }))).toEqual([source.indexOf("$")])
})

test("brackets within brackets are too deep from a hundred on, and sooner in a long text", () => {
  const rows: readonly [source: string, isDeep: boolean][] = [
    ["(".repeat(100), false],
    ["(".repeat(101), true],
    ["{".repeat(101), true],
    ["({".repeat(51), true],
    ["(){}".repeat(200), false],
    [`${")".repeat(50)}${"(".repeat(100)}`, false],
    [`${")".repeat(50)}${"(".repeat(101)}`, true],
    [`${"(".repeat(101)}${")".repeat(101)}`, true],
    [`${"(".repeat(60)}${")".repeat(30)}${"(".repeat(70)}`, false],
    [`${"(".repeat(50)}${"x".repeat(199_950)}`, false],
    [`${"(".repeat(50)}${"x".repeat(199_951)}`, true],
  ]
  for (const [source, isDeep] of rows)
    expect([source.slice(0, 60), isTooDeep(source)]).toEqual([source.slice(0, 60), isDeep])
})
