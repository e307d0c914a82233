import { expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parseRule } from "@opencode-rulebook/rule-schema"
import { readRuleSource } from "@opencode-rulebook/rule-schema/authoring"
import type { Surroundings } from "../src/lints/lint.ts"
import { LINTS } from "../src/lints/table.ts"

/** Rule files in the shapes that people's files have. */
const CORPUS = join(import.meta.dir, "corpus")
const DIRECTORY = { scope: "project", path: "/app/.opencode/rules", root: "/app", prefix: "" } as const
const NO_NAMES = new Set<string>()
const SURROUNDINGS: Surroundings = {
  directory: "/app",
  files: undefined,
  tags: new Set(),
  names: {
    agents: NO_NAMES,
    commands: NO_NAMES,
    tools: NO_NAMES,
    toolPrefixes: [],
    models: NO_NAMES,
    isWhole: false,
  },
  os: "linux",
  rules: [],
}

/**
 * Of each file: how the rule comes to the model and by what, the first line that is delivered, and every finding as `code line:column`.
 */
const EXPECTED: readonly (readonly [file: string, rule: string, firstLine: string, ...findings: string[]])[] = [
  ["body-breaks.md", "always", "Be brief."],
  ["body-example-first.md", "always", "# Rules for rules"],
  ["body-example.md", 'conditions; prompt has one of "write a rule"', "A rule file looks like this:"],
  ["claude-import.md", "always", "# Project"],
  ["claude-paths-braces.md", "conditions; src/**/*.{ts,tsx}", "# React components"],
  ["claude-paths-many.md", "conditions; src/**/*.py, tests/**/*.py, !tests/fixtures/**", "# Python"],
  ["claude-paths.md", "conditions; src/api/**/*.ts", "# API"],
  ["claude-plain.md", "always", "# Style"],
  ["cline-paths.md", "conditions; src/components/**, src/hooks/**", "# React components"],
  ["cline-plain.md", "always", "# Guide"],
  ["closing-glued.md", "broken", "", "bad-fence 3:1"],
  ["continue-globs.md", "conditions; **/*.mdx, docs/**", "One idea in a sentence."],
  ["continue-regex-globs.md", "conditions; **/*.tsx", "# React components", "unsupported-key 4:1"],
  ["continue-regex.md", "broken", "", "unsupported-key 3:1"],
  ["copilot-all.instructions.md", "conditions; **", "# Language"],
  ["copilot-apply-to.instructions.md", "conditions; **/*.py", "# Python", "key-form 2:1"],
  [
    "copilot-exclude-agent.instructions.md",
    "conditions; src/**/*.go",
    "Return errors, wrap them with `%w`, and log them once: at the edge.",
  ],
  ["copilot-list.instructions.md", "conditions; **/*.ts, **/*.tsx", "# React components"],
  ["copilot-name.instructions.md", "conditions; **/*.py", "# Python"],
  ["copilot-plain.md", "always", "# Instructions"],
  ["cursor-always-globs.mdc", "always", "Return errors, wrap them with `%w`, and log them once: at the edge."],
  ["cursor-always.mdc", "always", "Return errors, wrap them with `%w`, and log them once: at the edge."],
  ["cursor-at-files.mdc", "conditions; services/**/*.ts", "Start from this one:"],
  [
    "cursor-bare-flow.mdc",
    "conditions; **/*.css, **/*.scss",
    "Return errors, wrap them with `%w`, and log them once: at the edge.",
  ],
  [
    "cursor-bare-list.mdc",
    "conditions; **/*.css, **/*.scss",
    "Return errors, wrap them with `%w`, and log them once: at the edge.",
  ],
  ["cursor-bom.mdc", "conditions; tests/**/*.py", "# Python"],
  ["cursor-braces.mdc", "conditions; {apps,packages}/**/*.{ts,tsx}", "# React components"],
  ["cursor-colon.mdc", "conditions; src/api/**", "Return errors, wrap them with `%w`, and log them once: at the edge."],
  ["cursor-comment-above.mdc", "conditions; **/*.sql", "Every migration has a way back."],
  ["cursor-crlf.mdc", "conditions; **/*.test.ts, **/*.spec.ts", "# Tests"],
  [
    "cursor-flow.mdc",
    "conditions; *.css, *.scss",
    "Return errors, wrap them with `%w`, and log them once: at the edge.",
  ],
  ["cursor-glob-typo.mdc", "conditions; **/*.sql", "Every migration has a way back.", "key-form 3:1"],
  [
    "cursor-list.mdc",
    "conditions; **/*.css, **/*.scss",
    "Return errors, wrap them with `%w`, and log them once: at the edge.",
  ],
  ["cursor-manual.mdc", "onRequest", "Every migration has a way back.", "no-description 4:1"],
  ["cursor-no-fences.mdc", "broken", "", "hidden-frontmatter 1:1"],
  ["cursor-no-frontmatter.mdc", "always", "# React components"],
  ["cursor-quote.mdc", "conditions; **/*.py", "# Python"],
  [
    "cursor-quoted-commas.mdc",
    "conditions; *.css, *.scss",
    "Return errors, wrap them with `%w`, and log them once: at the edge.",
  ],
  ["cursor-requested.mdc", "onRequest", "Every migration has a way back."],
  [
    "cursor-spaces.mdc",
    "conditions; src/server/**/*.ts, src/shared/**/*.ts, !src/server/generated/**",
    "Return errors, wrap them with `%w`, and log them once: at the edge.",
  ],
  ["cursor-template.mdc", "conditions; *.tsx, src/components/**/*.ts", "# React components"],
  ["cursor-text-above.mdc", "broken", "", "hidden-frontmatter 3:1"],
  ["cursor-trailing-space.mdc", "conditions; **/*.sql", "Every migration has a way back."],
  ["cursor-two-blocks.mdc", "broken", "", "hidden-frontmatter 4:1"],
  ["cursor-unclosed.mdc", "broken", "", "unclosed-fence 1:1"],
  ["cursor-version.mdc", "conditions; **/*.sql", "Every migration has a way back."],
  ["cursor-wrapped-by-chat.mdc", "broken", "", "hidden-frontmatter 1:1"],
  ["cursor-wrapped.mdc", "conditions; src/db/**/*.sql", "Every migration has a way back.", "stray-line 3:1"],
  ["dot-files.mdc", "conditions; .github/workflows/*.yml, .env*, Dockerfile", "Pin every action to a commit."],
  ["empty-globs.md", "broken", "", "empty-value 2:7"],
  [
    "exclusion.mdc",
    "conditions; **/*.ts, !**/*.test.ts, !**/*.d.ts",
    "Return errors, wrap them with `%w`, and log them once: at the edge.",
  ],
  ["heading-above.md", "conditions; **/*.sql", "# Queries"],
  ["kiro-always.md", "always", "# Product"],
  ["kiro-auto.md", "onRequest", "Nouns in paths, plural."],
  ["kiro-file-match-list.md", "conditions; **/*.py, pyproject.toml", "# Python"],
  ["kiro-file-match.md", "conditions; components/**/*.tsx", "# React components"],
  ["kiro-manual.md", "onRequest", "Call first, then look at the board."],
  ["kiro-no-pattern.md", "broken", "", "no-patterns 2:1"],
  ["monorepo.mdc", "conditions; packages/web/**, !packages/web/dist/**", "# React components"],
  ["name-with-signs.mdc", "conditions; **/*.cs, **/*.fs", "Nullable reference types are on."],
  ["next-routes.mdc", "conditions; app/[locale]/(shop)/**/page.tsx, app/api/[...slug]/route.ts", "# React components"],
  ["opencode-claude-hook.md", "broken", "", "unknown-key 3:5", "unknown-key 4:5", "unknown-key 5:5", "wrong-type 3:5"],
  [
    "opencode-contains.md",
    'conditions; **/*.rs · contains "unsafe {", "#[no_mangle]"',
    "Each `unsafe` block has a `// SAFETY:` comment.",
  ],
  ["opencode-hook.md", "hooks; PreToolUse bash", "This project uses pnpm."],
  [
    "opencode-keywords.md",
    'conditions; prompt has one of "deploy", "roll back", "#release"',
    "Ask which environment before you start.",
  ],
  [
    "opencode-mixed.md",
    'conditions; prompt has one of "migrate", "migration"; agent is one of build; branch is one of main, release/*',
    "Every migration has a way back.",
  ],
  ["opencode-os.md", "conditions; os is one of linux", "Use `gsed` where `sed` is not GNU's.", "dropped-entry 2:6"],
  ["opencode-typo.md", "broken", "", "unknown-key 2:1"],
  [
    "svelte-routes.mdc",
    "conditions; src/routes/**/+page.svelte, src/routes/**/+page.server.ts",
    "Load data in `+page.server.ts`.",
  ],
  ["swallowed.md", "broken", "", "yaml-syntax 6:1"],
  ["typographic.md", "conditions; **/*.sql, db/**", "Name every constraint."],
  ["windsurf-always.md", "always", "Return errors, wrap them with `%w`, and log them once: at the edge."],
  ["windsurf-glob.md", "conditions; **/*.go", "Return errors, wrap them with `%w`, and log them once: at the edge."],
  ["windsurf-manual-described.md", "onRequest", "Every migration has a way back."],
  ["windsurf-manual.md", "onRequest", "Every migration has a way back.", "no-description 2:1"],
  ["windsurf-model.md", "onRequest", "Every migration has a way back."],
  ["zero-width.md", "conditions; **/*.sql", "Name every constraint.", "invisible-character 1:1"],
]

