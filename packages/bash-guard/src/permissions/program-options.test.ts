import { describe, expect, test } from "bun:test"
import { judge } from "../judge.ts"
import { readScript } from "../shell/read.ts"
import type { Place } from "./places.ts"
import { compilePermissions } from "./rules.ts"

const place: Place = {
  cwd: "/app",
  directory: "/app",
  worktree: "/app",
  home: "/home",
  isDirectory: () => false,
  exists: () => true,
  isInEnvironment: () => false,
}

function verdict(command: string, denied: string): string {
  const rules = [
    { permission: "*", pattern: "*", action: "allow" },
    { permission: "bash", pattern: denied, action: "deny" },
  ] as const
  return judge(readScript(command), compilePermissions(rules), place).kind
}

/** A value in front of the subcommand that is a word of its own; a program that the guard does not know would only make it ask. */
describe("an option that takes a value does not hide the subcommand", () => {
  test.each([
    ["git --namespace x push", "git push *"],
    ["docker -H x rm y", "docker rm *"],
    ["podman --url x rm y", "podman rm *"],
    ["kubectl --context x delete y", "kubectl delete *"],
    ["helm --kubeconfig x uninstall y", "helm uninstall *"],
    ["npm --prefix x publish", "npm publish *"],
    ["pnpm --filter x publish", "pnpm publish *"],
    ["yarn --cwd x publish", "yarn publish *"],
    ["bun --cwd x publish", "bun publish *"],
    ["cargo --color x publish", "cargo publish *"],
    ["gh -R x pr merge", "gh pr *"],
    ["glab --repo x mr merge", "glab mr *"],
    ["aws --profile x s3 rm", "aws s3 *"],
    ["gcloud --project x compute", "gcloud compute *"],
    ["az --subscription x vm", "az vm *"],
    ["go -C x install", "go install *"],
    ["make -C x deploy", "make deploy *"],
    ["just -f x deploy", "just deploy *"],
    ["systemctl -H x stop y", "systemctl stop *"],
    ["apt -t x remove y", "apt remove *"],
    ["apt-get -o x remove y", "apt-get remove *"],
    ["pip --log x uninstall y", "pip uninstall *"],
    ["poetry -C x publish", "poetry publish *"],
    ["uv --directory x publish", "uv publish *"],
    ["composer -d x remove y", "composer remove *"],
    ["mise -C x use y", "mise use *"],
    ["svn --username x commit", "svn commit *"],
    ["hg -R x push", "hg push *"],
    ["mvn -f x deploy", "mvn deploy *"],
    ["gradle -p x publish", "gradle publish *"],
    ["vercel --cwd x deploy", "vercel deploy *"],
  ])("%s is denied by %s", (command, denied) => expect(verdict(command, denied)).toBe("deny"))
})

describe("a long option is its letter", () => {
  test.each([
    ["git push --force x", "git push -f *"],
    ["docker rm --volumes x", "docker rm -v *"],
    ["kubectl delete --filename x", "kubectl delete -f *"],
    ["helm install --values x", "helm install -f *"],
    ["npm install --global x", "npm install -g *"],
    ["pnpm install --recursive x", "pnpm install -r *"],
    ["yarn install --global x", "yarn install -g *"],
    ["bun install --global x", "bun install -g *"],
    ["cargo run --release x", "cargo run -r *"],
    ["make --file x", "make -f *"],
    ["apt-get remove --yes x", "apt-get remove -y *"],
    ["pip install --upgrade x", "pip install -U *"],
    ["rm --recursive --force x", "rm -rf *"],
    ["rm --dir x", "rm -d *"],
    ["cp --archive x", "cp -a *"],
    ["mv --force x y", "mv -f *"],
    ["ln --symbolic x", "ln -s *"],
    ["chmod --recursive x", "chmod -R *"],
    ["chown --recursive x", "chown -R *"],
    ["chgrp --recursive x", "chgrp -R *"],
    ["sed --in-place x", "sed -i *"],
    ["curl --request=POST x", "curl -X *"],
    ["rsync --archive x", "rsync -a *"],
    ["grep --recursive x", "grep -r *"],
    // GNU programs take abbreviated names; one letter is not one of them.
    ["rm --rec x", "rm -r *"],
    ["rm --recursive=x y", "rm -r *"],
    ["git push -f x", "git push --force *"],
  ])("%s is denied by %s", (command, denied) => expect(verdict(command, denied)).toBe("deny"))

  test.each([
    ["rm --r x", "rm -r *"],
    ["rm --verbose x", "rm -r *"],
    ["terraform -destroy x", "terraform -d *"],
    ["tofu -destroy x", "tofu -d *"],
    ["find -delete x", "find -d *"],
    ["gfind -delete x", "gfind -d *"],
    ["java -jar x", "java -j *"],
    ["go -race x", "go -r *"],
  ])("%s is not what %s denies", (command, denied) => expect(verdict(command, denied)).toBe("allow"))
})

describe("a subcommand is denied by its other name too", () => {
  test.each([
    ["npm i x", "npm install *"],
    ["npm add x", "npm install *"],
    ["pnpm un x", "pnpm uninstall *"],
    ["yarn t x", "yarn test *"],
    ["bun run-script x", "bun run *"],
    ["cargo r x", "cargo run *"],
    ["cargo rm x", "cargo remove *"],
  ])("%s is denied by %s", (command, denied) => expect(verdict(command, denied)).toBe("deny"))
})

describe("an option that nobody knows may take the next word or not", () => {
  test.each([
    ["deploy --new x push", "deploy push *", "ask"],
    ["deploy --new=x push", "deploy push *", "deny"],
    ["deploy x push", "deploy push *", "allow"],
    ["git status --new push", "git status push *", "deny"],
    ["git status --new x push", "git status push *", "ask"],
    ["git --new x push", "git push *", "allow"],
  ])("%s under %s: %s", (command, denied, kind) => expect(verdict(command, denied)).toBe(kind))
})

/** A variable by which a shell finds or runs things is judged as it is written; one of the script's own passes. */
describe("an assignment alone", () => {
  const asks = (command: string) => {
    const rules = [
      { permission: "*", pattern: "*", action: "allow" },
      { permission: "bash", pattern: "*", action: "ask" },
      { permission: "bash", pattern: "ls *", action: "allow" },
    ] as const
    return judge(readScript(command), compilePermissions(rules), place).kind === "ask"
  }

  test.each(
    "PATH IFS BASH_ENV BASHOPTS LD_PRELOAD DYLD_X LC_ALL HISTCONTROL COMPREPLY READLINE_LINE ZSH_X ZDOTDIR precmd_functions preexec chpwd periodic fpath path cdpath psvar functions aliases galiases saliases commands options TERM".split(
      " ",
    ),
  )("to %s asks", (name) => expect(asks(`${name}=x; ls`)).toBe(true))

  test.each(["count", "MY_BASH", "a_path", "old_options", "xaliases"])("to %s passes", (name) => {
    expect(asks(`${name}=x; ls`)).toBe(false)
    expect(asks(`${name}+=x; ls`)).toBe(false)
    expect(asks(`${name}[1]=x; ls`)).toBe(false)
  })
})

test("a pattern that begins with a wildcard matches the command without its quoting", () => {
  expect(verdict("r\\m x -f", "*m x -f")).toBe("deny")
  expect(verdict("r\\m x -f", "*m y -f")).toBe("allow")
})
