import { afterEach, beforeEach, expect, test } from "bun:test"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { configFile, loadConfig } from "./load.ts"

let root = ""
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "guard-config-"))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(folder: string, segments: number): void {
  const path = join(root, folder, configFile)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify({ restructure: { max_segments: segments } }))
}

function segments(env: Record<string, string>, projects: readonly string[] = []): number {
  const loaded = loadConfig({ env, home: join(root, "home"), projects: projects.map((name) => join(root, name)) })
  expect(loaded.warnings).toEqual([])
  return loaded.restructure.max_segments
}

test("the user's folder is $OPENCODE_CONFIG_DIR, else $XDG_CONFIG_HOME/opencode, else ~/.config/opencode", () => {
  write("home/.config/opencode", 10)
  write("xdg/opencode", 20)
  write("own", 30)
  expect(segments({})).toBe(10)
  expect(segments({ XDG_CONFIG_HOME: "" })).toBe(10)
  expect(segments({ XDG_CONFIG_HOME: join(root, "xdg") })).toBe(20)
  expect(segments({ XDG_CONFIG_HOME: join(root, "xdg"), OPENCODE_CONFIG_DIR: join(root, "own") })).toBe(30)
})

test("the repository's file goes over the user's, the project's over both", () => {
  write("home/.config/opencode", 10)
  expect(segments({}, ["repo", "repo/sub"])).toBe(10)
  write("repo/.opencode", 40)
  expect(segments({}, ["repo", "repo/sub"])).toBe(40)
  write("repo/sub/.opencode", 50)
  expect(segments({}, ["repo", "repo/sub"])).toBe(50)
})

test("cases of all files count, each file once", () => {
  const file = (name: string) => JSON.stringify({ cases: [{ action: "ask", match: [name] }], [name]: 1 })
  for (const [folder, name] of [
    ["home/.config/opencode", "user"],
    ["repo/.opencode", "repo"],
    ["repo/sub/.opencode", "sub"],
  ] as const) {
    mkdirSync(join(root, folder), { recursive: true })
    writeFileSync(join(root, folder, configFile), file(name))
  }
  const projects = ["repo", "repo", "repo/sub"].map((name) => join(root, name))
  const loaded = loadConfig({ env: { OPENCODE_CONFIG_DIR: "" }, home: join(root, "home"), projects })
  expect(loaded.cases.map(({ command }) => command)).toEqual(["user", "repo", "sub"])
  expect(loaded.warnings.map((warning) => warning.split(";")[0]?.slice(root.length))).toEqual([
    `/home/.config/opencode/${configFile}:1: unknown setting "user"`,
    `/repo/.opencode/${configFile}:1: unknown setting "repo"`,
    `/repo/sub/.opencode/${configFile}:1: unknown setting "sub"`,
  ])
})

test("a file that can't be read is a warning; one that isn't there is none", () => {
  const path = join(root, "home/.config/opencode", configFile)
  mkdirSync(path, { recursive: true })
  writeFileSync(join(root, ".opencode"), "no folder")
  const loaded = loadConfig({ env: {}, home: join(root, "home"), projects: [root] })
  expect(loaded).toEqual({
    restructure: { enabled: false, max_segments: 3, max_depth: 2 },
    cases: [],
    warnings: [expect.stringMatching(/:1: cannot be read \(EISDIR: [^;]+\); restructuring is off until it can;/)],
  })
  expect(loaded.warnings[0]).toStartWith(path)
})

test("a project's file that can't be read turns restructuring off", () => {
  const user = join(root, "home/.config/opencode", configFile)
  mkdirSync(dirname(user), { recursive: true })
  writeFileSync(user, '{ "restructure": { "enabled": true } }')
  const places = { env: {}, home: join(root, "home"), projects: [root] }
  expect(loadConfig(places).restructure.enabled).toBe(true)
  mkdirSync(join(root, ".opencode", configFile), { recursive: true })
  expect(loadConfig(places).restructure.enabled).toBe(false)
})
