/**
 * The user's home folder, as OpenCode's runtime finds it: `USERPROFILE` on Windows, whatever a shell there has put into `HOME`;
 * `HOME` elsewhere; what the system knows of the user where that is not set.
 *
 * @param known what the system knows (`os.homedir()`), absolute.
 * @param platform a `process.platform`.
 */
export function homeFolder(
  env: Readonly<Record<string, string | undefined>>,
  known: string,
  platform: string = process.platform,
): string {
  return env[platform === "win32" ? "USERPROFILE" : "HOME"] || known
}
