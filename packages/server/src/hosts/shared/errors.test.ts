import { expect, test } from "bun:test"
import { describeError } from "./errors.ts"

test.each<[what: string, error: unknown, told: string]>([
  ["of the language", new TypeError("fetch failed"), "fetch failed"],
  ["of a host's client", { name: "UnknownError", data: { message: "the disk is full" } }, "the disk is full"],
  ["of a host's client without a text", { name: "X", data: { message: 5 } }, '{"name":"X","data":{"message":5}}'],
  ["of a host's client without data", { name: "NotFoundError" }, '{"name":"NotFoundError"}'],
  ["that is a text", "busy", '"busy"'],
  ["that is nothing", undefined, "undefined"],
  ["that is null", null, "null"],
])("an error %s", (_what, error, told) => {
  expect(describeError(error)).toBe(told)
})
