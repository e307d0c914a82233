import { describe, expect, test } from "bun:test"
import { counts } from "./support/dispatches.ts"
import { hosts } from "./support/host.ts"

for (const { name, start, tools } of hosts)
  describe(name, () => {
    const { read, write, edit, patch } = tools

    test("the folders above the project never count, whichever tool names the file", async () => {
      // The model's project lies in a folder of this name.
      const rules = {
        "above.md": "---\nglobs: '**/project/**'\n---\nMatched above.",
        "but.md": "---\nglobs: ['**/*.ts', '!**/project/**']\n---\nMatched below.",
      }
      const steps = [
        (host: Parameters<typeof read>[0]) => read(host, "src/a.ts", "x"),
        () => write("src/a.ts", "x"),
        () => edit("src/a.ts", "x", "y"),
        () => patch("*** Begin Patch\n*** Add File: src/a.ts\n+x\n*** End Patch"),
      ]
      for (const step of steps) {
        await using host = await start({ rules })
        const turn = await host.session().prompt("go", [step(host), "done"])
        expect(counts(turn, "Matched above.")).toEqual([0, 0])
        expect(counts(turn, "Matched below.")).toEqual([0, 1])
      }
    })

    test("a pattern that no path can match is reported at load, with its place, and the others work", async () => {
      await using host = await start({
        rules: {
          "a.md": "---\nglobs:\n  - ../x/*.ts\n  - '*.md'\n---\nRule A.",
          "b.md": "---\nglobs: src/**.ts\n---\nRule B.",
        },
      })
      const turn = await host.session().prompt("go", [write("a.md", "x"), write("src/b.ts", "x"), "done"])
      expect(counts(turn, "Rule A.")).toEqual([0, 1, 1])
      expect(counts(turn, "Rule B.")).toEqual([0, 0, 1])
      const warnings = host.log.filter((line) => line.startsWith("warn"))
      expect(
        warnings.filter((line) => line.includes('a.md:3:5 globs: the pattern "../x/*.ts" has `..` in it')),
      ).toHaveLength(1)
      expect(
        warnings.filter((line) => line.includes('b.md:2:8 globs: the pattern "src/**.ts" has `**` beside')),
      ).toHaveLength(1)
    })
  })
