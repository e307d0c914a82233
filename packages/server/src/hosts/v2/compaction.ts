import { field, text } from "../shared/untyped.ts"

/**
 * Adds a text to what a compaction's summary is made with. The hook is there on later previews only, and what it gives was
 * not measured: a list of context texts as on v1, system texts, or the prompt itself. In place, like all of a hook's changes.
 */
export function addToCompaction(event: unknown, addition: string): void {
  const context = field(event, "context")
  const system = field(event, "system")
  const prompt = text(event, "prompt")
  if (Array.isArray(context)) context.push(addition)
  else if (Array.isArray(system)) system.push({ type: "text", text: addition })
  else if (prompt !== undefined) Reflect.set(event as object, "prompt", `${prompt}\n\n${addition}`)
}
