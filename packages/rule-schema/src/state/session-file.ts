import { createHash } from "node:crypto"

/** A file name that any session id is safe in. Ids with other than letters, digits, `_` and `-` are told apart by a digest. */
export function sessionFileName(sessionID: string, ending: ".json" | ".jsonl"): string {
  // Windows keeps the names of its devices for itself, whatever their ending; the others are shorter.
  if (/^(?!(?:com|lpt)\d$)[a-z0-9][\w-]{3,99}$/i.test(sessionID)) return `${sessionID}${ending}`
  const readable = sessionID.replace(/[^A-Za-z0-9_-]+/g, "-").slice(0, 40)
  return `x-${readable}-${createHash("sha256").update(sessionID).digest("hex").slice(0, 16)}${ending}`
}
