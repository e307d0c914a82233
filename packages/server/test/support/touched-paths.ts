import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { plugin } from "bun"
import type { HostKind } from "./host.ts"

// Run by itself, with the place of a host in `hosts`: plays a session and prints what the plugin did with which path.

const FS = /from "node:fs\/promises"/
/** Other ways to files; a hook's command is a process of its own. */
const OTHER_WAYS = /from "(?:node:)?fs"|from "fs\/promises"|\bBun\.|\brequire\(|from "bun"/

plugin({
  name: "watched file system",
  setup(build) {
    build.onLoad({ filter: /packages\/(?:server|rule-schema)\/src\/.*\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8")
      if (OTHER_WAYS.test(source)) throw new Error(`${path} has another way to files than node:fs/promises`)
      const watched = JSON.stringify(join(import.meta.dir, "watched-fs.ts"))
      return { contents: source.replace(FS, `from ${watched}`), loader: "ts" }
    })
  },
})

const { touched } = await import("./watched-fs.ts")
const { hosts } = await import("./host.ts")
const kind = hosts[Number(process.argv[2])]
if (!kind) throw new Error("no such host")
process.stdout.write(JSON.stringify(await play(kind)))

async function play({ start, tools }: HostKind): Promise<string[]> {
  const { read, write, edit, patch, shell, tool } = tools
  await using host = await start({
    files: {
      ".git/HEAD": "ref: refs/heads/main\n",
      "package.json": "{}",
      "src/a.rs": "unsafe {}",
      "src/deep/b.rs": "unsafe {}",
      "src/deep/.opencode/rules/nested.md": "Nested rule.",
      "notes.txt": "unsafe {}",
      "secret/.env": "TOKEN=x",
      "node_modules/x/index.js": "x",
    },
    rules: {
      "all.md":
        '---\nglobs: ["**/*.rs", "notes.txt"]\nfileContains: "unsafe {"\nkeywords: [deploy]\nbranch: [main]\nproject: [node]\nci: true\n---\nA rule.',
      "sub/hook.md": "---\nhooks:\n  - type: PreToolUse\n    tool: bash\n    match: deploy\n---\nA hook.",
    },
    globalRules: { "own.md": "A rule of the user's own." },
  })
  const session = host.session()
  await session.prompt("deploy @notes.txt", [
    read(host, "src/a.rs", "unsafe {}"),
    write("src/deep/b.rs", "unsafe {}"),
    edit("notes.txt", "a", "b"),
    patch("*** Begin Patch\n*** Update File: src/a.rs\n@@\n-a\n+b\n*** End Patch"),
    shell("cat secret/.env"),
    tool("glob", { pattern: "**/*" }, host.path("node_modules/x/index.js")),
    "done",
  ])
  await session.compact()
  await host.restart()
  await session.prompt("go on", [write("src/new.rs", "x"), "done"])
  await session.state()
  const home = join(host.path("."), "..")
  return touched.map((use) => use.replaceAll(home, "~"))
}
