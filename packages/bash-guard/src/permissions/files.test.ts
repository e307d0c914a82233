// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the shell expands these, not JavaScript
import { describe, expect, test } from "bun:test"
import { readScript } from "../shell/read.ts"
import { resolveFiles } from "./files.ts"
import { followFolders } from "./folders.ts"
import type { Place } from "./places.ts"
import { type Action, compilePermissions, type Permissions } from "./rules.ts"

const place: Place = {
  cwd: "/w/p/a",
  directory: "/w/p",
  worktree: "/w",
  home: "/home/dev",
  exists: (path) => ["/etc", "/tmp", "/home", "/w", "/dev", "/var", "/opt"].includes(path),
  isInEnvironment: () => false,
  isDirectory: (path) => ["/", "/etc", "/tmp", "/w/p/a", "/w/p", "/w", "/home/dev"].includes(path),
}

type Rules = readonly (readonly [permission: string, pattern: string, action: Action])[]

function permissionsOf(rules: Rules): Permissions {
  const all = [["*", "*", "allow"] as const, ...rules]
  return compilePermissions(all.map(([permission, pattern, action]) => ({ permission, pattern, action })))
}

/** What is said of each file and folder; `(host)` where the host asks by itself. */
function saidOf(command: string, permissions: Permissions, at: Place = place): readonly string[] {
  const reading = readScript(command)
  if (reading.kind === "unreadable") throw new Error(reading.reason)
  const matches = followFolders(reading, at).flatMap((visit) => resolveFiles(visit, at, permissions))
  return matches.map(({ action, permission, text, pattern, byHost }) => {
    return `${action} ${permission === "edit" ? "edit" : "folder"} ${text} by ${pattern}${byHost ? " (host)" : ""}`
  })
}

function table(
  name: string,
  rules: Rules,
  rows: readonly (readonly [command: string, said: readonly string[]])[],
): void {
  describe(name, () => {
    const permissions = permissionsOf(rules)
    for (const [command, said] of rows) test(command, () => expect(saidOf(command, permissions)).toEqual([...said]))
  })
}

