import { expect, test } from "bun:test"
import { homeFolder } from "./home.ts"

test.each<[platform: string, env: Record<string, string>, home: string]>([
  ["linux", { HOME: "/home/dev", USERPROFILE: "/other" }, "/home/dev"],
  ["darwin", { HOME: "/Users/dev" }, "/Users/dev"],
  ["win32", { HOME: "/c/Users/dev", USERPROFILE: "C:\\Users\\dev" }, "C:\\Users\\dev"],
  ["win32", { HOME: "D:\\cygwin\\home\\dev" }, "known"],
  ["linux", {}, "known"],
  ["linux", { HOME: "" }, "known"],
  ["win32", { USERPROFILE: "" }, "known"],
])("the home folder on %s with %o", (platform, env, home) => {
  expect(homeFolder(env, "known", platform)).toBe(home)
})
