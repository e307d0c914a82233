import { readFile } from "node:fs/promises"
import { resolve } from "node:path"
import { type Command, Option } from "commander"
import type { Io } from "../io.ts"
import { type GivenCall, type GivenFile, writeOf } from "../play/turn.ts"
import { UsageError } from "../usage-error.ts"

/** The options of `explain` as they were given. */
export interface ExplainFlags {
  readonly file?: readonly string[]
  readonly contentFrom?: string
  readonly writes?: string
  readonly prompt?: string
  readonly command?: string
  readonly agent?: string
  readonly model?: string
  readonly branch?: string | false
  readonly tool?: readonly string[]
  readonly os?: string
  readonly ci?: boolean
  readonly project?: readonly string[]
  readonly call?: string
  readonly args?: string
  /** `true`: the newest one. */
  readonly session?: string | true
  readonly json?: true
}

export function addExplainOptions(command: Command): Command {
  return command
    .option("--file <path>", "a file that the agent reads; can be repeated", collect)
    .option(
      "--content-from <file>",
      "the text that the agent sees of it; - is standard input (default: the file's own)",
    )
    .option("--writes <text>", "what it then writes to that file; - is standard input")
    .option("--prompt <text>", "what the user writes")
    .option("--command <name>", "the slash command that begins the turn")
    .option("--agent <name>", "the current agent (default: the configured one, or build)")
    .option("--model <id>", "the current model, as provider/model (default: the configured one)")
    .option("--branch <name>", "the git branch (default: the current one)")
    .option("--no-branch", "no git branch")
    .option(
      "--tool <name>",
      "a tool that is available, or mcp_<server>; can be repeated (default: the built-in ones and the configured servers)",
      collect,
    )
    .addOption(new Option("--os <name>", "the system (default: this one)").choices(["linux", "darwin", "win32"]))
    .option("--ci", "in CI (default: what the environment says)")
    .option("--no-ci", "not in CI")
    .option("--project <tags>", "the project's tags, separated by commas (default: by its marker files)", collectTags)
    .option("--call <tool>", "a tool call, for hooks")
    .option("--args <json>", "the call's arguments")
    .option(
      "--session [id]",
      "what the plugin did in a session, from its receipts: the newest of this project, or the one whose id begins so",
    )
    .option("--json", "print the explanation as JSON")
}

function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value]
}

function collectTags(value: string, before: readonly string[] | undefined): readonly string[] {
  const tags = value.split(",").map((tag) => tag.trim())
  return [...(before ?? []), ...tags.filter((tag) => tag !== "")]
}

/**
 * The files that are read, with their texts. One that is written must have been read before, unless it is new, as on the host.
 *
 * @throws UsageError for a text that can't be read.
 */
export async function givenFiles(
  { file = [], contentFrom, writes }: ExplainFlags,
  io: Io,
): Promise<readonly GivenFile[]> {
  if (contentFrom !== undefined && file.length !== 1) throw new UsageError("--content-from needs exactly one --file")
  const files = file.map(async (given) => {
    const path = resolve(io.cwd, given)
    return { path, content: await contentOf(path, contentFrom, io) }
  })
  return (await Promise.all(files)).filter(({ content }) => writes === undefined || content !== undefined)
}

/** The call that writes the file, if one does. Throws UsageError when it is not clear which, or with what. */
export async function givenWrites(
  { file = [], contentFrom, writes }: ExplainFlags,
  io: Io,
): Promise<readonly GivenCall[]> {
  if (writes === undefined) return []
  const [given] = file
  if (given === undefined || file.length > 1) throw new UsageError("--writes needs exactly one --file")
  if (writes === "-" && contentFrom === "-") throw new UsageError("--writes and --content-from can't both be -")
  const content = writes === "-" ? await io.readStdin() : writes
  return [writeOf(resolve(io.cwd, given), content)]
}

async function contentOf(path: string, contentFrom: string | undefined, io: Io): Promise<string | undefined> {
  if (contentFrom === "-") return shownText(await io.readStdin())
  const source = contentFrom === undefined ? path : resolve(io.cwd, contentFrom)
  try {
    return shownText(await readFile(source, "utf8"))
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT"
    if (contentFrom === undefined && isMissing) return undefined
    throw new UsageError(`${source}: can't be read: ${(error as Error).message}`)
  }
}

/** Of what is no text, a read shows the model none. */
function shownText(text: string): string | undefined {
  return text.includes("\0") ? undefined : text
}

/**
 * The session of the flags: `undefined` where they ask for a dry run, `{ id: undefined }` for the newest one.
 *
 * @throws UsageError for flags of a dry run beside it.
 */
export function givenSession(flags: ExplainFlags): { readonly id: string | undefined } | undefined {
  const { session, json: _, ...others } = flags
  if (session === undefined) return undefined
  const [other] = Object.keys(others)
  if (other !== undefined) {
    const flag = other.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    throw new UsageError(`--session shows a session that has been, so it takes no --${flag}: that is for a dry run`)
  }
  return { id: session === true ? undefined : session }
}

/** The tool call, if there is one. Throws UsageError when its arguments are not valid JSON. */
export function givenCalls({ args, call }: ExplainFlags): readonly GivenCall[] {
  if (call === undefined && args !== undefined) throw new UsageError("--args needs --call")
  return call === undefined ? [] : [{ tool: call, args: args === undefined ? {} : argumentsIn(args) }]
}

function argumentsIn(args: string): unknown {
  try {
    return JSON.parse(args) as unknown
  } catch (error) {
    throw new UsageError(`--args is not valid JSON, for example '{"command":"ls"}' (${(error as Error).message})`)
  }
}

/** `provider/model`; a model's own id may have slashes in it too. */
export function givenModel(id: string | undefined): { providerID: string; modelID: string } | undefined {
  if (id === undefined) return undefined
  const slash = id.indexOf("/")
  return { providerID: id.slice(0, Math.max(slash, 0)), modelID: id.slice(slash + 1) }
}
