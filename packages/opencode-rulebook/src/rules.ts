// The rule library as the sidebar uses it, in a file of its own: see scripts/build.ts.
export * from "@opencode-rulebook/rule-schema"
