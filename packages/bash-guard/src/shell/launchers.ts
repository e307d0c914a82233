import type { ArgumentWord } from "./reading.ts"
import { cutWord } from "./words.ts"

/** What a program starts in surroundings of its own, or by one of its options: only denials count for it. */
export interface Launched {
  readonly launched: readonly LaunchedCommand[]
  readonly scripts: readonly (readonly ArgumentWord[])[]
  /** So many of the last words are about a container or another machine. */
  readonly elsewhere: number
}

export interface LaunchedCommand {
  readonly words: readonly ArgumentWord[]
  /** It runs in a container or on another machine: its paths are not paths of this machine. */
  readonly isElsewhere: boolean
}

interface Launcher {
  /** The subcommands that start something, as `compose exec`. */
  readonly subcommands?: readonly string[]
  /** Options before the program that take the next word. */
  readonly valued?: string
  /** Words before the program: an image, a container. */
  readonly operands?: number
  /** `each`: every word is a script; `joined`: all words are one; `program`: the words are a command. */
  readonly form?: "program" | "joined" | "each"
  readonly isElsewhere?: boolean
  /** Options behind which the program stands, besides `--`. */
  readonly marks?: string
  /** Options whose value is a script. */
  readonly scriptOptions?: string
}

const container =
  "-e --env -v --volume -w --workdir -u --user --name -p --publish --network --entrypoint --env-file --mount -l --label --platform --add-host -h --hostname --cpus -m --memory --gpus -n --namespace -c --container --context --index -f --file --project-name --profile"
const containers: readonly Launcher[] = [
  {
    subcommands: ["exec", "run", "container exec", "container run", "compose exec", "compose run"],
    valued: container,
    operands: 1,
    isElsewhere: true,
  },
]
const packageRun =
  "-p --package -c --call --from --with --python --extra --group --project --directory -C --dir -w --workspace --prefix --filter -F --cwd"
const runs = (...subcommands: readonly string[]): readonly Launcher[] => [{ subcommands, valued: packageRun }]
const secrets = "-p -c -e --env --project --config --path --region --duration"

