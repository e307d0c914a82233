import { textField } from "./fields.ts"
import { membersFamily, single } from "./members.ts"

const MACOS = "macOS is `darwin`"
const WINDOWS = "Windows is `win32`"

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
    otherNames: { macos: MACOS, mac: MACOS, osx: MACOS, windows: WINDOWS, win: WINDOWS },
  }),
  known: (facts) => single(facts.os),
})
