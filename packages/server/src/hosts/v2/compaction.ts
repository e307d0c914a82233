import { field, text } from "../shared/untyped.ts"

/**
 * Adds a text to what a compaction's summary is made with, in place, like all of a hook's changes. On the stable line that is a
 * message at the end: the host's own request for a summary comes behind it, and what stands before it stays as the provider
 * has it in its cache. Previews gave a list of context texts as on v1, system texts, or the prompt itself (not measured).
 */
export function addToCompaction(event: unknown, addition: string): void {
  const messages = field(event, "messages")
  const context = field(event, "context")
  const system = field(event, "system")
  const prompt = text(event, "prompt")
  if (Array.isArray(messages)) messages.push({ role: "user", content: [{ type: "text", text: addition }] })
  else if (Array.isArray(context)) context.push(addition)
  else if (Array.isArray(system)) system.push({ type: "text", text: addition })
  else if (prompt !== undefined) Reflect.set(event as object, "prompt", `${prompt}\n\n${addition}`)
}
