import fc from "fast-check"

/** What property tests draw their inputs from in an ordinary run: the same for everybody, so that a red test is red again. */
const FIXED_SEED = 20_260_714

// `bun run fuzz` sets FUZZ and looks for what nobody has seen yet. A failure prints its seed; FUZZ_SEED plays it again.
const given = process.env["FUZZ_SEED"]
const seed =
  given === undefined ? (process.env["FUZZ"] === undefined ? FIXED_SEED : Date.now() % 2 ** 31) : Number(given)
fc.configureGlobal({ seed })
