import { expect, test } from "bun:test"
import { fileURLToPath } from "node:url"
import { Glob } from "bun"

const ALLOWED = new Set(["@eslint-community/regexpp", "arktype", "picomatch", "re2js", "tokenx", "yaml"])
const sources = fileURLToPath(new URL("../src/", import.meta.url))

test("this package knows no host and no other package", async () => {
  const foreign: string[] = []
  let files = 0
  for await (const file of new Glob("**/*.ts").scan(sources)) {
    if (file.endsWith(".test.ts")) continue
    files += 1
    for (const [, name = ""] of (await Bun.file(sources + file).text()).matchAll(/\bfrom "([^".][^"]*)"/g)) {
      if (!ALLOWED.has(name) && !/^node:(?:crypto|fs\/promises|path)$/.test(name)) foreign.push(`${file}: ${name}`)
    }
  }
  expect(files).toBeGreaterThan(20)
  expect(foreign).toEqual([])
})
