import { homedir } from "node:os"
import { homeFolder, stateDirectory } from "@opencode-rulebook/rule-schema"
import type { Engine } from "../../engine/engine.ts"
import type { HostPort } from "../../engine/port.ts"
import { createLruMap } from "../../lru-map.ts"
import { gitWorktree } from "../../machine/worktree.ts"
import { readOptions } from "../../runtime/options.ts"
import { createRuntime, type Runtime } from "../../runtime/runtime.ts"
import { removeSessionFiles } from "../../runtime/session-files.ts"
import type { V2Context } from "./host.ts"
import { sessionDirectory } from "./location.ts"
import { createV2Session, type V2Session } from "./session.ts"
import { availableTools } from "./tools.ts"

/** The sessions of one instance of the plugin. Nothing of it is the module's: the stable line makes an instance for each folder. */
export interface Sessions {
  open(sessionID: string): V2Session
  peek(sessionID: string): V2Session | undefined
  /** The engine that a session belongs to. */
  engine(sessionID: string): Promise<Engine>
  /** The same, if the session has come to one; an event alone brings none. */
  knownEngine(sessionID: string): Promise<Engine | undefined>
  drop(sessionID: string): void
  /** Removes what is on disk of a session that came to no engine of this process: an earlier one has left it. */
  forget(sessionID: string): Promise<void>
  /** Shows a message to the people of all sessions. */
  notify(message: string): void
  /** Lets what is under way come to rest. */
  settled(): Promise<void>
}

/** Sessions by id, each with the engine of the folder it works in. */
export function createSessions(context: V2Context, port: HostPort): Sessions {
  const env = process.env
  const home = homeFolder(env, homedir())
  const runtimes = new Map<string, Promise<Runtime>>()
  const sessions = createLruMap<V2Session>({
    most: readOptions(context.options).options.maxSessions,
    create: createV2Session,
  })

  async function createRuntimeIn(directory: string): Promise<Runtime> {
    const runtime = createRuntime({
      host: "OpenCode 2",
      directory,
      worktree: await gitWorktree(directory),
      env,
      home,
      rawOptions: context.options,
      createPort: () => port,
      sharesFolder: true,
      tools: async (sessionID) => availableTools(context, sessions.peek(sessionID)?.offered),
    })
    runtime.announce()
    return runtime
  }

  async function locate(sessionID: string, session: V2Session): Promise<Runtime> {
    const { directory, certain } = await sessionDirectory(context, sessionID)
    if (!certain) session.runtime = undefined
    const runtime = runtimes.get(directory) ?? createRuntimeIn(directory)
    runtimes.set(directory, runtime)
    return runtime
  }

  return {
    open: sessions.open,
    peek: sessions.peek,
    async engine(sessionID) {
      const session = sessions.open(sessionID)
      session.runtime ??= locate(sessionID, session)
      return (await session.runtime).engine
    },
    async knownEngine(sessionID) {
      return (await sessions.peek(sessionID)?.runtime)?.engine
    },
    drop: sessions.drop,
    forget: (sessionID) => removeSessionFiles(stateDirectory({ ...env }, home), sessionID),
    notify(message) {
      for (const runtime of runtimes.values()) void runtime.then(({ notify }) => notify(message))
    },
    async settled() {
      for (const runtime of runtimes.values()) await (await runtime).dispose()
    },
  }
}
