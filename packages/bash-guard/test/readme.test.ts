import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { parse } from "jsonc-parser/lib/esm/main.js"
import { main } from "../src/cli/main.ts"
import { defaults, readLayer } from "../src/config/settings.ts"

// Everything that the README shows is run.

interface Fence {
  readonly language: string
  readonly text: string
}

const readme = readFileSync(join(dirname(import.meta.dir), "README.md"), "utf8")
const fences = [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(
  ([, language = "", text = ""]): Fence => ({ language, text }),
)

function jsonc(start: string): string {
  const found = fences.find(({ language, text }) => language === "jsonc" && text.startsWith(start))
  if (found === undefined) throw new Error(`the README has no block that begins with ${start}`)
  return found.text.slice(found.text.indexOf("\n") + 1)
}

let root = ""
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "guard-readme-"))
  for (const folder of ["one/.git", "one/.opencode", "two/.git"]) mkdirSync(join(root, folder), { recursive: true })
  writeFileSync(join(root, "one/opencode.json"), jsonc("// opencode.json, OpenCode 1.18"))
  writeFileSync(join(root, "one/.opencode/opencode-bash-guard.jsonc"), jsonc("// .opencode/opencode-bash-guard.jsonc"))
  writeFileSync(join(root, "two/opencode.json"), jsonc("// opencode.json, OpenCode 2"))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

async function run(folder: string, args: readonly string[]) {
  let out = ""
  const write = (text: string): void => {
    out += text
  }
  const cwd = join(root, folder)
  const code = await main(args, { cwd, home: root, env: {}, write, writeError: write, readStdin: () => "" })
  return { out, code }
}

const verdicts = (fences.find(({ text }) => /^(?:allow|ask|deny) /.test(text))?.text ?? "")
  .split("\n")
  .flatMap((line) => {
    const [, verdict, command] = /^(allow|ask|deny) +(.*)$/.exec(line) ?? []
    return verdict === undefined || command === undefined ? [] : [[verdict, command] as const]
  })

describe("the verdicts", () => {
  expect(verdicts.length).toBeGreaterThan(10)
  for (const [verdict, command] of verdicts) {
    test(`${verdict} ${command}`, async () => {
      const { out } = await run("one", ["explain", "--json", command])
      expect(JSON.parse(out)).toMatchObject({ verdict, opencode: 1 })
    })
  }
})

describe("the command's output", () => {
  const consoles = fences.filter(({ language }) => language === "console")
  expect(consoles).toHaveLength(2)
  for (const { text } of consoles) {
    const [line = "", ...output] = text.split("\n")
    test(line, async () => {
      const [, command = "", argument] = /^\$ opencode-rulebook-bash-guard (\w+)(?: '(.*)')?$/.exec(line) ?? []
      const { out } = await run("one", argument === undefined ? [command] : [command, argument])
      expect(out).toBe(output.join("\n"))
    })
  }
})

test("the permissions of OpenCode 2", async () => {
  for (const [command, verdict] of [
    ["git status", "allow"],
    ["npm test", "ask"],
    ["git -C . push", "deny"],
  ] as const) {
    const { out } = await run("two", ["explain", "--json", command])
    expect(JSON.parse(out)).toMatchObject({ verdict, opencode: 2 })
  }
  expect((await run("two", ["check"])).code).toBe(0)
})

test("the settings are the defaults", () => {
  const text = fences.find((fence) => fence.text.includes('"restructure"'))?.text ?? ""
  expect(parse(text)).toEqual({ restructure: defaults })
  expect(readLayer(text, "f").warnings).toEqual([])
})

test("the exit codes are those of --help", async () => {
  const { out } = await run("one", ["explain", "--help"])
  const table = [...readme.matchAll(/^\| (\d) \| (.*?) \|$/gm)].map(([, code, text]) =>
    `${code} ${text}`.replace(", or a", " or a"),
  )
  expect(table).toHaveLength(4)
  expect(out).toContain(`Exit codes: ${table.join(", ")}.`)
})

test("links lead to files", () => {
  const links = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map(([, path = ""]) => path)
  for (const path of links)
    expect([path, readFileSync(join(dirname(import.meta.dir), path), "utf8").length > 0]).toEqual([path, true])
})
