import { describe, expect, setDefaultTimeout, test } from "bun:test"
import fc from "fast-check"
import { Document, isCollection, parseDocument, visit } from "yaml"
import { runs } from "../../test/runs.ts"
import { KEY_TESTS } from "../known-keys.ts"
import { collectProblems } from "../problems.ts"
import { readFrontmatter } from "./read.ts"
import type { Value } from "./value.ts"

setDefaultTimeout(60_000)

/** What the values are, without their places. */
function plain(value: Value): unknown {
  if (value.kind === "scalar") return value.value
  if (value.kind === "list") return value.items.map(plain)
  return Object.fromEntries([...value.entries].map(([key, entry]) => [key, plain(entry.value)]))
}

function read(source: string): unknown {
  const problems = collectProblems("/rule.md", source)
  const frontmatter = readFrontmatter(source, 0, KEY_TESTS, problems)
  if (frontmatter === undefined) return problems.all
  return Object.fromEntries([...frontmatter].map(([key, entry]) => [key, plain(entry.value)]))
}

describe("well-formed YAML is read as the YAML library reads it", () => {
  const sign = fc.constantFrom(..."*{}[]!@&%|>#:-?'\"`, \nab1\\".split(""), "é", ": ", " #")
  const text = fc.array(sign, { maxLength: 10 }).map((parts) => parts.join(""))
  const scalar = fc.oneof(text, fc.integer(), fc.boolean())
  const mapping = fc.dictionary(fc.constantFrom("type", "tool", "match"), scalar, { maxKeys: 3 })
  const value = fc.oneof(scalar, fc.array(scalar, { maxLength: 4 }), fc.array(mapping, { maxLength: 3 }), mapping)
  const data = fc.dictionary(fc.constantFrom("globs", "keywords", "hooks", "description", "a"), value, { maxKeys: 4 })
  const style = fc.record({
    defaultStringType: fc.constantFrom("PLAIN", "QUOTE_DOUBLE", "QUOTE_SINGLE", "BLOCK_LITERAL", "BLOCK_FOLDED"),
    indentSeq: fc.boolean(),
    lineWidth: fc.constantFrom(0, 20, 80),
  })

  for (const flow of [false, true]) {
    test(flow ? "flow style" : "block style", () => {
      fc.assert(
        fc.property(data, style, (object, options) => {
          const document = new Document(object, { aliasDuplicateObjects: false })
          visit(document, {
            Collection: (key, node) => {
              if (isCollection(node) && flow && key !== null) node.flow = true
            },
          })
          const source = document.toString({ ...options, defaultKeyType: "PLAIN" } as Parameters<
            Document["toString"]
          >[0])
          const parsed = parseDocument(source, { logLevel: "silent" })
          // The library writes a text that begins with "?" or ":" and a line end so that it reads it back as an explicit key.
          fc.pre(parsed.errors.length === 0 && !/[[,:]\s*[?:]\s/.test(source))
          expect(read(source)).toEqual(parsed.toJS() ?? {})
        }),
        { numRuns: runs(1500) },
      )
    })
  }
})
