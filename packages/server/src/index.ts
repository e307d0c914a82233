export { server } from "./hosts/v1/plugin.ts"
