/** A package that is published. */
export interface ReleasedPackage {
  /** Its folder in the repository. */
  readonly folder: string
  /** What its tarball must hold. */
  readonly files: readonly string[]
  /** How large it may be, unpacked, in kilobytes. */
  readonly maxKilobytes: number
}

/** What is published. */
export const RELEASED = [
  {
    folder: "packages/opencode-rulebook",
    files: [
      "README.md",
      "LICENSE",
      "THIRD-PARTY.md",
      "package.json",
      "server.js",
      "tui.js",
      "dist/server.js",
      "dist/tui.js",
      "dist/cli.js",
    ],
    maxKilobytes: 5000,
  },
  {
    folder: "packages/bash-guard",
    files: ["README.md", "LICENSE", "THIRD-PARTY.md", "package.json", "server.js", "dist/server.js"],
    maxKilobytes: 2000,
  },
] as const satisfies readonly ReleasedPackage[]
