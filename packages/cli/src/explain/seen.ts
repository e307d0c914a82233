import type { Facts, FamilyName, FileObservation } from "@opencode-rulebook/rule-schema"
import { quoted, visible } from "@opencode-rulebook/rule-schema/authoring"
import { shownPath } from "../check/format.ts"

/** The value that a family was compared with: for programs (null: none), and for people. */
export interface Seen {
  readonly value: unknown
  readonly saw: string
}

/** What a family saw. Paths below `directory` are shown relative to it. */
export function seenBy(family: FamilyName, facts: Facts, files: readonly FileObservation[], directory: string): Seen {
  const shown = files.map((file) => ({ ...file, path: shownPath(file.path, directory) }))
  return SEEN[family](facts, shown)
}

const SEEN = {
  file: (_, files) => ({
    value: files.map(({ path, content }) => ({ path, characters: content?.length ?? null })),
    saw: files.length === 0 ? "no file" : files.map(describeFile).join(", "),
  }),
  keywords: ({ prompt }) => text("prompt", prompt, "--prompt"),
  command: ({ command }) => text("command", command, "--command"),
  project: ({ project }) => names("project", project, "--project"),
  os: ({ os }) => text("os", os, "--os"),
  ci: ({ ci }) => ({ value: ci ?? null, saw: ci === true ? "CI" : "no CI" }),
  agent: ({ agent }) => text("agent", agent, "--agent"),
  model: ({ model }) => {
    const id = model && [model.providerID, model.modelID].filter((part) => part !== "").join("/")
    return text("model", id, "--model")
  },
  branch: ({ branch }) =>
    branch === undefined
      ? { value: null, saw: "not a git repository, or no branch is checked out (use --branch)" }
      : text("branch", branch, "--branch"),
  tools: ({ tools }) => names("tools", tools, "--tool"),
} satisfies Record<FamilyName, (facts: Facts, files: readonly FileObservation[]) => Seen>

function describeFile({ path, content }: FileObservation): string {
  const size = content === undefined ? "its text is not known" : `${content.length} characters`
  return `${visible(path)} (${size})`
}

function text(noun: string, value: string | undefined, flag: string): Seen {
  if (value === undefined) return { value: null, saw: `no ${noun} given (use ${flag})` }
  return { value, saw: `${noun} ${quoted(value, 80)}` }
}

function names(noun: string, value: ReadonlySet<string> | undefined, flag: string): Seen {
  if (value === undefined) return { value: null, saw: `no ${noun} given (use ${flag})` }
  const list = [...value].toSorted()
  return { value: list, saw: list.length === 0 ? `${noun}: none` : `${noun}: ${list.map(visible).join(", ")}` }
}
