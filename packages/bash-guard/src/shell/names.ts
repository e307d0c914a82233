/** The last part of a path, as the shell would run it. */
export function baseName(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1)
}

/** Programs of the GNU tools that other systems install with a `g` in front. */
const gnu = new Set(
  "base64 cat chmod chown chroot cp date dd echo env expr find grep head id install kill ln ls mkdir mv nice nohup printf rm rmdir sed shred stdbuf stty tail tar tee test time timeout touch tr truncate unlink xargs".split(
    " ",
  ),
)

/** The program that a name stands for: no path, lower case, no `.exe`, no `g` of GNU tools. */
export function programName(name: string): string {
  const base = baseName(name)
    .toLowerCase()
    .replace(/\.exe$/, "")
  return base.startsWith("g") && gnu.has(base.slice(1)) ? base.slice(1) : base
}
