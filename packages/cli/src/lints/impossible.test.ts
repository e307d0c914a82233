import { describe, expect, test } from "bun:test"
import { said } from "../../test/linted.ts"

const DEAD = "so the rule never matches"
const HOOK = "hooks: { type: PreToolUse, tool: bash }"
const taken = (place: string, outcome = DEAD) =>
  `${place}: the exclusions take away all that the other patterns include, ${outcome}. Narrow or remove the exclusion.`
const wildcard = (place: string, name: string) =>
  `${place}: "${name}" is not a pattern here: names are compared whole, ${DEAD}. Write each name out; patterns are for \`globs\` and \`branch\`.`
const spaced = (place: string, name: string, noun: string) =>
  `${place}: "${name}" has whitespace in it, which no ${noun}'s name has, ${DEAD}. Write the name alone.`

describe("conditions that nothing meets", () => {
  test.each<[frontmatter: string, ...findings: string[]]>([
    ["globs: ['src/*.ts', '!**']", taken("2:9 globs")],
    ["globs: ['src/*.ts', '*.go', '!*.rs', '!**/*']", taken("2:9 globs")],
    ["globs: ['!src/*.ts', 'src/*.ts']", taken("2:22 globs")],
    ["globs: ['././src/*.ts', '! src/*.ts']", taken("2:9 globs")],
    ["globs: ['.//src/*.ts', '!./src/*.ts']", taken("2:9 globs")],
    ["globs: ['*.ts', '**/**/*.go', '!**/*.ts', '!*.go']", taken("2:9 globs")],
    ["paths: ['**', '!**/**']", taken("2:9 paths")],
    ["globs: ['*.ts', '*.go', '!*.ts']"],
    ["globs: ['**/src/*.ts', '!src/*.ts']"],
    ["globs: ['src/*.ts', '!**/src/*.ts']"],
    ["globs: ['src/**/*.ts', '!*.ts']"],
    ["globs: ['*.ts', '!src/*', '!a/**']"],
    ["globs: ['a./b/*.ts', 'a**/b.ts', '!ab/*.ts', '!ab.ts']"],
    ["branch: [main, dev, '!*']", taken("2:10 branch")],
    ["branch: [main, '!**', '!x']", taken("2:10 branch")],
    ["branch: [main, '!main']\nci: true", taken("2:10 branch", "so the condition is never met")],
    [`branch: [main, '!main']\n${HOOK}`, taken("2:10 branch", "so the condition is never met")],
    ["match: all\nbranch: [main, '!main']", taken("3:10 branch")],
    ["branch: ['**/main', '!main']"],
    ["branch: ['./main', '!main']"],
    ["command: [dep*, 'roll?']", wildcard("2:11 command", "dep*"), wildcard("2:17 command", "roll?")],
    ["agent: [bu*, 'plan?']", wildcard("2:9 agent", "bu*"), wildcard("2:14 agent", "plan?")],
    ["model: claude-*", wildcard("2:8 model", "claude-*")],
    ["tools: mcp_*", wildcard("2:8 tools", "mcp_*")],
    ["command: [deploy, 'roll*', 'go on']"],
    ["tools: [mcp_*, lsp]"],
    [
      "command: ['roll back', 'go on']",
      spaced("2:11 command", "roll back", "command"),
      spaced("2:24 command", "go on", "command"),
    ],
    ["branch: 'my branch'", spaced("2:9 branch", "my branch", "branch")],
    ["branch: ['my branch', main]"],
    ["agent: 'my agent'"],
    ["match: all\nbranch: [main, '!main']\nci: true"],
  ])("%j", (frontmatter, ...findings) => expect(said(frontmatter, "impossible-condition")).toEqual(findings))
})

describe("conditions of which all are needed, and one is never met", () => {
  const never = (found: string) => found.replace(": ", ": `match: all` can never hold: ").replace(`, ${DEAD}`, "")
  const foreign = (place: string, systems: string) =>
    `${place}: \`match: all\` can never hold: the paths have drive letters, which do not exist on ${systems}. Add win32 to \`os\`, or correct the paths.`

  test.each<[frontmatter: string, ...findings: string[]]>([
    ["match: all\nbranch: [main, '!main']\nci: true", never(taken("3:10 branch"))],
    [
      "match: all\ncommand: roll back\nmodel: claude-*",
      never(wildcard("4:8 model", "claude-*")),
      never(spaced("3:10 command", "roll back", "command")),
    ],
    ["match: all\nbranch: [main, '!main']"],
    ["branch: [main, '!main']\nci: true"],
    [
      "match: all\nglobs: ['!src/**', 'C:/code/**', 'd:\\x']\nos: [linux, darwin]",
      foreign("3:20 globs", "linux and darwin"),
    ],
    ["match: all\nglobs: ['C:/code/**', 'src/**']\nos: linux"],
    ["match: all\nglobs: 'C:/code/**'\nos: [linux, win32]"],
    ["match: all\nglobs: 'C:/code/**'\nci: true"],
    ["match: all\nglobs: 'xC:/code/**'\nos: linux"],
    ["match: all\nglobs: 'C:x'\nos: linux"],
    ["globs: 'C:/code/**'\nos: linux"],
    ["match: all\nos: linux\nkeywords: deploy"],
  ])("%j", (frontmatter, ...findings) => expect(said(frontmatter, "impossible-all")).toEqual(findings))
})
