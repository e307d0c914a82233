/** How a program that starts another program is written: its options, and what stands before that program's name. */
export interface WrapperSyntax {
  /** Letters of options with a value. */
  readonly valued?: string
  /** Letters of options without one. */
  readonly flags?: string
  /** Long options with a value in the next word. */
  readonly longValued?: string
  readonly longFlags?: string
  /** Words between the options and the program. */
  readonly operands?: number
  /** `NAME=value` words may stand before the program. */
  readonly takesAssignments?: boolean
  /** Letters of options with which nothing is started. */
  readonly inert?: string
  /** Numbers may be options (`nice -10`). */
  readonly numeric?: boolean
  /** Words are added at the end when it runs. */
  readonly appends?: boolean
}

/** By program, `_` for `-` in its name. */
export const wrappers: Readonly<Record<string, WrapperSyntax>> = {
  command: { flags: "p", inert: "vV" },
  builtin: {},
  exec: { flags: "cl", valued: "a" },
  env: {
    flags: "i0v",
    valued: "uCS",
    longFlags: "ignore-environment null debug block-signal default-signal ignore-signal list-signal-handling",
    longValued: "unset chdir split-string argv0",
    takesAssignments: true,
  },
  nohup: {},
  noglob: {},
  nocorrect: {},
  // zsh
  _: {}, // written `-`
  repeat: { operands: 1 },
  setsid: { flags: "cfw", longFlags: "ctty fork wait" },
  time: { flags: "pvaqV", valued: "fo", longFlags: "portability verbose append quiet", longValued: "format output" },
  timeout: {
    flags: "vpf",
    valued: "ks",
    longFlags: "foreground preserve-status verbose help version",
    longValued: "kill-after signal",
    operands: 1,
  },
  nice: { valued: "n", longValued: "adjustment", numeric: true },
  ionice: { flags: "t", valued: "cnpPu", longFlags: "ignore", longValued: "class classdata" },
  stdbuf: { valued: "ioe", longValued: "input output error" },
  chrt: { flags: "abfioRrmvd", valued: "TPD", operands: 1 },
  taskset: { flags: "acp", operands: 1 },
  numactl: { flags: "sHl", valued: "NCmpi", longValued: "cpunodebind physcpubind membind preferred interleave" },
  xargs: {
    flags: "0oprtxiel",
    valued: "adEILnPsJR",
    longFlags: "null interactive open-tty no-run-if-empty verbose exit show-limits",
    longValued: "arg-file delimiter max-args max-procs max-chars process-slot-var",
    appends: true,
  },
  sudo: {
    flags: "AbBEHiKknNPSs",
    inert: "evlV",
    valued: "ugpCcDRrtThUa",
    longFlags: "askpass background preserve-env set-home login non-interactive stdin shell reset-timestamp",
    longValued: "user group prompt close-from chdir chroot role type host other-user",
    takesAssignments: true,
  },
  doas: { flags: "Lns", valued: "uCa" },
  busybox: {},
  toybox: {},
  chroot: { longFlags: "skip-chdir", longValued: "userspec groups", operands: 1 },
  unshare: { flags: "imnpuUCTfrc", valued: "SGRw", longValued: "setuid setgid root wd setgroups propagation" },
  nsenter: { flags: "aFeZ", valued: "tSG", longFlags: "all no-fork", longValued: "target setuid setgid" },
  setpriv: { longFlags: "clear-groups keep-groups no-new-privs", longValued: "reuid regid ruid euid rgid egid groups" },
  runuser: { flags: "flmpP", valued: "ugGcsw", longValued: "user group supp-group command session-command shell" },
  flock: { flags: "sxenuoFv", valued: "wE", longFlags: "shared exclusive nonblock unlock close", operands: 1 },
  strace: { flags: "cCdfFhiknqrtTvVwxyYzZ", valued: "abeEIoOpPsSuUX" },
  ltrace: { flags: "bcCfhiLrStTV", valued: "aADeFlnopsuwxX" },
  caffeinate: { flags: "dimsu", valued: "tw" },
  prlimit: { flags: "" },
  catchsegv: {},
  chronic: { flags: "ve" },
  eatmydata: {},
  faketime: { flags: "f", operands: 1 },
  gosu: { operands: 1 },
  su_exec: { operands: 1 },
  setuidgid: { operands: 1 },
  pkexec: { longValued: "user" },
  proxychains: { flags: "q", valued: "f" },
  proxychains4: { flags: "q", valued: "f" },
  ssh_agent: { flags: "cDds", valued: "aEtPO" },
  systemd_run: {
    flags: "PtqrGdS",
    valued: "puEMH",
    longFlags: "user scope pty pipe wait quiet collect shell",
    longValued: "unit property setenv uid gid nice",
  },
  tini: { flags: "sgvw", valued: "pe" },
  torify: {},
  torsocks: {},
  valgrind: {},
  fakeroot: {},
  firejail: {},
  dbus_run_session: {},
  unbuffer: { flags: "p" },
  winpty: {},
  rlwrap: {},
  xvfb_run: { flags: "a" },
  run0: { longValued: "unit property description slice user group nice chdir setenv background" },
  bwrap: {
    longFlags:
      "unshare-all unshare-user unshare-ipc unshare-pid unshare-net unshare-uts unshare-cgroup share-net die-with-parent new-session as-pid-1 clearenv",
    longValued: "chdir hostname uid gid proc dev tmpfs mqueue dir remount-ro unsetenv lock-file sync-fd",
  },
  cpulimit: { valued: "lpe", flags: "izvbf" },
  cgexec: { valued: "g", longFlags: "sticky" },
  proot: { valued: "rbwq0", flags: "0" },
  fakechroot: {},
  sshpass: { valued: "pfdP", flags: "ev" },
  dbus_launch: { longFlags: "sh-syntax exit-with-session" },
  start_stop_daemon: { valued: "xpnudacNR", longValued: "exec pidfile name user chuid chdir startas" },
  daemonize: { valued: "acepoluE", flags: "v" },
  retry: { valued: "tds" },
  multitime: { valued: "nfIioq", flags: "v" },
  heaptrack: { valued: "op", flags: "rd" },
  gdb: { longFlags: "args batch quiet", flags: "q" },
}
