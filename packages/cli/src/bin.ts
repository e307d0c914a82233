import { readFileSync } from "node:fs"
import { homedir } from "node:os"
import { homeFolder } from "@opencode-rulebook/rule-schema"
import { wantsColors } from "./io.ts"
import { main } from "./main.ts"

for (const stream of [process.stdout, process.stderr]) {
  // A reader that has seen enough (`| head`) closes the pipe: nothing to complain about.
  stream.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? process.exitCode : 2))
}

process.exitCode = await main(process.argv.slice(2), {
  cwd: process.cwd(),
  env: process.env,
  home: homeFolder(process.env, homedir()),
  platform: process.platform,
  hasColors: wantsColors(process.env, process.stdout.isTTY === true),
  columns: process.stdout.columns,
  showsProgress: process.stderr.isTTY === true,
  isInteractive: process.stdin.isTTY === true && process.stdout.isTTY === true,
  write: (text) => void process.stdout.write(text),
  writeError: (text) => void process.stderr.write(text),
  readStdin: async () => readFileSync(0, "utf8"),
})
