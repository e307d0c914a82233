import { readFileSync } from "node:fs"
import { join } from "node:path"

/** Commands as coding agents send them every day, each behind a line `%% kind`. */
export const everyday: readonly string[] = readFileSync(join(import.meta.dir, "everyday.txt"), "utf8")
  .split(/^%% \w+\n/m)
  .map((command) => command.replace(/\n$/, ""))
  .filter((command) => command !== "")
