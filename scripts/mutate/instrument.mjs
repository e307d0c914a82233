/**
 * Lets Stryker make its mutants: reads what `instrument` takes, the files and the options, as JSON from the input, and writes its result to
 * the output. It runs on Node, because Bun gives Stryker's CommonJS import of @babel/generator another shape.
 */
import { text } from "node:stream/consumers"
import { Instrumenter } from "@stryker-mutator/instrumenter"

const no = () => false
const silent = { debug: no, info: no, isDebugEnabled: no, warn: console.error }
const { files, options } = JSON.parse(await text(process.stdin))
process.stdout.write(JSON.stringify(await new Instrumenter(silent).instrument(files, options)))
