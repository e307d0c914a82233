// OpenCode 2 looks for `tui` beside a plugin's `server`.
export { default } from "./dist/tui.js"
