import { describe, expect, test } from "bun:test"
import { TOOL_NAMES } from "../sources/table.ts"
import { type DirectoryInput, nestedDirectories, projectFolders, ruleDirectories } from "./directories.ts"

const INPUT: DirectoryInput = {
  env: {},
  home: "/home/dev",
  platform: "linux",
  directory: "/w/app",
  worktree: "/w",
  rulesOf: ["claude", "cline"],
}
const tool = (name: string, folder: string) => ({ kind: "tool", tool: name, folder })
const OUTER = { root: "/w", within: "/w" }
const INNER = { root: "/w/app", project: "/w", within: "/w" }

describe("the rules directories of a session", () => {
  test("are the user's, the project's from the outermost folder down, then those of each tool in the same order", () => {
    expect(ruleDirectories(INPUT)).toEqual([
      { scope: "global", path: "/home/dev/.config/opencode/rules", root: "/w/app", prefix: "" },
      { scope: "project", path: "/w/.opencode/rules", prefix: "", ...OUTER },
      { scope: "project", path: "/w/app/.opencode/rules", prefix: "app/", ...INNER },
      ...[
        {
          ...{ scope: "global", path: "/home/dev/.claude/rules", root: "/w/app", prefix: ".claude/rules/" },
          origin: tool("claude", ".claude/rules"),
        },
        {
          ...{ scope: "project", path: "/w/.claude/rules", prefix: ".claude/rules/", ...OUTER },
          origin: tool("claude", ".claude/rules"),
        },
        {
          ...{ scope: "project", path: "/w/app/.claude/rules", prefix: "app/.claude/rules/", ...INNER },
          origin: tool("claude", ".claude/rules"),
        },
      ],
      ...["Documents/Cline/Rules", "Cline/Rules"].map((folder) => ({
        ...{ scope: "global", path: `/home/dev/${folder}`, root: "/w/app", prefix: `${folder}/` },
        origin: tool("cline", folder),
      })),
      ...[".clinerules", ".cline/rules"].map((folder) => ({
        ...{ scope: "project", path: `/w/${folder}`, prefix: `${folder}/`, ...OUTER },
        origin: tool("cline", folder),
      })),
      ...[".clinerules", ".cline/rules"].map((folder) => ({
        ...{ scope: "project", path: `/w/app/${folder}`, prefix: `app/${folder}/`, ...INNER },
        origin: tool("cline", folder),
      })),
    ] as never)
  })

  test("hold links in the project, unless the user trusts them", () => {
    const within = (input: Partial<DirectoryInput>) =>
      ruleDirectories({ ...INPUT, rulesOf: ["cursor"], ...input }).map((each) => each.within)
    expect(within({})).toEqual([undefined, "/w", "/w", "/w", "/w"])
    expect(within({ projectLinks: false })).toEqual([undefined, "/w", "/w", "/w", "/w"])
    expect(within({ projectLinks: true })).toEqual([undefined, undefined, undefined, undefined, undefined])
    expect(within({ worktree: undefined })).toEqual([undefined, "/w/app", "/w/app"])
  })

  test("of every tool are those that its documentation names", () => {
    const inHome = (path: string) => path.replace("/home/dev", "~").replace("/w/app/", "")
    const places = TOOL_NAMES.map((name) =>
      ruleDirectories({ ...INPUT, worktree: undefined, rulesOf: [name] })
        .slice(2)
        .map(({ path }) => inHome(path)),
    )
    expect(Object.fromEntries(TOOL_NAMES.map((name, at) => [name, places[at]]))).toEqual({
      cursor: [".cursor/rules"],
      claude: ["~/.claude/rules", ".claude/rules"],
      copilot: ["~/.copilot/instructions", ".github/instructions"],
      windsurf: ["~/.codeium/windsurf/memories", ".devin/rules", ".windsurf/rules"],
      kiro: ["~/.kiro/steering", ".kiro/steering"],
      cline: ["~/Documents/Cline/Rules", "~/Cline/Rules", ".clinerules", ".cline/rules"],
      continue: ["~/.continue/rules", ".continue/rules"],
    })
  })

  test("a config folder of the user's own may be relative to the session's", () => {
    const own = (path: string) => ruleDirectories({ ...INPUT, env: { OPENCODE_CONFIG_DIR: path } })[0]?.path
    expect(own("conf")).toBe("/w/app/conf/rules")
    expect(own("/conf")).toBe("/conf/rules")
  })
})

describe("the rules directories of a folder below the session's", () => {
  test("are our own, and those of the tools that look into nested folders", () => {
    const place = { root: "/w/app/api", prefix: "app/api/", project: "/w", within: "/w", scope: "project" }
    expect(nestedDirectories({ ...INPUT, rulesOf: TOOL_NAMES }, "/w/app/api")).toEqual([
      { ...place, path: "/w/app/api/.opencode/rules" },
      ...[".cursor/rules", ".github/instructions", ".devin/rules", ".windsurf/rules"].map((folder, at) => ({
        ...{ ...place, path: `/w/app/api/${folder}`, prefix: `app/api/${folder}/` },
        origin: tool(["cursor", "copilot", "windsurf", "windsurf"][at] ?? "", folder),
      })),
    ] as never)
  })

  test("without other tools are our own alone", () => {
    const { rulesOf: _, ...input } = INPUT
    expect(nestedDirectories({ ...input, worktree: undefined, projectLinks: true }, "/w/app/api")).toEqual([
      { scope: "project", path: "/w/app/api/.opencode/rules", root: "/w/app/api", prefix: "api/", project: "/w/app" },
    ])
  })
})

test("the folders of a project reach from its git root to the session's folder", () => {
  expect(projectFolders({ directory: "/w/a/b", worktree: "/w" })).toEqual(["/w", "/w/a", "/w/a/b"])
  expect(projectFolders({ directory: "/w/a/b/c", worktree: "/w/" })).toEqual(["/w/", "/w/a", "/w/a/b", "/w/a/b/c"])
  expect(projectFolders({ directory: "/w", worktree: "/w/a" })).toEqual(["/w"])
  expect(projectFolders({ directory: "/w/a", worktree: "/" })).toEqual(["/w/a"])
  expect(projectFolders({ directory: "/w/a", worktree: "/x/../" })).toEqual(["/w/a"])
  expect(projectFolders({ directory: "/w/a", worktree: "" })).toEqual(["/w/a"])
})

test("on Windows they are written as there", () => {
  const { platform } = process
  Object.defineProperty(process, "platform", { value: "win32" })
  try {
    expect(projectFolders({ directory: "C:\\w\\a", worktree: "C:/w" })).toEqual(["C:\\w", "C:\\w\\a"])
  } finally {
    Object.defineProperty(process, "platform", { value: platform })
  }
})
