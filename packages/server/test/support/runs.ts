/** How often a property is tried: `bun run fuzz` sets FUZZ to do so many times more. */
export function runs(count: number): number {
  return count * Math.max(1, Number(process.env["FUZZ"]) || 1)
}
