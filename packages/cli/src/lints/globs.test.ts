import { expect, test } from "bun:test"
import { codes, said, surroundings } from "../../test/linted.ts"

// The project has src/a.ts, src/deep/b.test.ts, web/src/components/b.tsx, web/[id]/page.tsx, .env and the ignored folder dist/.
const LATER = "Correct the pattern, or keep it if the files will be added later. Patterns start at the project's root."
const none = (place: string, patterns: string, remedy = LATER) =>
  `${place}: no file of the project matches ${patterns}. ${remedy}`
const meant = (place: string, pattern: string, other: string) =>
  `${place}: no file of the project matches "${pattern}", and some match "${other}". Write \`${other}\`.`
const elsewhere = (place: string, pattern: string) =>
  `${place}: "${pattern}" is in a folder that the project doesn't have. ${LATER}`

test.each<[globs: string, ...findings: string[]]>([
  ["'**/*.rs'", none("2:8 globs", '"**/*.rs"')],
  ["['*.rs', '*.go', '*.py', '*.rb', '*.c']", none("2:9 globs", '"*.rs", "*.go", "*.py" +2')],
  ["['src/**', '!src/**/*.ts']", none("2:9 globs", '"src/**", "!src/**/*.ts"')],
  ["['components', '*.rs']", none("2:9 globs", '"components", "*.rs"')],
  ["src", none("2:8 globs", '"src"', "Write `src/**`.")],
  ["././src", none("2:8 globs", '"././src"', "Write `src/**`.")],
  [".tsx", none("2:8 globs", '".tsx"', "Write `*.tsx`.")],
  ["components/*.tsx", none("2:8 globs", '"components/*.tsx"', "Write `**/components/*.tsx`.")],
  ["components", none("2:8 globs", '"components"', "Write `**/components/**`.")],
  ["src/components", none("2:8 globs", '"src/components"', "Write `**/src/components/**`.")],
  ["nothing", none("2:8 globs", '"nothing"')],
  ["'*/components/x.tsx'", none("2:8 globs", '"*/components/x.tsx"')],
  ["['src/*.ts', nothing, b.tsx, '*.rs', '!lib/*.ts']"],
  [
    "['src/*.ts', src/deep, .tsx, components, deep/*.ts, src/components]",
    meant("2:21 globs", "src/deep", "src/deep/**"),
    meant("2:31 globs", ".tsx", "*.tsx"),
    meant("2:37 globs", "components", "**/components/**"),
    meant("2:49 globs", "deep/*.ts", "**/deep/*.ts"),
    meant("2:60 globs", "src/components", "**/src/components/**"),
  ],
  [
    "['src/*.ts', lib/*.ts, src/x/**, ././lib/*.ts, 'lib/[id]/x.ts', lib/x/*/y.ts]",
    elsewhere("2:21 globs", "lib/*.ts"),
    elsewhere("2:31 globs", "src/x/**"),
    elsewhere("2:41 globs", "././lib/*.ts"),
    elsewhere("2:55 globs", "lib/[id]/x.ts"),
    elsewhere("2:72 globs", "lib/x/*/y.ts"),
  ],
  [
    "['src/*.ts', .entry/*.ts, src/a.ts/x]",
    elsewhere("2:21 globs", ".entry/*.ts"),
    elsewhere("2:34 globs", "src/a.ts/x"),
  ],
  ["['src/*.ts', 'li*b/x.ts', 'li?b/x', 'l{i,o}b/x', 'l[io]b/x', '!(lib)/x', 'l+(i)/x', 'l@(i)/x']"],
  ["['src/*.ts', 'src/de*/x.rs', 'web/[id]/x.rs', src/a.ts, src/deep/x.rs]"],
  [
    "['src/*.ts', dist/a/b/*.js, distx/*.js, dis/*.js]",
    elsewhere("2:36 globs", "distx/*.js"),
    elsewhere("2:48 globs", "dis/*.js"),
  ],
  ["dist/a/*.rs"],
  ["'*/dist/*.rs'", none("2:8 globs", '"*/dist/*.rs"')],
  ["['!dist/**', '*.rs']", none("2:9 globs", '"!dist/**", "*.rs"')],
  ["[lib/*.rs, ~/notes/*.rs]"],
  ["[lib/*.rs, 'c:/notes/*.rs']"],
  ["[lib/*.rs, /notes/*.rs]"],
  ["['x~/*.rs', 'ab:/*.rs']", none("2:9 globs", '"x~/*.rs", "ab:/*.rs"')],
])("globs: %s", (globs, ...findings) => {
  expect(said(`globs: ${globs}`, "glob-without-file")).toEqual(findings)
})

test("a pattern that nothing can match is another finding", () => {
  expect(codes("globs: ['*.rs', '!**']")).toBe("impossible-condition 2:9")
})

test("the files of a project are those below the root that the rule has", () => {
  const files = (root: string) => surroundings.files?.(root === "/home/dev/app" ? "/home/dev/app/web" : root) ?? []
  expect(codes("globs: 'src/components/*.tsx'")).toBe("glob-without-file 2:8")
  expect(codes("globs: 'src/components/*.tsx'", undefined, { files })).toBe("")
})

test("without git, and for a rule of all projects, no pattern is missed", () => {
  expect(codes("globs: '*.rs'", undefined, { files: undefined })).toBe("")
  expect(codes("globs: '*.rs'", "global")).toBe("")
})
