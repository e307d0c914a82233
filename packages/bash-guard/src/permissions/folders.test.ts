// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the shell expands these, not JavaScript
import { describe, expect, test } from "bun:test"
import { readScript } from "../shell/read.ts"
import { followFolders } from "./folders.ts"
import type { Place } from "./places.ts"

const place: Place = {
  cwd: "/p",
  directory: "/p",
  worktree: "/p",
  home: "/h",
  exists: () => true,
  isInEnvironment: () => false,
  isDirectory: (path) => ["/p", "/p/a", "/p/a/b", "/h", "/etc"].includes(path),
}

/** Where the commands `x`, `y` and `z` may stand at each look; `?` where some `cd` before leads who knows where. */
function whereabouts(command: string, at: Place = place): string {
  const reading = readScript(command)
  if (reading.kind === "unreadable") throw new Error(reading.reason)
  const seen = new Map<string, string[]>()
  for (const { item, where } of followFolders(reading, at)) {
    const name = "command" in item && item.command.role === "simple" ? (item.command.words[0]?.value ?? "") : ""
    if (!/^[xyz]$/.test(name)) continue
    const text = [...where.folders, ...(where.isOpen ? ["?"] : [])].join(" ")
    seen.set(name, [...(seen.get(name) ?? []), text])
  }
  return [...seen].map(([name, texts]) => `${name}: ${texts.join(", ")}`).join("; ")
}

