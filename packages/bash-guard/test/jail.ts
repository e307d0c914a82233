import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/**
 * Real bash where it can do no harm: in namespaces of its own, without a network, with a root folder that has nothing but
 * recorders for the programs of the commands under test, the programs that start others, and a read-only `/lib`. The
 * recorders write down how they were called.
 */
export interface Jail {
  /** The programs that each command ran: name and arguments. */
  ran(commands: readonly string[]): readonly (readonly (readonly string[])[])[]
  dispose(): void
}

/** They note their call and do nothing. */
const recorded = "rm sudo npm curl marked".split(" ")
/** They note their call and do what they do. */
const noted = ["ls", "cat", "git"]
/** They start other programs, as they do everywhere. */
const starters =
  "bash dash env nice nohup timeout stdbuf setsid xargs find flock ionice chrt taskset setarch tee mkdir printf test rev".split(
    " ",
  )
const seconds = 2

/** Whether this machine lets a process have namespaces of its own. */
export function canJail(): boolean {
  return Bun.which("unshare") !== null && isolated("true").exitCode === 0
}

export function openJail(): Jail {
  const root = mkdtempSync(join(tmpdir(), "guard-jail-"))
  for (const folder of "bin real lib lib64 usr/lib dev proc jail in log home".split(" ")) {
    mkdirSync(join(root, folder), { recursive: true })
  }
  symlinkSync("/bin", join(root, "usr/bin"))
  for (const name of starters) copyProgram(name, join(root, "bin", name))
  for (const name of ["ls", "cat"]) copyProgram(name, join(root, "real", name))
  symlinkSync("dash", join(root, "bin/sh"))
  for (const name of recorded) writeRecorder(join(root, "bin", name), "exit 0")
  for (const name of noted) {
    const real = existsSync(join(root, "real", name)) ? `exec /real/${name} "$@"` : "exit 0"
    writeRecorder(join(root, "bin", name), real)
  }
  writeFileSync(join(root, "driver"), driver)
  const log = join(root, "log/all")
  return {
    ran(commands) {
      rmSync(join(root, "in"), { recursive: true })
      mkdirSync(join(root, "in"))
      writeFileSync(log, "")
      for (const [index, command] of commands.entries()) {
        writeFileSync(join(root, "in", String(index)), command)
        furnish(join(root, "jail", String(index)))
      }
      const shell = `exec chroot ${root} /bin/env -i PATH=/bin HOME=/home /bin/bash -p /driver ${commands.length}`
      const run = isolated(`${mounts(root)} ${shell}`)
      if (run.exitCode !== 0) throw new Error(`the jail failed: ${run.stderr.toString()}`)
      return parseLog(readFileSync(log, "utf8"), commands.length)
    },
    dispose: () => rmSync(root, { recursive: true, force: true }),
  }
}

/** The folder in which a command runs. */
function furnish(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, "d"), { recursive: true })
  const files = { x: "", f: "", "a.txt": "git\n", "evil.sh": "rm x\n", "evil.txt": "a[$(rm x)]\n", "d/evil": "rm x\n" }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  chmodSync(join(folder, "d/evil"), 0o755)
}

function isolated(script: string) {
  const flags = "--user --map-root-user --mount --pid --fork --kill-child --net --ipc".split(" ")
  return Bun.spawnSync(["unshare", ...flags, "/bin/sh", "-c", script], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  })
}

function mounts(root: string): string {
  const readOnly = ["lib", "lib64", "usr/lib"].filter((folder) => existsSync(`/${folder}`))
  return [
    ...readOnly.flatMap((folder) => [
      `mount --rbind /${folder} ${root}/${folder}`,
      `mount -o remount,bind,ro ${root}/${folder}`,
    ]),
    ...["bin", "real", "in", "driver"].flatMap((folder) => [
      `mount --bind ${root}/${folder} ${root}/${folder}`,
      `mount -o remount,bind,ro ${root}/${folder}`,
    ]),
    `mount -t proc proc ${root}/proc`,
    `: > ${root}/dev/null && mount --bind /dev/null ${root}/dev/null`,
    `ln -sfn /proc/self/fd ${root}/dev/fd && ln -sfn fd/0 ${root}/dev/stdin && ln -sfn fd/1 ${root}/dev/stdout`,
    "",
  ].join(" && ")
}

function copyProgram(name: string, target: string): void {
  const path = Bun.which(name)
  if (path === null) return
  copyFileSync(path, target)
  chmodSync(target, 0o755)
}

function writeRecorder(path: string, then: string): void {
  writeFileSync(path, `#!/bin/dash\nprintf '%s\\000' "\${0##*/}" "$@" '\u0001' >> /log/all\n${then}\n`)
  chmodSync(path, 0o755)
}

/**
 * Runs each command in a folder of its own, waits until all that it started has ended (by a pipe that they hold open), or
 * for some seconds, and ends the rest.
 */
const driver = `
exec < /dev/null > /dev/null 2>&1
ulimit -t ${seconds * 2} -f 2000
for ((i = 0; i < $1; i++)); do
  printf '\\2\\0' >> /log/all
  cd /jail/$i || exit 1
  command=
  read -r -d '' command < /in/$i
  exec 9< <(exec /bin/bash --norc --noprofile -c "$command" 8>&1 > /dev/null)
  read -r -t ${seconds} -N 1 -u 9
  exec 9<&-
  kill -9 -1
  wait
done
`

function parseLog(text: string, count: number): readonly (readonly (readonly string[])[])[] {
  const groups = text.split("\u0002\0").slice(1)
  return Array.from({ length: count }, (_, index) =>
    (groups[index] ?? "").split("\u0001\0").flatMap((call) => {
      const words = call.split("\0").slice(0, -1)
      return words.length === 0 ? [] : [words]
    }),
  )
}