for (const [file, rule, firstLine, ...findings] of EXPECTED) {
  test(file, () => {
    const text = readFileSync(join(CORPUS, file), "utf8")
    const path = `${DIRECTORY.path}/${file}`
    const parsed = parseRule({ directory: DIRECTORY, path, text })
    const source = readRuleSource(path, text)
    if (parsed.kind === "broken") {
      const { problems } = parsed.rule
      expect(["broken", "", ...problems.map(placed)]).toEqual([rule, firstLine, ...findings])
      return
    }
    const { activation, conditions, hooks, body } = parsed.rule
    const linted = LINTS.flatMap(({ code, check }) =>
      check({ rule: parsed.rule, source }, SURROUNDINGS).map((found) => source.problem("warning", { code, ...found })),
    )
    const by = [...conditions.map(({ details }) => details), ...hooks.map(({ type, tool }) => `${type} ${tool}`)]
    expect([
      [activation, ...by].join("; "),
      body.split("\n")[0],
      ...[...parsed.problems, ...linted].map(placed),
    ]).toEqual([rule, firstLine, ...findings])
  })
}

test("every file of the corpus is expected", () => {
  expect(readdirSync(CORPUS).toSorted()).toEqual(EXPECTED.map(([file]) => file).toSorted())
})

function placed({
  code,
  line,
  column,
}: {
  readonly code: string
  readonly line: number
  readonly column: number
}): string {
  return `${code} ${line}:${column}`
}
