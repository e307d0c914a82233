import { textField } from "./fields.ts"
import { membersFamily, single } from "./members.ts"

export const os = membersFamily({
  name: "os",
  noun: "os",
  lifetime: "durable",
  field: textField({
    key: "os",
    description: "Active on these operating systems: linux, darwin (macOS) or win32 (Windows)",
    example: "[linux, darwin]",
    ignoresCase: true,
    values: ["linux", "darwin", "win32"],
    otherNames: { macos: "darwin", mac: "darwin", osx: "darwin", windows: "win32" },
  }),
  known: (facts) => single(facts.os),
})
