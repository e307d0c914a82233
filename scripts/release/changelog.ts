/** What is wrong with the changelog for a version that is about to be released. */
export function changelogProblems(changelog: string, version: string): string[] {
  const heading = new RegExp(`^## \\[${version.replaceAll(".", "\\.")}\\] - (\\d{4}-\\d{2}-\\d{2})$`, "m").exec(
    changelog,
  )
  if (!heading)
    return [`CHANGELOG.md has no section "## [${version}] - YYYY-MM-DD". Move the entries of [Unreleased] below it.`]
  const section = changelog.slice(heading.index + heading[0].length).split(/^## /m)[0] ?? ""
  if (!/^- \S/m.test(section)) return [`CHANGELOG.md says nothing about ${version}. List what users will notice.`]
  if (Number.isNaN(Date.parse(heading[1] ?? ""))) return [`CHANGELOG.md: ${heading[1]} is not a date.`]
  return []
}
