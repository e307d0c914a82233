import { expect, test } from "bun:test"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { testProject } from "./project.ts"

async function script(shell: string): Promise<string> {
  await using project = await testProject({})
  const { code, out } = await project.run(["completions", shell])
  expect(code).toBe(0)
  return out
}

/** What bash offers for a command line with the cursor at its end. */
async function bashOffers(...words: readonly string[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "rulebook-completions-"))
  try {
    await writeFile(join(folder, "script"), await script("bash"))
    const line = ["opencode-rulebook", ...words].map((word) => `'${word}'`).join(" ")
    const ask = `source ${join(folder, "script")}; COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _opencode_rulebook; printf '%s\\n' "\${COMPREPLY[@]}"`
    const child = Bun.spawn(["bash", "--norc", "-c", ask], { stdio: ["ignore", "pipe", "inherit"] })
    return (await child.stdout.text()).split("\n").filter((word) => word !== "")
  } finally {
    await rm(folder, { recursive: true })
  }
}

test("bash completes commands, and the options of the command that stands before", async () => {
  expect(await bashOffers("")).toContain("check")
  expect(await bashOffers("ex")).toEqual(["explain"])
  expect(await bashOffers("check", "--")).toEqual(
    expect.arrayContaining(["--json", "--quiet", "--directory", "--help"]),
  )
  expect(await bashOffers("check", "--")).not.toContain("--prompt")
  expect(await bashOffers("-C", "x", "explain", "--pro")).toEqual(["--prompt", "--project"])
})

test("zsh and fish get each command and option, with what it means", async () => {
  const zsh = await script("zsh")
  const fish = await script("fish")
  expect(zsh).toStartWith("#compdef opencode-rulebook\n")
  for (const word of ["check", "explain", "init", "completions"]) {
    expect(zsh).toContain(`'${word}:`)
    expect(fish).toContain(` -a ${word} -d `)
  }
  expect(zsh).toContain("'--prompt:what the user writes'")
  expect(fish).toContain("-n '__fish_seen_subcommand_from explain' -l prompt -d 'what the user writes'")
})

test("a text with a quote stays one word", async () => {
  const zsh = await script("zsh")
  const child = Bun.spawn(["bash", "-n"], { stdin: new Blob([zsh.replace("#compdef", "#")]), stderr: "pipe" })
  expect(await child.stderr.text()).toBe("")
})

test("another shell is a usage error that names those that there are", async () => {
  await using project = await testProject({})
  const { code, err } = await project.run(["completions", "tcsh"])
  expect(code).toBe(2)
  expect(err).toContain("bash, zsh, fish")
})
