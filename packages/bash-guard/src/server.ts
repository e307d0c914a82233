import { server } from "./hosts/v1/plugin.ts"
import { setup } from "./hosts/v2/plugin.ts"

/** One entry for both hosts: OpenCode 1 calls `server`, OpenCode 2 calls `setup`. */
export default { id: "opencode-rulebook-bash-guard", server, setup }
