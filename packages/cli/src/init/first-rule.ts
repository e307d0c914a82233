/** The rule that `init` writes: one that applies when a test is read or changed, to be edited. */
export const FIRST_RULE = {
  name: "tests.md",
  text: `---
name: Tests
globs: ["**/*.test.*", "**/*.spec.*", "**/*_test.*", "**/test_*.py"]
---
A test has one reason to fail. Name it after the behaviour that it shows, not after the function that it calls.
`,
} as const
