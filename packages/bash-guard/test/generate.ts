// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the shell expands these, not JavaScript
import fc from "fast-check"
import { backtickPositions, positions } from "./positions.ts"

/**
 * Commands that run `rm`, `git push` and harmless programs by every construct that the guard knows of, in random
 * combination and with random damage.
 */
export function commands(): fc.Arbitrary<string> {
  const all = fc.oneof(
    { weight: 6, arbitrary: script },
    { weight: 3, arbitrary: evaluated },
    { weight: 2, arbitrary: special },
    { weight: 2, arbitrary: launched },
    { weight: 2, arbitrary: documents },
    { weight: 1, arbitrary: garbage },
  )
  const joined = fc.tuple(all, fc.constantFrom("; ", " && ", " | ", "\n", " & "), all).map((parts) => parts.join(""))
  return damaged(fc.oneof({ weight: 4, arbitrary: all }, { weight: 1, arbitrary: joined }))
}

function lines(text: string): readonly string[] {
  return text.split("\n").filter((line) => line !== "")
}

/** A script as one word, in one of the ways to quote it. */
function quoted(text: string, way: number): string {
  if (way % 3 === 0) return `'${text.replaceAll("'", `'\\''`)}'`
  if (way % 3 === 1) return `"${text.replace(/[\\"$`]/g, "\\$&")}"`
  return text.includes("\n") ? quoted(text, 0) : text.replace(/[^\w/.-]/g, "\\$&")
}

const names = lines(`
rm
r\\m
'rm'
r"m"
$'\\x72m'
$'r\\155'
/bin/rm
./../../bin/rm
\${u:-rm}
\${u-rm}
r$@m
r\${u}m
{rm,-f}
$(echo rm)
\`echo rm\`
v=rm; $v
v='rm -f'; $v
v=(rm -f); "\${v[@]}"
v=xrm; \${v#x}
$u rm
A=1 rm
2>f rm
git push
git -C . push
git -c a=b push
git --git-dir=.git push
git $u push
v=push; git $v
ls
echo
git status
cat
`)

const prefixes = lines(`
env
env A=1
env -i PATH=/bin
env -u X
env -C d
env -
env A=1 -u X
env --unset=X
env --chdir d
env $u
env -u $u
v='-u X'; env $v
timeout 1
timeout -k 1 1
timeout --sig KILL 1
timeout $u 1
v='-s'; timeout "$v" 9 1
v='-k 1'; timeout $v 1
nice
nice -n 5
nice -5
nice -n $u 5
nohup
nohup --
setsid -w
stdbuf -oL
stdbuf -o L
command
command -p
builtin command
exec
exec -a z
exec -cl
time
time -p
!
xargs
xargs -n 1
xargs -I{}
xargs -I %
echo a | xargs
echo a | xargs -I% env
echo a | xargs -d ' ' -n1
flock d
flock -w 1 d
flock $u d
setarch x86_64
taskset 1
chrt -o 0
ionice -c 2
coproc
jobs -x
builtin jobs -x
time env nice
`)

const shells = lines(`
eval Q
eval -- Q
bash -c Q
sh -c Q
bash -ec Q
bash -O extglob -c Q
bash -c -- Q
bash <<< Q
sh -s <<< Q
sh - <<< Q
bash /dev/stdin <<< Q
bash //dev/stdin <<< Q
bash /proc/thread-self/fd/0 <<< Q
cd /dev; bash ./stdin <<< Q
. /dev/stdin <<< Q
source /dev/fd/0 <<< Q
echo Q | sh
echo Q | bash -s a
printf %s Q | sh
printf '%s\\n' Q | bash
(echo Q) | sh
{ echo Q; } | sh
echo Q | (sh)
echo Q | { sh; }
echo Q | { read -r l; sh; }
cat <<< Q | sh
cat <<< Q | bash -c 'cat | sh'
exec <<< Q; sh
{ exec < evil.sh; sh; } <<< git
echo() { printf %s Q; }; echo git | sh
sh < evil.sh
cat evil.sh | sh
bash <(echo Q)
. <(echo Q)
trap Q EXIT
trap -- Q 0
trap Q DEBUG; :
v=Q; trap "$v" EXIT
v=EXIT; trap Q $v
mapfile -t -c 1 -C Q v <<< x
v=-C; mapfile -c 1 $v Q <<< x
env -S Q
env -S'-i PATH=/bin' Q
env --split Q
find . -maxdepth 0 -exec sh -c Q \\;
find . -maxdepth 0 -exec Q \\;
v='-exec rm x ;'; find . -maxdepth 0 $v
v=-exec; find . -maxdepth 0 "$v" rm x \\;
xargs -I{} sh -c Q <<< a
echo Q | xargs -d '\\n' sh -c
echo Q | xargs -I{} sh -c {}
alias zz=Q; shopt -s expand_aliases; eval zz
shopt -s expand_aliases; alias zz=Q\nzz
f() { eval "$1"; }; f Q
set -- Q; eval "$1"
set -- rm x; "$@"
f() { "$@"; }; f rm x
bash -c '$0 x' rm
bash -c '"$@"' _ rm x
bash -c 'r$1 x' _ m
bash -s rm <<< '$1 x'
v=Q; eval "$v"
v=Q; bash -c "$v"
export v=Q; bash -c 'eval "$v"'
flock d -c Q
compgen -W Q
compgen -C Q
complete -C Q z; compgen -C Q z
command_not_found_handle() { eval Q; }; nothere
BASH_ALIASES[zz]=Q; shopt -s expand_aliases\nzz
hash -p /bin/rm zz; zz x
BASH_CMDS[zz]=/bin/rm; zz x
ls() { eval Q; }; ls
select v in a; do eval Q; break; done <<< 1
coproc { eval Q; }; wait
`)

