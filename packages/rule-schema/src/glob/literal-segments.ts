/**
 * Escapes the path segments that are route folders of web frameworks: a segment that is wholly `[name]`, `[...name]`,
 * `[[...name]]`, `[[name]]` or `(name)` is literal. A segment of ranges only (`[a-z]`, `[0-9]`), a negation (`[!x]`) and a
 * group of alternatives (`(a|b)`) stay what they are in every glob language.
 */
export function escapeRouteSegments(pattern: string): string {
  return pattern
    .split("/")
    .map((segment) => (isRouteSegment(segment) ? segment.replace(/[[\]().]/g, "\\$&") : segment))
    .join("/")
}

function isRouteSegment(segment: string): boolean {
  if (/^\([^()|*?{}\\]+\)$/.test(segment)) return true
  const name = /^\[(?:\[(.+)\]|([^[].*))\]$/.exec(segment)
  const content = name?.[1] ?? name?.[2]
  if (content === undefined || !/^(?:\.\.\.)?[\p{L}\p{N}_$][\p{L}\p{M}\p{N}_$=.-]*$/u.test(content)) return false
  return !/^(?:[\p{L}\p{N}]-[\p{L}\p{N}])+$/u.test(content)
}
