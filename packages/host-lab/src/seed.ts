import { mkdir, symlink, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"

export type PluginSpec = string | readonly [spec: string, options: Record<string, unknown>]

/** Files by path relative to the folder. */
export type Files = Readonly<Record<string, string | Uint8Array>>

/** Writes the files, making folders as needed. */
export async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
}

/**
 * Makes a config folder that the host leaves alone.
 * At first load the host installs its plugin package into each config folder, unless `node_modules` is there and the
 * lock file's root already names it (measured on OpenCode 1.18.33).
 */
export async function seedConfigFolder(folder: string): Promise<void> {
  const dependencies = { "@opencode-ai/plugin": "1.18.33" }
  await mkdir(join(folder, "node_modules"), { recursive: true })
  await writeFiles(folder, {
    "package.json": JSON.stringify({ dependencies }),
    "package-lock.json": JSON.stringify({ lockfileVersion: 3, requires: true, packages: { "": { dependencies } } }),
  })
}

/** Scratch folders for one host: its home and the XDG folders below it. */
export async function seedHome(root: string): Promise<Record<string, string>> {
  const env = {
    HOME: join(root, "home"),
    XDG_CONFIG_HOME: join(root, "config"),
    XDG_DATA_HOME: join(root, "data"),
    XDG_CACHE_HOME: join(root, "cache"),
    XDG_STATE_HOME: join(root, "state"),
  }
  for (const folder of Object.values(env)) await mkdir(folder, { recursive: true })
  await seedConfigFolder(join(env.XDG_CONFIG_HOME, "opencode"))
  return env
}

/** Provider and models of a scenario project; every model id is `lab/<name>`. */
export function providerConfig(baseURL: string): Record<string, unknown> {
  const model = (name: string, context: number, extra: Record<string, unknown> = {}) => ({
    name,
    tool_call: true,
    attachment: true,
    modalities: { input: ["text", "image", "pdf"], output: ["text"] },
    limit: { context, output: 4000 },
    ...extra,
  })
  const variants = { low: { reasoningEffort: "low" }, high: { reasoningEffort: "high" } }
  return {
    model: "lab/plain",
    small_model: "lab/plain",
    permission: "allow",
    autoupdate: false,
    share: "disabled",
    // Snapshots of the work tree double a git project's time and matter to no scenario.
    snapshot: false,
    provider: {
      lab: {
        npm: "@ai-sdk/openai-compatible",
        options: { baseURL, apiKey: "scripted" },
        models: {
          plain: model("Plain", 200_000, { reasoning: true, variants }),
          other: model("Other", 200_000),
          "gpt-5-lab": model("Patch", 200_000),
          small: model("Small", 20_000),
        },
      },
    },
  }
}

/**
 * Config of the `lsp` tool's TypeScript server, from this workspace's `node_modules`. Its syntax server would answer while
 * the project is still loading, with less.
 */
export function lspConfig(): Record<string, unknown> {
  const entry = join(packageFolder("typescript-language-server"), "lib", "cli.mjs")
  const initialization = { tsserver: { useSyntaxServer: "never" } }
  const command = [process.execPath, entry, "--stdio"]
  return { typescript: { command, extensions: [".ts", ".tsx", ".js"], initialization } }
}

/** Config of MCP servers of these names; each has one tool, `<name>_echo`. */
export function mcpConfig(names: readonly string[]): Record<string, unknown> {
  const command = [process.execPath, join(import.meta.dir, "mcp-server.ts")]
  return Object.fromEntries(names.map((name) => [name, { type: "local", command }]))
}

/** Gives the project a TypeScript 5, which has the `tsserver` that version 7 lacks. */
export async function linkTypescript(folder: string): Promise<void> {
  await mkdir(join(folder, "node_modules"), { recursive: true })
  await symlink(packageFolder("typescript"), join(folder, "node_modules", "typescript"), "dir")
}

/** Makes the folder a git repository with all its files in one commit. */
export async function initGit(folder: string, branch: string, env: Record<string, string>): Promise<void> {
  const identity = ["-c", "user.name=lab", "-c", "user.email=lab@example.invalid"]
  for (const args of [
    ["init", "-q", "-b", branch],
    ["add", "-A"],
    [...identity, "commit", "-q", "--allow-empty", "-m", "seed"],
  ]) {
    const child = Bun.spawn(["git", ...args], { cwd: folder, env, stdout: "ignore", stderr: "pipe" })
    if ((await child.exited) !== 0) throw new Error(`git ${args[0]}: ${await new Response(child.stderr).text()}`)
  }
}

function packageFolder(name: string): string {
  return dirname(Bun.resolveSync(`${name}/package.json`, import.meta.dir))
}