const table: Readonly<Record<string, readonly Launcher[]>> = {
  docker: containers,
  podman: containers,
  nerdctl: containers,
  "docker-compose": [{ subcommands: ["exec", "run"], valued: container, operands: 1, isElsewhere: true }],
  kubectl: [{ subcommands: ["exec"], valued: container, operands: 1, isElsewhere: true }],
  oc: [{ subcommands: ["exec", "rsh"], valued: container, operands: 1, isElsewhere: true }],
  lxc: [{ subcommands: ["exec"], operands: 1, isElsewhere: true }],
  incus: [{ subcommands: ["exec"], operands: 1, isElsewhere: true }],
  vagrant: [{ subcommands: ["ssh"], scriptOptions: "-c --command" }],
  npx: [{ valued: packageRun, scriptOptions: "-c --call" }],
  bunx: [{ valued: packageRun }],
  pnpx: [{ valued: packageRun }],
  uvx: [{ valued: packageRun }],
  npm: [{ subcommands: ["exec", "x"], valued: packageRun, scriptOptions: "-c --call" }],
  pnpm: [{ subcommands: ["exec", "dlx"], valued: packageRun }],
  yarn: runs("exec", "dlx", "run"),
  bun: [
    { subcommands: ["x"], valued: packageRun },
    { subcommands: ["exec"], form: "joined" },
  ],
  uv: runs("run", "tool run"),
  pipx: runs("run"),
  poetry: runs("run"),
  pdm: runs("run"),
  pipenv: runs("run"),
  hatch: runs("run"),
  rye: runs("run"),
  pixi: runs("run", "exec"),
  conda: [{ subcommands: ["run"], valued: "-n --name -p --prefix --cwd" }],
  mamba: [{ subcommands: ["run"], valued: "-n --name -p --prefix --cwd" }],
  micromamba: [{ subcommands: ["run"], valued: "-n --name -p --prefix --cwd" }],
  bundle: runs("exec"),
  composer: runs("exec"),
  mise: runs("exec", "x"),
  rtx: runs("exec", "x"),
  asdf: runs("exec"),
  rbenv: runs("exec"),
  pyenv: runs("exec"),
  nodenv: runs("exec"),
  volta: runs("run"),
  fnm: [{ subcommands: ["exec"], valued: "--using" }],
  nvm: [{ subcommands: ["exec", "run"], operands: 1 }],
  direnv: [{ subcommands: ["exec"], operands: 1 }],
  hyperfine: [
    {
      form: "each",
      valued:
        "-w -m -M -r --warmup --min-runs --max-runs --runs -S --shell --export-json --export-markdown --export-csv -L -P --style -u",
    },
    { scriptOptions: "-p --prepare -c --cleanup -s --setup --conclude -C" },
  ],
  tmux: [
    {
      subcommands:
        "new new-session neww new-window splitw split-window respawn-pane respawn-window run run-shell if if-shell popup display-popup pipe-pane send send-keys".split(
          " ",
        ),
      valued: "-t -s -n -c -x -y -F -e -l -S -L",
      form: "each",
    },
  ],
  screen: [{ valued: "-S -c -e -h -p -s -t -T -X" }],
  perf: [{ subcommands: ["stat", "record", "trace", "mem record"], valued: "-e -o -F -c -p -t -C -r -g -I" }],
  entr: [{}, { scriptOptions: "-s" }],
  nodemon: [{ scriptOptions: "-x --exec" }],
  concurrently: [{ form: "each", valued: "-n --names -c --prefix-colors -s -p -l -m" }],
  "cross-env": [{}],
  "cross-env-shell": [{ form: "joined" }],
  dotenv: [{ valued: "-e -c -v -p" }],
  dotenvx: runs("run"),
  "env-cmd": [{ valued: "-f -e -r" }],
  doppler: [{ subcommands: ["run"], valued: secrets, scriptOptions: "--command" }],
  op: [{ subcommands: ["run"], valued: "--env-file --account" }],
  infisical: [{ subcommands: ["run"], valued: secrets, scriptOptions: "--command" }],
  "aws-vault": [{ subcommands: ["exec"], valued: secrets, operands: 1 }],
  chamber: [{ subcommands: ["exec"], operands: 1 }],
  sops: [{ subcommands: ["exec-env", "exec-file"], operands: 1, form: "joined" }],
  watchexec: [{ valued: "-w -e -f -i -s -d --watch --exts --filter --ignore --shell", form: "joined" }],
  chokidar: [{ scriptOptions: "-c --command" }],
  sg: [{ scriptOptions: "-c" }],
  nix: [
    { scriptOptions: "--run" },
    { subcommands: ["develop", "shell"], valued: "--argstr --arg", marks: "-c --command" },
  ],
  "nix-shell": [{ scriptOptions: "--run --command" }],
  flatpak: [{ scriptOptions: "--command" }],
  "flatpak-spawn": [{}],
  toolbox: [{ subcommands: ["run"], valued: "-c --container" }],
  distrobox: [{ subcommands: ["enter"], valued: "-n --name" }],
  git: [
    { subcommands: ["bisect run"] },
    { subcommands: ["submodule foreach"], form: "joined" },
    { subcommands: ["rebase"], scriptOptions: "-x --exec" },
    {
      subcommands: ["filter-branch"],
      scriptOptions:
        "--tree-filter --index-filter --env-filter --msg-filter --commit-filter --parent-filter --tag-name-filter --setup",
    },
    { subcommands: ["difftool", "mergetool"], scriptOptions: "-x --extcmd" },
  ],
  tar: [{ scriptOptions: "--to-command -I --use-compress-program --info-script -F --new-volume-script --rsh-command" }],
  rsync: [{ scriptOptions: "-e --rsh" }],
  sort: [{ scriptOptions: "--compress-program" }],
  split: [{ scriptOptions: "--filter" }],
  rg: [{ scriptOptions: "--pre --hostname-bin" }],
  nc: [{ scriptOptions: "-e -c --exec --sh-exec" }],
  ncat: [{ scriptOptions: "-e -c --exec --sh-exec" }],
  man: [{ scriptOptions: "-P --pager" }],
  ssh: [{ valued: "-o -p -i -l -F -J -L -R -D -b -c -e -m -O -Q -S -W -w -E -B -I", operands: 1, isElsewhere: true }],
}

/** What a program starts, by the table above. Of a program that is not in it: nothing. */
export function launchedCommands(program: string, args: readonly ArgumentWord[]): Launched {
  const launchers = Object.hasOwn(table, program) ? (table[program] ?? []) : []
  const found = launchers.map((launcher) => launchedBy(launcher, args))
  const local = program === "ssh" ? sshCommands(args, found) : undefined
  const elsewhere = found.flatMap((each) => each.launched.filter(({ isElsewhere }) => isElsewhere))
  return {
    elsewhere: Math.max(0, ...elsewhere.map(({ words }) => words.length)),
    launched: local?.launched ?? found.flatMap((each) => each.launched),
    scripts: [...(local?.scripts ?? []), ...found.flatMap((each) => each.scripts)],
  }
}

