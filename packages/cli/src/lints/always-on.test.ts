import { expect, test } from "bun:test"
import { codes, said } from "../../test/linted.ts"

const every = (place: string, effect: string) => `${place} os: names every system, ${effect}. Remove \`os\`.`
const one = (place: string, reason: string, others: string) =>
  `${place}: ${reason}, and one condition is enough: ${others} can't narrow the rule. Write \`match: all\` if every condition is needed, or remove the ones that change nothing.`
const OUTSIDE = "`ci: false` holds in every session outside CI"

test.each<[frontmatter: string, ...findings: string[]]>([
  ["os: [linux, darwin, win32]", every("2:1", "so the rule always applies")],
  ["os: [win32, linux, darwin]\nci: false\nkeywords: deploy", every("2:1", "so the rule always applies")],
  ["match: all\nos: [linux, darwin, win32]\nkeywords: deploy", every("3:1", "so the condition has no effect")],
  ["os: [linux, Linux, linux]"],
  ["ci: FALSE\nglobs: '*.ts'\nbranch: main", one("2:1 ci", OUTSIDE, "file and branch")],
  ["ci: ' false '\nglobs: '*.ts'", one("2:1 ci", OUTSIDE, "file")],
  ["ci: true\nglobs: '*.ts'"],
  ["ci: false"],
  ["match: all\nci: false\nglobs: '*.ts'"],
  [
    "project: [go, node]\nkeywords: deploy",
    one("2:15 project", 'this project is "node", so `project` always holds', "keywords"),
  ],
  ["project: node"],
  ["match: all\nproject: node\nkeywords: deploy"],
  ["os: [darwin, linux]\nkeywords: deploy", one("2:14 os", "`os` always holds on linux", "keywords")],
  ["os: linux"],
  ["match: all\nos: linux\nkeywords: deploy"],
  ["match: any\nos: linux\nkeywords: deploy"],
  ["globs: ['*.ts', '**']\nkeywords: deploy", one("2:17 globs", '"**" matches every file', "keywords")],
  ["globs: '*'\nkeywords: deploy", one("2:8 globs", '"*" matches every file', "keywords")],
  ["globs: '**/**/*'\nkeywords: deploy", one("2:8 globs", '"**/**/*" matches every file', "keywords")],
  ["globs: 'src/**'\nkeywords: deploy"],
  ["globs: '**/*.ts'\nkeywords: deploy"],
  ["globs: '***'\nkeywords: deploy"],
  ["globs: ['**', '!src/deep/**']\nkeywords: deploy"],
  ["globs: '**'\nfileContains: unsafe {\nbranch: main"],
  ["branch: [main, '**']\nfileContains: unsafe {", one("2:16 branch", '"**" matches every branch', "file")],
  ["branch: ['*', '!main']\nkeywords: deploy"],
  ["branch: 'release/**'\nkeywords: deploy"],
  [
    "ci: false\nos: linux\nproject: node\nbranch: '*'\nglobs: '*'",
    one("2:1 ci", OUTSIDE, "file and project and os and branch"),
    one("4:10 project", 'this project is "node", so `project` always holds', "file and os and ci and branch"),
    one("3:5 os", "`os` always holds on linux", "file and project and ci and branch"),
    one("6:8 globs", '"*" matches every file', "project and os and ci and branch"),
    one("5:9 branch", '"*" matches every branch', "file and project and os and ci"),
  ],
])("%j: conditions that always hold", (frontmatter, ...findings) => {
  expect(said(frontmatter, "always-on")).toEqual(findings)
})

test("what holds in this project only does not count for a global rule, what holds on this system does", () => {
  expect(codes("project: node\nkeywords: deploy", "global")).toBe("")
  expect(codes("os: linux\nkeywords: deploy", "global")).toBe("always-on 2:5")
  expect(codes("os: win32\nkeywords: deploy", "global", { os: "win32" })).toBe("always-on 2:5")
})
