import type { CommandNode, CompoundList, Redirection } from "unbash"
import type { ArgumentWord } from "./reading.ts"
import { toArgument } from "./words.ts"

/** What a command reads on its standard input, as far as the script says. */
export type Feed =
  /** Whatever the whole script got. */
  | { readonly kind: "inherited" }
  /** Text that stands in the script; `known` is false when expansions change it, or when another command may read of it first. */
  | { readonly kind: "text"; readonly text: string; readonly known: boolean }
  /** Another program's output, a file, or anything else. */
  | { readonly kind: "unknown" }

export interface FeedPlace {
  readonly source: string
  readonly stdin: Feed
}

/** The standard input after a command's redirections; the last one on descriptor 0 counts. */
export function feedFromRedirects(redirects: readonly Redirection[], place: FeedPlace): Feed {
  let feed = place.stdin
  for (const redirect of redirects) feed = feedFromRedirect(redirect, place.source) ?? feed
  return feed
}

/** The feed of a group's commands: where several read from it, what is left for each is not known. */
export function feedOfGroup(feed: Feed, body: CompoundList): Feed {
  if (feed.kind !== "text" || !feed.known) return feed
  const [only, ...others] = body.commands
  return others.length === 0 && only?.command.type === "Command" ? feed : { ...feed, known: false }
}

/** What the next command of a pipeline reads: known for `echo`, `printf` and `cat` of text that stands in the script. */
export function feedFromCommand(node: CommandNode, place: FeedPlace): Feed {
  if (node.type === "Subshell" || node.type === "BraceGroup") return feedFromGroup(node.body, place)
  if (node.type !== "Command" || node.name === undefined) return { kind: "unknown" }
  const args = node.args.map((argument) => toArgument(argument, place.source))
  switch (toArgument(node.name, place.source).value) {
    case "echo":
      return echoed(args)
    case "printf":
      return printed(args)
    case "cat":
      return args.length === 0 ? asOutput(feedFromRedirects(node.redirects, place)) : { kind: "unknown" }
    default:
      return { kind: "unknown" }
  }
}

/** `(echo a; echo b) | sh` */
function feedFromGroup(body: CompoundList, place: FeedPlace): Feed {
  const feeds = body.commands.map(({ command }) =>
    command.type === "Command"
      ? feedFromCommand(command, { ...place, stdin: { kind: "unknown" } })
      : { kind: "unknown" },
  )
  const texts = feeds.flatMap((feed) => ("text" in feed ? [feed] : []))
  if (texts.length < feeds.length) return { kind: "unknown" }
  return { kind: "text", text: texts.map(({ text }) => text).join("\n"), known: texts.every(({ known }) => known) }
}

function feedFromRedirect(redirect: Redirection, source: string): Feed | undefined {
  if (!isStandardInput(redirect)) return undefined
  switch (redirect.type) {
    case "HereDoc": {
      const known = redirect.delimiter?.quoted === true || !/[$`\\]/.test(redirect.body.text)
      const text = redirect.operator === "<<-" ? redirect.body.text.replace(/^\t+/gm, "") : redirect.body.text
      return { kind: "text", text, known }
    }
    case "HereString": {
      if (redirect.target === undefined) return { kind: "unknown" }
      return asText([toArgument(redirect.target, source)])
    }
    case "Redirect":
      return redirect.operator.includes("<") ? { kind: "unknown" } : undefined
    default:
      return redirect satisfies never
  }
}

/** Without a descriptor, or with 0; a descriptor in a variable may be any. */
export function isStandardInput(redirect: Redirection): boolean {
  const descriptor = redirect.descriptor
  if (descriptor === undefined) return true
  return descriptor.type === "FileDescriptor" && descriptor.value === 0
}

function asText(words: readonly ArgumentWord[]): Feed {
  const known = words.every((word) => word.fragments.length === 1)
  return { kind: "text", text: words.map((word) => word.value).join(" "), known }
}

function asOutput(feed: Feed): Feed {
  return feed.kind === "text" ? feed : { kind: "unknown" }
}

/** Options and escapes make what `echo` prints depend on the shell, so such text is not known for sure. */
function echoed(args: readonly ArgumentWord[]): Feed {
  const options = args.findIndex((word) => !/^-[neE]+$/.test(word.value))
  const feed = asText(options === -1 ? [] : args.slice(options))
  const isPlain = options <= 0 && feed.kind === "text" && !feed.text.includes("\\")
  return feed.kind === "text" && !isPlain ? { ...feed, text: unescaped(feed.text), known: false } : feed
}

function printed(args: readonly ArgumentWord[]): Feed {
  const [format, ...values] = args[0]?.value === "--" ? args.slice(1) : args
  if (format === undefined) return { kind: "unknown" }
  if (!/[%\\]/.test(format.value)) return asText([format])
  // A format that takes no values prints itself alone.
  const filled =
    values.length === 0 || !format.value.includes("%") ? format.value : values.map((word) => word.value).join("\n")
  return { kind: "text", text: unescaped(filled), known: false }
}

const named: Readonly<Record<string, string>> = { n: "\n", t: "\t" }

function unescaped(text: string): string {
  return text.replace(/\\(?:x([\da-fA-F]{1,2})|0?([0-7]{1,3})|([nt]))/g, (_, hex, octal, letter) => {
    if (typeof letter === "string") return named[letter] ?? ""
    return String.fromCharCode(typeof hex === "string" ? Number.parseInt(hex, 16) : Number.parseInt(String(octal), 8))
  })
}
