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

test("a file that can't be read is a warning", () => {
  mkdirSync(join(root, "home/.config/opencode", configFile), { recursive: true })
  const loaded = loadConfig({ env: {}, home: join(root, "home"), projects: [] })
  expect(loaded.restructure.enabled).toBe(false)
  expect(loaded.warnings).toEqual([expect.stringContaining("cannot be read")])
})
