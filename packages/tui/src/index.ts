export { tui } from "./plugin.tsx"
