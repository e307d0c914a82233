// OpenCode 2 looks for `server` at the root of a local plugin's folder, whatever package.json says.
export { default } from "./dist/server.js"