const harmless = fc.constantFrom(
  "ls",
  "echo a",
  "git status",
  "cat f",
  "git log",
  ":",
  "true",
  "n=1",
  "cd d",
  "read -r l < f",
)
const named = fc
  .tuple(fc.constantFrom(...names), fc.constantFrom(" x", " -f x", "", " -rf x y", " $u x"))
  .map(([name, rest]) => name + rest)

const { script } = fc.letrec<{ script: string; nested: string }>((tie) => ({
  nested: fc.oneof({ depthSize: "small", withCrossShrink: true }, named, tie("script")),
  script: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    named,
    harmless,
    fc.tuple(fc.constantFrom(...prefixes), tie("nested")).map(([prefix, command]) => `${prefix} ${command}`),
    fc
      .tuple(fc.constantFrom(...shells), tie("nested"), fc.nat(2))
      .map(([shell, command, way]) => shell.replaceAll("Q", () => quoted(command, way))),
    fc
      .tuple(fc.constantFrom(...Object.keys({ ...positions, ...backtickPositions })), tie("nested"))
      .map(([name, command]) => ({ ...positions, ...backtickPositions })[name]?.(command) ?? command),
    fc
      .tuple(harmless, fc.constantFrom("; ", " && ", " | ", "\n", " || ", " & "), tie("nested"))
      .map((parts) => parts.join("")),
  ),
}))

/** Ways to give a variable V a value that runs a command when arithmetic or a prompt takes it. */
const setters = lines(`
V=Q; U
V+=Q; U
export V=Q; U
declare V=Q; U
declare "V=Q2"; U
typeset -g V=Q; U
readonly V=Q; U
read -r V <<< Q; U
IFS= read -r V <<< Q; U
read -ra V <<< Q; U
printf -v V %s Q; U
printf -v V '%b' Q; U
for V in Q; do U; done
for V in a Q; { U; }
select V in Q; do U; break; done <<< 1
mapfile -t V <<< Q; U
unset V; : \${V:=Q}; U
unset V; : "\${V=Q}"; U
p=V; declare "$p=Q2"; U
p=V; printf -v "$p" %s Q; U
p=V; read -r "$p" <<< Q; U
p=V; export "$p"=Q; U
p=V; : \${!p:=Q}; U
declare -n p=V; p=Q; U
w=Q; V=$w; U
w=Q; V="\${w}"; U
V=$(echo Q); U
V=\`echo Q\`; U
V=(Q); U
V[0]=Q; U
export V{,X}=Q; U
eval V=Q; U
f() { local V=Q; U; }; f
f() { V=$1; U; }; f Q
set -- Q; V=$1; U
while read -r V; do U; done <<< Q
env V=Q bash -c 'U'
V=Q bash -c 'U'
D='$'; V="a[\${D}(rm x)]"; U
w=V; V=Q; U
`)

const uses = lines(`
echo $((V))
((V))
let V
let n=V
echo \${a[V]}
echo \${a[$V]}
a[V]=1
a[$V]=1
a=([V]=1)
[[ V -eq 1 ]]
[[ $V -gt 0 ]]
[[ -v a[$V] ]]
declare -i n=V
declare -i n; n=$V
declare -xi n; n=V
x=abc; echo \${x:V}
x=abc; echo \${x:0:$V}
test -v "a[$V]"
[ -v "$V" ]
unset "a[$V]"
unset "$V"
for ((i=V;i<1;i++)); do :; done
read "a[$V]" <<< 1
read "$V" <<< 1
printf -v "a[$V]" x
printf -v "$V" x
echo $[V]
((n=V))
echo $((1 ? V : 2))
declare "a[$V]=1"
declare "$V"=1
export "$V"
n=$((V+1))
echo $(($V))
exec {a[$V]}>f
n=V; ((n))
echo \${!V}
`)

const evil = "a[$(rm x)]"

const evaluated = fc
  .tuple(fc.constantFrom(...setters), fc.constantFrom(...uses), fc.nat(2), fc.constantFrom("v", "i", "n1"))
  .filter(([setter, use]) => !(/\$\(echo|`echo/.test(setter) && use.startsWith("[[")))
  .map(([setter, use, way, name]) => fillSetter(setter, use, evil, way).replaceAll("V", name))

function fillSetter(setter: string, use: string, value: string, way: number): string {
  return setter
    .replaceAll("Q2", () => value.replace(/[\\"$`]/g, "\\$&"))
    .replaceAll("Q", () => quoted(value, way))
    .replaceAll("U", () => use)
}

