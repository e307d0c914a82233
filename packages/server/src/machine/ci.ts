/** Variables that CI services set beside or in place of `CI`. */
const CI_VARIABLES = [
  "CONTINUOUS_INTEGRATION",
  "GITHUB_ACTIONS",
  "GITLAB_CI",
  "BUILDKITE",
  "CIRCLECI",
  "TF_BUILD",
  "TEAMCITY_VERSION",
  "JENKINS_URL",
] as const

/**
 * Whether the environment is one of continuous integration.
 * `CI` decides when it is set, so that `CI=false` turns detection off.
 */
export function runsInCI(env: Readonly<Record<string, string | undefined>>): boolean {
  const ci = env["CI"]
  if (ci !== undefined && ci !== "") return !isNo(ci)
  return CI_VARIABLES.some((name) => {
    const value = env[name]
    return value !== undefined && value !== "" && !isNo(value)
  })
}

function isNo(value: string): boolean {
  return ["false", "0", "no", "off"].includes(value.trim().toLowerCase())
}
