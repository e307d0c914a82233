import { expect, test } from "bun:test"
import { join } from "node:path"
import { hosts } from "./support/host.ts"

/** Files by which a project tells what it is, each looked for by its name (`machine/project.ts`). */
const MARKERS =
  "package.json pnpm-workspace.yaml lerna.json nx.json turbo.json rush.json go.mod go.work Cargo.toml pyproject.toml requirements.txt setup.py setup.cfg Pipfile manifest.json public/manifest.json src/manifest.json wxt.config.ts wxt.config.js"

/** All places that the plugin looks at, whatever the agent reads and writes: `~` is the user's home, which holds the project. */
const PLACES = [
  /^~\/\.local\/state\/opencode\/rulebook(?:\/receipts)?(?:\/\.?ses_[^/]+)?$/,
  /^~\/\.config\/opencode\/rules(?:\/own\.md)?$/,
  /^~\/project(?:\/src|\/src\/deep)?\/\.opencode\/rules(?:\/.+)?$/,
  /^~\/project\/\.git(?:\/HEAD)?$/,
]
const FILES = new Set(MARKERS.split(" ").map((name) => `~/project/${name}`))

test.each(hosts.map(({ name }, index) => [name, index] as const))(
  "%s: nothing of the workspace is scanned or read but rules, marker files and the branch",
  async (_name, index) => {
    const script = join(import.meta.dir, "support/touched-paths.ts")
    const child = Bun.spawn([process.execPath, script, String(index)], { stdout: "pipe", stderr: "inherit" })
    const uses: string[] = JSON.parse(await new Response(child.stdout).text())
    const isExpected = (use: string) => {
      const [what = "", path = ""] = [use.slice(0, use.indexOf(" ")), use.slice(use.indexOf(" ") + 1)]
      // That a link leads out of the project shows by the project's own real path.
      if (path === "~/project") return what === "realpath"
      return FILES.has(path) || PLACES.some((place) => place.test(path))
    }
    expect([...new Set(uses.filter((use) => !isExpected(use)))]).toEqual([])
    for (const file of ["all.md", "sub/hook.md"]) expect(uses).toContain(`open ~/project/.opencode/rules/${file}`)
    expect(uses).toContain("open ~/project/src/deep/.opencode/rules/nested.md")
    expect(uses).toContain("open ~/project/.git/HEAD")
    expect(uses).toContain("open ~/project/package.json")
  },
  30_000,
)
