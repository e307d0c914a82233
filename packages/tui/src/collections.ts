/** A set with a name added, or taken out where it was in. The oldest Node that the package is for has no `symmetricDifference`. */
export function withToggled(names: ReadonlySet<string>, name: string): ReadonlySet<string> {
  const next = new Set(names)
  if (!next.delete(name)) next.add(name)
  return next
}
