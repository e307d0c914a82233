import { expect, test } from "bun:test"
import { type Facts, type FamilyName, NO_FACTS } from "@opencode-rulebook/rule-schema"
import { seenBy } from "./seen.ts"

const FILES = [
  { path: "/app/src/a.ts", tool: "read", content: "alpha" },
  { path: "/app/\u001b[2J", tool: "read", content: undefined },
  { path: "/other/b.ts", tool: "read", content: "" },
]
const NO_BRANCH = "not a git repository, or no branch is checked out (use --branch)"

test.each<[family: FamilyName, facts: Partial<Facts>, value: unknown, saw: string]>([
  ["keywords", { prompt: `a "b" ${"c".repeat(90)}` }, `a "b" ${"c".repeat(90)}`, `prompt "a "b" ${"c".repeat(73)}…"`],
  ["keywords", { prompt: "" }, "", 'prompt ""'],
  ["keywords", {}, null, "no prompt given (use --prompt)"],
  ["command", { command: "ship" }, "ship", 'command "ship"'],
  ["command", {}, null, "no command given (use --command)"],
  ["project", { project: new Set(["node", "go"]) }, ["go", "node"], "project: go, node"],
  ["project", { project: new Set() }, [], "project: none"],
  ["project", {}, null, "no project given (use --project)"],
  ["os", { os: "linux" }, "linux", 'os "linux"'],
  ["os", {}, null, "no os given (use --os)"],
  ["ci", { ci: true }, true, "CI"],
  ["ci", { ci: false }, false, "no CI"],
  ["ci", {}, null, "no CI"],
  ["agent", { agent: "plan" }, "plan", 'agent "plan"'],
  ["agent", {}, null, "no agent given (use --agent)"],
  ["model", { model: { providerID: "a", modelID: "b/c" } }, "a/b/c", 'model "a/b/c"'],
  ["model", { model: { providerID: "", modelID: "b" } }, "b", 'model "b"'],
  ["model", {}, null, "no model given (use --model)"],
  ["branch", { branch: "main" }, "main", 'branch "main"'],
  ["branch", {}, null, NO_BRANCH],
  ["tools", { tools: new Set(["read", "\u001b[1m"]) }, ["\u001b[1m", "read"], "tools: \\u001b[1m, read"],
  ["tools", {}, null, "no tools given (use --tool)"],
])("what the family %s saw of %p", (family, facts, value, saw) => {
  expect(seenBy(family, { ...NO_FACTS, ...facts }, [], "/app")).toEqual({ value, saw })
})

test("files: those below the folder relative to it, with the length of what is known of their texts", () => {
  expect(seenBy("file", NO_FACTS, FILES, "/app")).toEqual({
    value: [
      { path: "src/a.ts", characters: 5 },
      { path: "\u001b[2J", characters: null },
      { path: "/other/b.ts", characters: 0 },
    ],
    saw: "src/a.ts (5 characters), \\u001b[2J (its text is not known), /other/b.ts (0 characters)",
  })
  expect(seenBy("file", NO_FACTS, [], "/app")).toEqual({ value: [], saw: "no file" })
})
