import { describe, expect, test } from "bun:test"
import { judge } from "../../judge.ts"
import type { Place } from "../../permissions/places.ts"
import { compilePermissions } from "../../permissions/rules.ts"
import { readScript } from "../../shell/read.ts"
import { hostSees, isUnseenOnly } from "./seen.ts"

const place: Place = {
  cwd: "/p",
  directory: "/p",
  worktree: "/p",
  home: "/home/dev",
  exists: () => true,
  isInEnvironment: (name) => name === "TERM",
  isDirectory: () => false,
}

const permissions = compilePermissions([
  { permission: "*", pattern: "*", action: "ask" },
  { permission: "bash", pattern: "pushd *", action: "ask" },
])

const verdictOf = (source: string) => judge(readScript(source), permissions, place)

describe("the host sees a command of its own", () => {
  const rows: readonly [source: string, isSeen: boolean][] = [
    ["npm test", true],
    ["cd x && npm test", true],
    ["A=1 B=a/b:c@d%e+f,g-h.i npm test", true],
    ["A=1  npm test", true],
    ["./x.sh", true],
    ["[x y", false],
    ["A='1' npm test", false],
    ["A=$x npm test", false],
    ["'npm' test", false],
    ["$x y", false],
    ["A=1", false],
    ["eval 'npm test'", true],
    ["cd 'x'; timeout 5 npm test", true],
    ["A=$(npm test)", true],
    ["export A=$(cd x)", false],
    ["A='$(npm test)'; export B=$(npm test)", false],
    ["A=`npm test`", false],
    ["A=$( npm test )", false],
    ["export A=$(timeout 5 npm test)", true],
    ...[
      "cd x",
      "chdir x",
      "pushd x",
      "popd",
      "declare a",
      "typeset a",
      "export a",
      "readonly a",
      "local a",
      "unset a",
    ].map((source): [string, boolean] => [source, false]),
    ["[ -d x ]", false],
    ["[[ -d x ]]", false],
  ]
  for (const [source, isSeen] of rows)
    test(`${source}: ${isSeen}`, () => expect(hostSees(source, verdictOf(source).commands)).toBe(isSeen))
})

describe("all that is asked about is what the host passes over at the top", () => {
  const rows: readonly [source: string, isOnly: boolean][] = [
    ["export TERM", true],
    ["export TERM; unset 9; [ -d x ]", true],
    ["pushd sub", true],
    ["cd /etc", true],
    ["pushd /etc/a.b && popd", true],
    ["chdir ~/a-b+c", true],
    ["cd", true],
    ["cd '/etc'", false],
    ['cd "/etc"', false],
    ["cd /etc; [ -d x ]", false],
    ["pushd /etc; export TERM", true],
    ["export A=$(npm test)", false],
    ["export A=$(cd /etc)", false],
    ["export $x", false],

    ["cd x > a", false],
    ["[[ -v 'a[$(x)]' ]]", false],
  ]
  for (const [source, isOnly] of rows) {
    test(`${source}: ${isOnly}`, () => {
      const { kind, reasons, commands } = verdictOf(source)
      expect([kind, isUnseenOnly(reasons, commands)]).toEqual(["ask", isOnly])
    })
  }
})
