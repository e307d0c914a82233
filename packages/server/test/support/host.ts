import type { MatchedRuleState, SessionReceipts } from "@opencode-rulebook/rule-schema"
import type { ProjectOptions } from "./project.ts"
import { startV1Host } from "./v1-host.ts"
import { v1Tools } from "./v1-tools.ts"
import { startV2Host } from "./v2-host.ts"
import { v2Tools } from "./v2-tools.ts"

/** One tool call of a scripted model and what the host's tool answers, in the host's own shapes. */
export interface ToolStep {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  /** What the model reads; the error's text when the call fails. */
  readonly output: string
  readonly failed?: boolean
  /** v1: the result's metadata. */
  readonly metadata?: Readonly<Record<string, unknown>>
  /** v2: the result and the structured output; the text alone when they are left out. */
  readonly result?: unknown
  readonly structured?: unknown
}

/** What the scripted model does in one step: a call, several in parallel, or the turn's last words. */
export type Step = ToolStep | readonly ToolStep[] | string

/** One provider request: its messages as `role: text`, in order. */
export type Dispatch = readonly string[]

/** The dispatches of one turn, and the errors that its calls ended with. */
export type Turn = readonly Dispatch[] & { readonly errors: readonly string[] }

/** How the host answers one attempt to store a delivery. */
export type Fault = "ok" | "fails" | "throws" | "stored, answer lost" | Promise<unknown>

export interface HostOptions extends ProjectOptions {
  readonly pluginOptions?: unknown
  /** Texts of rules with `remind` that come again as they are: no other rule is ever twice in a request. */
  readonly repeats?: readonly string[]
  /** The tools that it offers to a model, those of its major when left out. */
  readonly tools?: readonly string[]
  /** Decides the fate of each attempt to store a delivery by its text. */
  readonly persist?: (text: string) => Fault
}

/** A model of a host around the real plugin, as far as both majors have it. */
export interface TestHost extends AsyncDisposable {
  readonly log: readonly string[]
  /** Every delivery that the plugin asked the host to store. */
  readonly prompts: readonly { readonly sessionID: string; readonly text: string }[]
  path(file: string): string
  writeRules(rules: Readonly<Record<string, string>>): Promise<void>
  removeRule(file: string): Promise<void>
  /** Ends the plugin and starts it anew on the same conversations. */
  restart(): Promise<void>
  /** Loads the plugin a second time, beside the first, as a host does for two names of it. */
  loadTwice(): Promise<void>
  session(): TestSession
}

export interface TestSession {
  /** Every provider request of the session, summaries aside. */
  readonly dispatches: readonly Dispatch[]
  /** What the summary requests were made with. */
  readonly summaries: readonly Dispatch[]
  prompt(text: string, steps: readonly Step[], settings?: { readonly agent?: string }): Promise<Turn>
  /** A slash command, as the prompt that it expands to. */
  command(name: string, template: string, steps: readonly Step[]): Promise<Turn>
  /** Compacts; returns what the plugin adds to the summary's prompt. */
  compact(): Promise<readonly string[]>
  /** Reverts to before the nth prompt of the user, counted from 0; takes effect at the next prompt. */
  revert(nth: number): void
  /** Messages that hold a text, in the whole history or on their way into it. */
  storedWith(text: string): readonly unknown[]
  state(): Promise<MatchedRuleState | undefined>
  receipts(): Promise<SessionReceipts | undefined>
  /** The user deletes it. */
  remove(): Promise<void>
  /** One successful call outside of a turn. */
  callTool(step: ToolStep): Promise<void>
  /** What a dispatch would be now. Unlike a turn's, it is not sent. */
  dispatch(): Promise<Dispatch>
}

/** A file's path is the project's; how a call spells it is the host's affair. */
export interface Toolbox {
  read(host: TestHost, file: string, text: string): ToolStep
  write(file: string, content: string): ToolStep
  edit(file: string, oldString: string, newString: string): ToolStep
  patch(patchText: string): ToolStep
  shell(command: string, output?: string): ToolStep
  tool(name: string, args: Record<string, unknown>, output: string): ToolStep
}

export interface HostKind {
  readonly name: string
  readonly start: (options?: HostOptions) => Promise<TestHost>
  readonly tools: Toolbox
  /** Whether a compaction asks plugins for what the summary should be made with. */
  readonly asksAtCompaction: boolean
  /** Whether plugins are told the slash command that a prompt came from. */
  readonly tellsCommand: boolean
}

/** Every suite of sessions runs on each. */
export const hosts: readonly HostKind[] = [
  { name: "OpenCode v1", start: startV1Host, tools: v1Tools, asksAtCompaction: true, tellsCommand: true },
  { name: "OpenCode v2", start: startV2Host, tools: v2Tools, asksAtCompaction: true, tellsCommand: false },
  {
    name: "OpenCode v2, preview of July 2026",
    start: (options) => startV2Host({ ...options, line: "preview" }),
    tools: v2Tools,
    asksAtCompaction: false,
    tellsCommand: false,
  },
]

/** The same call, failing. */
export function failing(step: ToolStep, error = "File not found"): ToolStep {
  return { ...step, failed: true, output: error }
}