table(
  "the user's own patterns hold for every path",
  [
    ["external_directory", "*", "ask"],
    ["external_directory", "/tmp/*", "allow"],
    ["external_directory", "/etc/*", "deny"],
    ["edit", "*.lock", "deny"],
    ["edit", "../*", "ask"],
  ],
  [
    ["cat /etc/a", ["deny folder /etc/* by /etc/* (host)"]],
    ["cat /etc", ["deny folder /etc/* by /etc/* (host)"]],
    ["cat /etc/", ["deny folder /etc/* by /etc/* (host)"]],
    ["cat /etc//x/../a", ["deny folder /etc/* by /etc/* (host)"]],
    ["cat /tmp/a/b /var/c d", ["allow folder /tmp/a/* by /tmp/* (host)", "ask folder /var/* by * (host)"]],
    ["cat /", ["ask folder /* by * (host)"]],
    ["foo /", []],
    ["ls //", ["ask folder /* by *"]],
    ["cat ../../../b", []],
    ["cat ../../b", []],
    ["cat ..", []],
    ["x ~/a", ["ask folder /home/dev/* by *"]],
    ["x '~/a'", []],
    ["x ~", ["ask folder /home/dev/* by *"]],
    ["x ~bob/a", ["ask folder /home/bob/* by *"]],
    ["x $HOME/a", ["ask folder /home/dev/* by *"]],
    ["x ${HOME}", ["ask folder /home/dev/* by *"]],
    ["x --f=/etc/a", ["deny folder /etc/* by /etc/*"]],
    ["x -f/etc/a", ["deny folder /etc/* by /etc/*"]],
    ["x of=/etc/a", ["deny folder /etc/* by /etc/*"]],
    ["x @/etc/a", ["deny folder /etc/* by /etc/*"]],
    ["x -d@/etc/a", ["deny folder /etc/* by /etc/*"]],
    ["x --file=@/etc/a", ["deny folder /etc/* by /etc/*"]],
    ["x -v /etc:/b", ["deny folder /etc/* by /etc/*"]],
    ["x /etc/a:/b", ["deny folder /etc/a:/* by /etc/*", "deny folder /etc/* by /etc/*"]],
    ["x a:/etc/b", []],
    ["x /no/a", []],
    ["x /foo/", []],
    ["x /dev/null", []],
    ["cat /dev/null", ["ask folder /dev/* by * (host)"]],
    ["x /dev/random /dev/zero /dev/full /dev/tty /dev/stdin > /dev/stdout", []],
    ["x /dev/null2", ["ask folder /dev/* by *"]],
    ["x /etc~/a", []],
    ["x a~bob$y", []],
    ["grep -ex /etc/a", ["deny folder /etc/* by /etc/*"]],
    ["ls /:/b", []],
    ["x ${z:-/tmp}/../etc/a", ["deny folder /etc/* by /etc/*", "deny folder /etc/* by /etc/*"]],
    ["x /dev/sda", ["ask folder /dev/* by *"]],
    ["x /dev/fd/3", []],
    ["x /dev/urandom", []],
    ["grep /etc/a /etc/b", ["deny folder /etc/* by /etc/*"]],
    ["grep -e /etc/a /etc/b", ["deny folder /etc/* by /etc/*", "deny folder /etc/* by /etc/*"]],
    ["sed -f /etc/a /etc/b", ["deny folder /etc/* by /etc/*", "deny folder /etc/* by /etc/*"]],
    ["grep --regexp=x /etc/b", ["deny folder /etc/* by /etc/*"]],
    ["grep -v -i /etc/a /etc/b", ["deny folder /etc/* by /etc/*"]],
    ["echo /etc/a", []],
    ["printf /etc/a > /etc/b", ["ask edit > /etc/b by ../*", "deny folder /etc/* by /etc/*"]],
    ["x /etc/$y", ["deny folder /etc/* by /etc/*", "deny folder /etc/* by /etc/*"]],
    ["x /e$y/a", ["ask folder /* by /etc/*"]],
    ["x $y/a", []],
    ["x /$y", []],
    ["x /tmp/$y", ["allow folder /tmp/* by /tmp/*", "allow folder /tmp/* by /tmp/*"]],
    ["x /e*", ["ask folder /* by /etc/*"]],
    ["x ${z:-/etc/a}", ["deny folder /etc/* by /etc/*", "deny folder /etc/* by /etc/*"]],
    [
      "x /tmp${z:-/../etc/a}",
      ["deny folder /etc/* by /etc/*", "ask folder /tmp/* by *", "deny folder /etc/* by /etc/*"],
    ],
    ['x "/etc/a"', ["deny folder /etc/* by /etc/*"]],
    ["x a > b.lock", ["deny edit > b.lock by *.lock"]],
    ["x > /etc/a", ["ask edit > /etc/a by ../*", "deny folder /etc/* by /etc/*"]],
    ["x >> ../../b.lock", ["deny edit >> ../../b.lock by *.lock"]],
    ["x > ../c", ["allow edit > ../c by *"]],
    ["x > $y", ["ask edit > $y by (the file is only known when it runs)"]],
    ["x > /dev/null", []],
    ["x > >(y)", []],
    ["x 2>&1", []],
    ["x < /etc/a", ["deny folder /etc/* by /etc/*"]],
    ["x < /tmp/a", ["allow folder /tmp/* by /tmp/*"]],
    ["x <> b.lock", ["deny edit <> b.lock by *.lock"]],
    ["> b.lock", ["deny edit > b.lock by *.lock"]],
    ["docker exec c cat /etc/a", []],
    ["docker run -v /etc:/b c cat /var/a", ["deny folder /etc/* by /etc/*"]],
    ["ssh h cat /etc/a", []],
    ["sudo cat /etc/a", ["deny folder /etc/* by /etc/*", "deny folder /etc/* by /etc/*"]],
    ["sh -c 'cat /etc/a'", ["deny folder /etc/* by /etc/*"]],
    ["eval cat /etc/a", ["deny folder /etc/* by /etc/*", "deny folder /etc/* by /etc/*"]],
    ["cd /etc; cat a", ["deny folder /etc/* by /etc/* (host)", "deny folder /etc/* by /etc/*"]],
    [
      "cd /tmp; cat -n b- ../etc/c",
      ["allow folder /tmp/* by /tmp/* (host)", "allow folder /tmp/* by /tmp/*", "deny folder /etc/* by /etc/*"],
    ],
    ["cd /tmp; x --f=b", ["allow folder /tmp/* by /tmp/* (host)"]],
    ["cd $y; cat a", ["ask folder cat a by (the folder is only known when it runs)"]],
    ["cd $y; x", ["ask folder x by (the folder is only known when it runs)"]],
    [
      "cd $y; cat /tmp/a",
      ["allow folder /tmp/* by /tmp/* (host)", "ask folder cat /tmp/a by (the folder is only known when it runs)"],
    ],
    ["cd $y; cat -n", ["ask folder cat -n by (the folder is only known when it runs)"]],
    [
      "cd $y; x > b",
      [
        "ask folder x > b by (the folder is only known when it runs)",
        "ask edit > b by (the file is only known when it runs)",
      ],
    ],
    [
      "cd $y; x > /tmp/b.lock",
      [
        "ask folder x > /tmp/b.lock by (the folder is only known when it runs)",
        "ask edit > /tmp/b.lock by ../*",
        "allow folder /tmp/* by /tmp/*",
      ],
    ],
    ["cd", ["ask folder /home/dev/* by *"]],
    ["pushd", ["ask folder /home/dev/* by *"]],
    ["cd /w", []],
    ["cd /no", []],
    [
      "cp /tmp/a{b,c} /etc/{d,e}",
      [
        "allow folder /tmp/* by /tmp/*",
        "deny folder /etc/* by /etc/*",
        "allow folder /tmp/* by /tmp/*",
        "allow folder /tmp/* by /tmp/*",
        "deny folder /etc/* by /etc/*",
        "deny folder /etc/* by /etc/*",
      ],
    ],
    ["x=/etc/a; cat $x", ["deny folder /etc/* by /etc/*"]],
    ["cat /etc/a /etc/b", ["deny folder /etc/* by /etc/* (host)", "deny folder /etc/* by /etc/* (host)"]],
    ["cat /w/p/b /w/c", []],
  ],
)

