export { server } from "./hosts/v1/plugin.ts"
export { setup } from "./hosts/v2/plugin.ts"
