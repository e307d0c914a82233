/** What the reference documents are made from. */
export { EVERYDAY_WORDS, PREFIX_WORDS } from "./lints/everyday-words.ts"
export { LINTS } from "./lints/table.ts"