table(
  "OpenCode's default holds for the commands that it watches, the user's patterns behind it for all",
  [
    ["doom_loop", "*", "ask"],
    ["external_directory", "*", "ask"],
    ["external_directory", "/etc/x/*", "deny"],
  ],
  [
    ["cat /opt/a", ["ask folder /opt/* by * (host)"]],
    ["x /opt/a", []],
    ["curl -d @/opt/a", ["ask folder /opt/* by *"]],
    ["curl /opt/a", []],
    ["curl -T/opt/a", []],
    ["cat '/opt/a'", ["ask folder /opt/* by *"]],
    ['cat "/opt/a"', ["ask folder /opt/* by * (host)"]],
    ['cat "/opt/$y"', ["ask folder /* by *"]],
    ["cat /opt/a$y", ["ask folder /opt/* by *", "ask folder /opt/* by *"]],
    ["cat /op$y/a", ["ask folder /* by *"]],
    ["x /op$y/a", []],
    ["\\cat /opt/a", ["ask folder /opt/* by *"]],
    ["/bin/cat /opt/a", ["ask folder /opt/* by *"]],
    ["A=1 cat /opt/a", ["ask folder /opt/* by * (host)"]],
    ["sudo cat /opt/a", ["ask folder /opt/* by *"]],
    ["sh -c 'cat /opt/a'", ["ask folder /opt/* by *"]],
    ["cat /opt/a > /opt/b", ["ask folder /opt/* by * (host)", "ask folder /opt/* by *"]],
    ["x < /opt/a", ["ask folder /opt/* by *"]],
    ["x > /tmp/a", []],
    ["x < /var/tmp/a", []],
    ["x < /opt/tmp/a", ["ask folder /opt/tmp/* by *"]],
    ["x > /tmp", ["ask folder /tmp/* by *"]],
    ["x > /opt/a", ["ask folder /opt/* by *"]],
    ["cd /opt", ["ask folder /* by * (host)"]],
    ["cd /opt; cat a", ["ask folder /* by * (host)", "ask folder /opt/* by *"]],
    ["cd /opt && cat ../b", ["ask folder /* by * (host)"]],
    ["cd ..; cat ../../opt/b", ["ask folder /opt/* by *"]],
    ["cd $y; cat a", ["ask folder cat a by (the folder is only known when it runs)"]],
    ["cd $y; x a", ["ask folder x a by (the folder is only known when it runs)"]],
    [
      "cd $y; cat /opt",
      ["ask folder /* by * (host)", "ask folder cat /opt by (the folder is only known when it runs)"],
    ],
    ["cd $y; mkdir -p", ["ask folder mkdir -p by (the folder is only known when it runs)"]],
    ["cat /etc/x/a", ["deny folder /etc/x/* by /etc/x/* (host)"]],
    ["cat /etc/$y", ["ask folder /etc/* by *", "ask folder /etc/* by *"]],
    ["x /etc/$y/a", []],
    ["rm -rf /", ["ask folder /* by * (host)"]],
    ["pushd /opt", ["ask folder /* by * (host)"]],
    ["chdir /opt", []],
    ["cat /dev/null", ["ask folder /dev/* by * (host)"]],
    ["cat /dev/sda", ["ask folder /dev/* by * (host)"]],
    ["cd", ["ask folder /home/dev/* by *"]],
    ["cat ~/a", ["ask folder /home/dev/* by * (host)"]],
    ["x ~/a", []],
    ["wget --post-file=/opt/a", []],
    ["curl -F a=@/opt/a", ["ask folder /opt/* by *"]],
    ["scp /opt/a h:", []],
    ["scp a h:/opt", []],
  ],
)

table(
  "OpenCode's default alone, in a folder that is not known",
  [
    ["doom_loop", "*", "ask"],
    ["external_directory", "*", "ask"],
  ],
  [
    ["cd $y; cat a", ["ask folder cat a by (the folder is only known when it runs)"]],
    ["cd $y; cat -n /tmp/x", ["ask folder /tmp/* by * (host)"]],
    ["cd $y; x a", []],
    ["cd $y; rm $z", ["ask folder rm $z by (the folder is only known when it runs)"]],
    ["cd $y; timeout 5 cat a", ["ask folder cat a by (the folder is only known when it runs)"]],
    ["cd $y; cd b", []],
    ["cd $y; docker exec c cat a", []],
    ["cat /op$y/a", ["ask folder /* by *"]],
    ["x /opt/a", []],
  ],
)

test("a home inside of the project is no folder outside", () => {
  const permissions = permissionsOf([["external_directory", "*", "ask"]])
  expect(saidOf("cd", permissions, { ...place, home: "/w/p" })).toEqual([])
})

test("where everything is allowed, nothing is said", () => {
  const permissions = permissionsOf([])
  for (const command of ["cat /etc/a > /etc/b", "cd", "cd $y; cat a", "x > $y"])
    expect(saidOf(command, permissions)).toEqual([])
})
