export { tui } from "./v1.tsx"
export { setup } from "./v2.tsx"
