export { type Browser, type OpenedPage, startChromium } from "./browser.ts"
export { expectExtends } from "./expect.ts"
export { type Lab, type LabOptions, startLab } from "./lab.ts"
export { opencodeBinary, runOpencode, startServer } from "./opencode.ts"
export type { Project, ProjectOptions } from "./project.ts"
export { type ScriptedProvider, startProvider } from "./provider.ts"
export { type Registry, startRegistry } from "./registry.ts"
export type { ProviderRequest, RequestMessage } from "./request.ts"
export type { ScriptExtras, ScriptRun, ScriptTarget } from "./runs.ts"
export {
  type Answer,
  call,
  calls,
  fail,
  hang,
  held,
  type Script,
  type Step,
  say,
  subagent,
  type Usage,
} from "./script.ts"
export { type Files, type PluginSpec, providerConfig, seedConfigFolder, seedHome } from "./seed.ts"
export type { PromptOptions, Session, StoredMessage, Turn } from "./session.ts"
export { startTui, type Tui, type TuiOptions } from "./tui.ts"
export { installOpencode } from "./versions.ts"
export { rulesOfFrame, withoutFrames } from "./whole/frames.ts"
