import { join, normalize } from "node:path"
import { parse } from "@babel/parser"
import { Glob } from "bun"

/** One import of a file. A relative `path` is resolved: from the folder that the files were looked for in. */
export interface Import {
  readonly file: string
  readonly path: string
  readonly isRelative: boolean
}

/**
 * Every import of the production files of a folder.
 *
 * @param root the folder that paths start from, absolute.
 * @param folder where to look, from `root` down.
 */
export async function importsOf(root: string, folder: string): Promise<readonly Import[]> {
  const found: Import[] = []
  for (const file of await productionFiles(root, folder)) {
    for (const path of specifiersOf(await Bun.file(join(root, file)).text())) {
      const isRelative = path.startsWith(".")
      found.push({ file, path: isRelative ? normalize(join(file, "..", path)) : path, isRelative })
    }
  }
  return found
}

export async function productionFiles(root: string, folder: string): Promise<readonly string[]> {
  const files = await Array.fromAsync(new Glob(`${folder}/**/*.{ts,tsx,mts,cts,js,jsx}`).scan(root))
  return files.filter((file) => !/\.test\.\w+$/.test(file)).toSorted()
}

/**
 * All that a module names as another module, types included: `import`, `import type`, `export … from`, `import("…")` as a value
 * and as a type, `import x = require("…")`, `require("…")`. What a call computes is named "(computed)".
 */
export function specifiersOf(source: string): readonly string[] {
  const tree = parse(source, {
    sourceType: "module",
    plugins: ["typescript", "jsx"],
    createImportExpressions: true,
  })
  const found = new Set<string>()
  visit(tree.program)
  return [...found]

  function visit(node: unknown): void {
    if (Array.isArray(node)) for (const item of node) visit(item)
    if (!isNode(node)) return
    const named = moduleNamedBy(node)
    if (named !== undefined) found.add(textOf(named))
    for (const [key, child] of Object.entries(node)) if (!key.endsWith("omments")) visit(child)
  }
}

interface Node {
  readonly type: string
  readonly [key: string]: unknown
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"
}

function moduleNamedBy(node: Node): unknown {
  switch (node.type) {
    case "ImportDeclaration":
    case "ExportAllDeclaration":
    case "ExportNamedDeclaration":
    case "ImportExpression":
      return node["source"] ?? undefined
    case "TSImportType":
      return node["argument"] ?? node["source"]
    case "TSExternalModuleReference":
      return node["expression"]
    case "CallExpression": {
      const { callee } = node
      const isRequire = isNode(callee) && callee["name"] === "require"
      return isRequire && Array.isArray(node["arguments"]) ? node["arguments"][0] : undefined
    }
    default:
      return undefined
  }
}

/** The text of a literal: of a string, of a string as a type, of a template without holes. */
function textOf(node: unknown): string {
  if (!isNode(node)) return "(computed)"
  if (node.type === "TSLiteralType") return textOf(node["literal"])
  if (node.type === "StringLiteral") return String(node["value"])
  const quasis = node.type === "TemplateLiteral" && Array.isArray(node["quasis"]) ? node["quasis"] : []
  const only: unknown = quasis.length === 1 ? quasis[0] : undefined
  const value = isNode(only) ? only["value"] : undefined
  return typeof value === "object" && value !== null && "cooked" in value ? String(value.cooked) : "(computed)"
}

/**
 * What a file loads when it runs, types left out: files of the workspace by their absolute paths, and the names of all other
 * modules, which are not followed.
 */
export async function loadedBy(file: string, loaded = new Set<string>()): Promise<ReadonlySet<string>> {
  if (loaded.has(file)) return loaded
  loaded.add(file)
  const source = await Bun.file(file).text()
  for (const { path } of new Bun.Transpiler({ loader: "tsx" }).scanImports(source)) {
    if (!path.startsWith(".") && !path.startsWith("@opencode-rulebook/")) loaded.add(path)
    else if (/\.tsx?$/.test(Bun.resolveSync(path, join(file, "..")))) {
      await loadedBy(Bun.resolveSync(path, join(file, "..")), loaded)
    }
  }
  return loaded
}

/** Groups of files that import each other in a circle, each sorted: the strongly connected parts of more than one file. */
export function circlesOf(imports: readonly Pick<Import, "file" | "path">[]): readonly (readonly string[])[] {
  const next = new Map<string, Set<string>>()
  for (const { file, path } of imports) next.set(file, (next.get(file) ?? new Set()).add(path))
  const reach = new Map([...next.keys()].map((file) => [file, reachableFrom(file, next)]))
  const circles = new Map<string, readonly string[]>()
  for (const [file, reached] of reach) {
    if (!reached.has(file)) continue
    const circle = [...reached].filter((other) => reach.get(other)?.has(file)).toSorted()
    circles.set(circle.join("\n"), circle)
  }
  return [...circles.values()]
}

function reachableFrom(start: string, next: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const reached = new Set<string>()
  const open = [...(next.get(start) ?? [])]
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (reached.has(file)) continue
    reached.add(file)
    open.push(...(next.get(file) ?? []))
  }
  return reached
}