/** Of `ssh`, what it runs on this machine: on `localhost`, and by options such as `ProxyCommand`. */
function sshCommands(args: readonly ArgumentWord[], found: readonly Found[]): Found {
  const options = args.flatMap((word) => {
    const head = /^(?:-o)?\s*(?:ProxyCommand|LocalCommand|KnownHostsCommand)[\s=]+/i.exec(word.fragments[0] ?? "")
    return head === null ? [] : [[cutWord(word, head[0].length)]]
  })
  const isLocal = args.some(({ value }) => /^(?:[^@\s]+@)?(?:localhost|127\.\d+\.\d+\.\d+|::1|\[::1\]|0)$/.test(value))
  const scripts = isLocal ? found.flatMap((each) => each.launched.map(({ words }) => words)) : []
  return { launched: [], scripts: [...options, ...scripts] }
}

type Found = Omit<Launched, "elsewhere">

function launchedBy(launcher: Launcher, args: readonly ArgumentWord[]): Found {
  const start = behindSubcommand(launcher, args)
  if (start === undefined) return { launched: [], scripts: [] }
  const rest = args.slice(start)
  const scripts = optionScripts(launcher, rest)
  if (launcher.scriptOptions !== undefined && launcher.valued === undefined) return { launched: [], scripts }
  const at = programStarts(launcher, rest)
  if (launcher.form === "each")
    return { launched: [], scripts: [...scripts, ...rest.slice(at[0] ?? rest.length).map((word) => [word])] }
  const commands = at.map((from) => rest.slice(from)).filter((words) => words.length > 0)
  if (launcher.form === "joined") return { launched: [], scripts: [...scripts, ...commands] }
  return { launched: commands.map((words) => ({ words, isElsewhere: launcher.isElsewhere === true })), scripts }
}

/** More options than these are not skipped in search of a subcommand. */
const mostSkipped = 40

/** The index behind the subcommand; options may stand before it, with or without a value. */
function behindSubcommand({ subcommands }: Launcher, args: readonly ArgumentWord[]): number | undefined {
  if (subcommands === undefined) return 0
  for (const subcommand of subcommands) {
    const names = subcommand.split(" ")
    let reached = [0]
    for (const name of names) reached = reached.flatMap((from) => placesOf(name, args, from))
    const [first] = reached
    if (first !== undefined) return first
  }
  return undefined
}

function placesOf(name: string, args: readonly ArgumentWord[], from: number): readonly number[] {
  let mayBeValue = false
  for (const [index, word] of args.slice(from, from + mostSkipped).entries()) {
    if (word.value === name) return [from + index + 1]
    const isOption = word.value.startsWith("-")
    if (!isOption && !mayBeValue) return []
    mayBeValue = isOption && !word.value.includes("=")
  }
  return []
}

function optionScripts(
  { scriptOptions }: Launcher,
  args: readonly ArgumentWord[],
): readonly (readonly ArgumentWord[])[] {
  if (scriptOptions === undefined) return []
  const options = scriptOptions.split(" ")
  return args.flatMap((word, at) => {
    const next = args[at + 1]
    if (options.includes(word.value)) return next === undefined ? [] : [[next]]
    const attached = options.find((option) =>
      word.fragments[0]?.startsWith(option.startsWith("--") ? `${option}=` : option),
    )
    if (attached === undefined) return []
    return [[cutWord(word, attached.startsWith("--") ? attached.length + 1 : attached.length)]]
  })
}

/** Where the program may stand, behind options and operands; an option that is not known may take a value. */
function programStarts(launcher: Launcher, args: readonly ArgumentWord[]): readonly number[] {
  const valued = (launcher.valued ?? "").split(" ")
  const operands = launcher.operands ?? 0
  const starts = new Set<number>()
  const isReached = [true]
  const marks = ["--", ...(launcher.marks ?? "").split(" ")]
  const mark = args.findIndex(({ value }) => marks.includes(value))
  if (mark !== -1) starts.add(mark + 1)
  for (const [at, { value }] of args.slice(0, mostSkipped).entries()) {
    if (isReached[at] !== true) continue
    if (value === "--" || !/^-./.test(value)) {
      const first = at + (value === "--" ? 1 : 0) + operands
      starts.add(args[first]?.value === "--" ? first + 1 : first)
      continue
    }
    if (valued.includes(value)) isReached[at + 2] = true
    else isReached[at + 1] = true
    if (!valued.includes(value) && !value.includes("=")) isReached[at + 2] = true
  }
  return [...starts].map((start) => behindAssignments(args, start))
}

/** `cross-env A=1 program` */
function behindAssignments(args: readonly ArgumentWord[], start: number): number {
  let at = start
  while (/^[A-Za-z_]\w*=/.test(args[at]?.value ?? "")) at += 1
  return at
}
