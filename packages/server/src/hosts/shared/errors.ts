/** What an error says: of the language, or of a host's client, which fails with `{ name, data: { message } }` (measured on v1). */
export function describeError(error: unknown): string {
  if (error instanceof Error) return error.message
  const message = (error as { data?: { message?: unknown } } | null)?.data?.message
  return typeof message === "string" ? message : (JSON.stringify(error) ?? String(error))
}