/** Special variables: the value, and what makes the shell take it. */
const specials: readonly (readonly [name: string, value: string, use: string])[] = [
  ["PS4", "$(rm x)", "set -x; :"],
  ["PS4", "`rm x`", "set -x; echo"],
  ["BASH_ENV", "./evil.sh", "export BASH_ENV; bash -c :"],
  ["BASH_ENV", "evil.sh", "set -a; BASH_ENV=$BASH_ENV; bash -c :"],
  ["PATH", "d:/bin", "evil"],
  ["PATH", "./d", "evil"],
  ["PROMPT_COMMAND", "rm x", "export PROMPT_COMMAND; bash --norc -i <<< :"],
  ["PS1", "$(rm x)", "export PS1; bash --norc -i <<< :"],
]

const special = fc
  .tuple(fc.constantFrom(...setters), fc.constantFrom(...specials), fc.nat(2))
  .map(([setter, [name, value, use], way]) => fillSetter(setter, use, value, way).replaceAll("V", name))

const launched = fc
  .tuple(
    fc.constantFrom(
      ..."git $u -C . -c a=b --no-pager -P --git-dir=.git --namespace=x --literal-pathspecs".split(" ").slice(1),
    ),
    fc.constantFrom(..."-C -c --git-dir --work-tree --exec-path=/x -p --bare --namespace".split(" ")),
    fc.constantFrom("push", "push origin", "p{ush,}", "'push'", "$v", "pu$u'sh'", "status", "log"),
  )
  .map(
    ([first, second, last]) =>
      `v=push; git ${first} ${second}${/^(-C|-c|--git-dir|--work-tree|--namespace)$/.test(second) ? " a=b" : ""} ${last}`,
  )

/** Here-documents in here-documents, with tabs. */
const documents = fc
  .tuple(
    fc.constantFrom("<<", "<<-"),
    fc.constantFrom("E", "'E'", '"E"', "\\E"),
    fc.constantFrom("cat", "sh", "bash", "read -r v"),
    fc.array(
      fc.constantFrom(
        "rm x",
        "\trm x",
        "$(rm x)",
        "`rm x`",
        "\t$(cat <<F\n\tF\nrm x\nF\n)",
        "$(cat <<'F'\nF\nrm x\nF\n)",
        "$(cat <<-F\n\tF\nrm x\nF\n)",
        '"${u:-$(cat <<F\n\tF\nrm x\nF\n)}"',
        "$((1 + $(rm x; echo 1)))",
        "\\$(rm x)",
        "\\\\$(rm x)",
        "E ",
        "\tE",
        "a",
        "$u",
        "git status",
      ),
      { maxLength: 4 },
    ),
    fc.constantFrom("\nE", "\n\tE", "\nE\nrm x", "\n\tE\nrm x", "", "\nE\nls"),
  )
  .map(([operator, delimiter, program, body, end]) => `${program} ${operator}${delimiter}\n${body.join("\n")}${end}`)

/** Pieces of shell syntax; joined at random they are mostly wrong, and the rest is what no one would write. */
const pieces = [
  ...lines(
    "rm x\ngit push\nls \n;\n&&\n(\n)\n{ \n}\n$(\n`\n'\n\"\n\\\n#\n${x:-\n${x\n${a[\n$((\n))\n((\n<<E\nE\n<<'E'\n[[ \n ]]",
  ),
  ...lines(
    "case a in \n esac\n;;\nif \n then \n fi\n else \na[\n]\na=\na=(\n=\n<(\n>(\n> \n< \n<<< \neval \nbash -c \nlet \n$'\nfor x in \n; do \n; done",
  ),
  ...lines(
    '! \nwhile \n@P}\n+(\n@(\n$[\n$\n\\\nfunction m4 \n() \ntime \necho \n1\n -eq \n~\n*\n?\n{a,\n%\n##\ncoproc \n$"\n&>\n2>&1\n\t\n\r\na+=\ntrap ',
  ),
  "|",
  "||",
  "|&",
  "\n",
  "\\\n",
  " ",
]
const garbage = fc.array(fc.constantFrom(...pieces), { minLength: 2, maxLength: 10 }).map((all) => all.join(""))

/** Now and then a character too many, one too few, or another one. */
function damaged(command: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const damage = fc.tuple(fc.nat(), fc.constantFrom("", ..."'\"\\$`;|&(){}[]<>#=~*?! \n\t-"), fc.nat(1))
  return fc.tuple(command, fc.option(damage, { freq: 3 })).map(([text, change]) => {
    if (change === null || change === undefined) return text
    const [place, character, removed] = change
    const at = place % (text.length + 1)
    return text.slice(0, at) + character + text.slice(at + removed)
  })
}
