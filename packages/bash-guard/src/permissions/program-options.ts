/** What is known of a program's options, as far as patterns about it can be evaded by them. */
export interface ProgramOptions {
  /** Options before a subcommand that take the next word as their value. */
  readonly valued?: string
  /** Long names of short options, as `force=f`. */
  readonly synonyms?: string
  /** Other names of subcommands, as `i=install`. */
  readonly aliases?: string
  /** A word with one dash is one option (`-exec`), not letters. */
  readonly singleDash?: boolean
}

const kubernetes = "-n --namespace --context --cluster --kubeconfig -s --server --token --user --as --as-group -v"
const nodePackages =
  "--prefix -C --dir --cwd -w --workspace -F --filter --registry --loglevel --userconfig --cache -c --config"
const nodeAliases = "i=install in=install add=install rm=uninstall un=uninstall remove=uninstall t=test run-script=run"
const files = "recursive=r force=f interactive=i verbose=v no-clobber=n"

const table: Readonly<Record<string, ProgramOptions>> = {
  git: {
    valued: "-C -c --git-dir --work-tree --namespace --exec-path --super-prefix --config-env --attr-source",
    synonyms: "force=f delete=d all=a message=m no-verify=n branch=b",
  },
  docker: {
    valued: "-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey",
    synonyms: "force=f volume=v volumes=v interactive=i tty=t",
  },
  podman: { valued: "--connection -c --url --root --runroot --log-level --identity" },
  kubectl: { valued: kubernetes, synonyms: "namespace=n filename=f output=o" },
  helm: { valued: kubernetes, synonyms: "namespace=n values=f" },
  npm: { valued: nodePackages, synonyms: "global=g save-dev=D force=f", aliases: nodeAliases },
  pnpm: { valued: nodePackages, synonyms: "global=g recursive=r", aliases: nodeAliases },
  yarn: { valued: nodePackages, synonyms: "global=g", aliases: nodeAliases },
  bun: { valued: nodePackages, synonyms: "global=g", aliases: nodeAliases },
  cargo: {
    valued: "--color --config -C -Z --manifest-path",
    synonyms: "release=r",
    aliases: "b=build t=test r=run rm=remove",
  },
  gh: { valued: "-R --repo --hostname" },
  glab: { valued: "-R --repo" },
  aws: { valued: "--profile --region --output --endpoint-url --query --color --ca-bundle --cli-read-timeout" },
  gcloud: { valued: "--project --account --configuration --format --verbosity --impersonate-service-account" },
  az: { valued: "--subscription -o --output --query" },
  go: { valued: "-C", singleDash: true },
  make: { valued: "-C --directory -f --file --makefile -I -j -o -W", synonyms: "directory=C file=f" },
  just: { valued: "-f --justfile -d --working-directory" },
  systemctl: { valued: "-H --host -M --machine -t --type -p --property -n --lines -o --output" },
  apt: { valued: "-o --option -c --config-file -t --target-release" },
  "apt-get": { valued: "-o --option -c --config-file -t --target-release", synonyms: "yes=y" },
  pip: { valued: "--proxy --retries --timeout --cache-dir --log --python", synonyms: "yes=y requirement=r upgrade=U" },
  poetry: { valued: "-C --directory -P --project" },
  uv: { valued: "--directory --project --config-file --cache-dir --color -p --python" },
  composer: { valued: "-d --working-dir" },
  mise: { valued: "-C --cd -E --env -j --jobs" },
  svn: { valued: "--username --password --config-dir --config-option" },
  hg: { valued: "-R --repository --cwd --config" },
  mvn: { valued: "-f --file -s --settings -P -pl" },
  gradle: { valued: "-p --project-dir -b --build-file -c --settings-file" },
  vercel: { valued: "--cwd -t --token -S --scope -A --local-config" },
  terraform: { singleDash: true },
  tofu: { singleDash: true },
  find: { singleDash: true },
  gfind: { singleDash: true },
  java: { singleDash: true },
  rm: { synonyms: `${files} dir=d` },
  cp: { synonyms: `${files} archive=a` },
  mv: { synonyms: files },
  ln: { synonyms: `${files} symbolic=s` },
  chmod: { synonyms: "recursive=R" },
  chown: { synonyms: "recursive=R" },
  chgrp: { synonyms: "recursive=R" },
  sed: { synonyms: "in-place=i quiet=n silent=n expression=e" },
  curl: { synonyms: "request=X data=d output=o upload-file=T form=F header=H" },
  rsync: { synonyms: "archive=a recursive=r" },
  grep: { synonyms: "recursive=r" },
}

export function optionsOf(program: string): ProgramOptions | undefined {
  return Object.hasOwn(table, program) ? table[program] : undefined
}

/** Whether an option takes the word behind it; undefined when the program is not known. */
export function takesValue(program: string, option: string): boolean | undefined {
  const valued = optionsOf(program)?.valued
  return valued === undefined ? undefined : valued.split(" ").includes(option)
}

/** The short letter of a long option (without dashes), as GNU programs take it: abbreviated, with or without a value. */
export function letterOf(program: string, long: string): string | undefined {
  const [name = ""] = long.split("=", 1)
  const synonyms = optionsOf(program)?.synonyms?.split(" ") ?? []
  return synonyms.find((synonym) => name !== "" && synonym.startsWith(name) && name.length > 1)?.split("=")[1]
}

/** A subcommand by its usual name. */
export function subcommandOf(program: string, word: string): string {
  const aliases = optionsOf(program)?.aliases?.split(" ") ?? []
  return aliases.find((alias) => alias.startsWith(`${word}=`))?.split("=")[1] ?? word
}