describe("where a command may stand", () => {
  const rows: readonly [command: string, where: string][] = [
    ["cd a; x", "x: /p/a"],
    ["cd a/; x", "x: /p/a"],
    ["cd no; x", "x: /p/no /p"],
    ["cd no && x; y", "x: /p/no; y: /p/no /p"],
    ["cd no || x; y", "x: /p/no /p; y: /p/no /p"],
    ["cd no || exit; y", "y: /p/no"],
    ["cd no || { echo; exit 1; }; y", "y: /p/no"],
    ["cd a && x; y", "x: /p/a; y: /p/a"],
    ["cd a || exit; y", "y: /p/a"],
    ["(cd a; x); y", "x: /p/a; y: /p"],
    ["cd a | x; y", "x: /p; y: /p"],
    ["cd a & x", "x: /p"],
    [
      "for i in 1; do cd a; x; done; y",
      "x: /p/a, /p/a/a /p/a /p, /p/a/a/a /p/a/a /p/a /p ?; y: /p/a/a/a /p/a/a /p/a /p ?",
    ],
    ["while cd ..; do x; done; y", "x: / /p, / /p; y: / /p"],
    ["pushd a; x; popd; y", "x: /p/a; y: /p"],
    ["pushd a; pushd /etc; popd; x; popd; y; popd; z", "x: /p/a; y: /p; z: /p"],
    ["popd +1; x", "x: /p ?"],
    ["pushd; x", "x: /p ?"],
    ["pushd a; pushd; x; pushd; y", "x: /p; y: /p/a"],
    ["cd a; cd -; x; cd -; y", "x: /p; y: /p/a"],
    ["cd a; cd no; cd -; x", "x: /p/a /p"],
    ["cd; x", "x: /h"],
    ["HOME=z; cd; x", "x: /p ?"],
    ["cd ~/s; x", "x: /h/s /p"],
    ["cd ~; x", "x: /h"],
    ["cd ${HOME}/s; x", "x: /h/s /p"],
    ["HOME=z; cd ~; x", "x: /p ?"],
    ["cd $PWD/a; x", "x: /p/a"],
    ["cd $(pwd)/a; x", "x: /p/a"],
    ["cd `pwd`; x", "x: /p"],
    ["cd ~+/a; x", "x: /p/a"],
    ["PWD=z; cd $PWD/a; x", "x: /p/z/a /p"],
    ["cd $(git rev-parse --show-toplevel)/a; x", "x: /p/a"],
    ['cd a && cd "$(git rev-parse --show-toplevel 2>/dev/null)" && x', "x: /p"],
    ["cd /etc; cd $(git rev-parse --show-toplevel); x", "x: /etc ?"],
    ["cd $y; cd `git rev-parse --show-toplevel`; x", "x: /p ?"],
    ["cd $y; x", "x: /p ?"],
    ["cd $y; cd /etc; x", "x: /etc"],
    ["cd $y; cd ~; x", "x: /h"],
    ["cd $y; cd a; x", "x: /p/a ?"],
    ["cd */; x", "x: /p/* /p"],
    ["cd a/*/..; x", "x: /p ?"],
    ["for d in a b/c; do cd $d; x; done", "x: /p/a, /p/a/a /p/a /p, /p/a/a/a /p/a/a /p/a /p ?"],
    ["for d in */; do (cd x$d/e; x); done", "x: /p/x*/e /p"],
    ["for d in a ..; do (cd $d; x); done", "x: /p ?"],
    ["for d in a -; do (cd $d; x); done", "x: /p ?"],
    ["cd -P a; x", "x: /p/a"],
    ["cd -Lx; x", "x: /p/-Lx /p"],
    ["cd a--; x", "x: /p/a-- /p"],
    ["cd a-L; x", "x: /p/a-L /p"],
    ["cd a; cd $OLDPWD/b; x", "x: /p/a ?"],
    ["cd -- a; x", "x: /p/a"],
    ["cd -2; x", "x: /p ?"],
    ["cd +1; x", "x: /p ?"],
    ["f() { cd a; x; }; f; y", "x: /p/a /p/a/a /p ?; y: /p/a /p/a/a /p ?"],
    ["f() { x; }; f; y", "x: /p; y: /p"],
    ["cd a; f() { x; }; cd /etc; y", "x: /p/a /p /etc ?; y: /etc"],
    ["trap 'cd a; x' EXIT; cd /etc; y", "x: /p/a /p/a/a /etc/a /p /etc ?; y: /etc"],
    ['cd "$OLDPWD"; x', "x: /p"],
    ["cd a; cd ${OLDPWD}; x", "x: /p"],
    ["OLDPWD=/x; cd -; x", "x: /p ?"],
    ["cd ~bob/x; y", "y: /bob/x /p"],
    ["if cd a; then x; fi; y", "x: /p/a; y: /p/a"],
    ["if cd no; then x; else y; fi; z", "x: /p/no; y: /p/no /p; z: /p/no /p"],
    ["if z; then cd a; elif cd /etc; then x; fi; y", "z: /p; x: /etc; y: /etc /p/a /p"],
    ["case z in a) cd a;; b) cd /etc; x;; esac; y", "x: /etc; y: /etc /p/a /p"],
    ["chdir a; x", "x: /p/a"],
    ["cd a; timeout 5 cd b; x", "x: /p/a/b"],
    ["docker exec c cd a; x", "x: /p"],
    ['cd "$(git rev-parse --show-toplevel; x)"; y', "x: /p ?; y: /p ?"],
    ["cd ''; x", "x: /p"],
    ["cd a$y; x", "x: /p ?"],
    ["cd /etc/$y; x", "x: /p ?"],
    ['cd "a b"; x', "x: /p/a b /p"],
    ["{ cd a; }; x", "x: /p/a"],
    ["cd no && cd no2 && x; y", "x: /p/no/no2; y: /p/no/no2 /p/no /p"],
    ["cd no && cd no2 || exit; y", "y: /p/no/no2 /p/no /p"],
    ["cd no || cd no2; x", "x: /p/no/no2 /p/no2 /p/no /p"],
    ["cd no; cd ..; x", "x: /p / /p/no"],
    ["$y a; x", "x: /p"],
    ["builtin cd a; x", "x: /p/a"],
    ["command cd a; x", "x: /p/a"],
  ]
  for (const [command, where] of rows) test(command, () => expect(whereabouts(command)).toBe(where))

  test("without a repository, its root is not known", () => {
    const at = { ...place, worktree: "/" }
    expect(whereabouts("cd $(git rev-parse --show-toplevel); x", at)).toBe("x: /p ?")
  })

  test("more folders than can be followed are left open", () => {
    const into = (count: number) => `${Array.from({ length: count }, (_, index) => `cd n${index}`).join("; ")}; x`
    expect(whereabouts(into(4)).split(" ")).toHaveLength(17)
    expect(whereabouts(into(5)).split(" ")).toHaveLength(26)
    expect(whereabouts(into(5))).toEndWith(" ?")
  })

  test("so are long paths", () => {
    expect(whereabouts(`cd ${"a".repeat(509)}; x`)).toBe(`x: /p/${"a".repeat(509)} /p`)
    expect(whereabouts(`cd ${"a".repeat(510)}; x`)).toBe("x: /p ?")
  })
})
