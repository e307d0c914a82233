import type { Lab } from "../../src/index.ts"

/** The one line that every start of the plugin writes, which names the folders: of interest only to who asks for it. */
const LOADED = "is loaded"

/**
 * The plugin's lines with this text in the host's log, as they were written, the host's columns left out. The host
 * writes its log on its own time: waits, within the test's own limit, until there are as many as asked for.
 */
export async function pluginLog(lab: Lab, text: string, least = 1): Promise<string[]> {
  for (;;) {
    const found = (await pluginLines(lab)).filter(
      (line) => line.includes(text) && (text === LOADED || !line.includes(`${LOADED} on `)),
    )
    if (found.length >= least) return found
    await Bun.sleep(5)
  }
}

async function pluginLines(lab: Lab): Promise<string[]> {
  const lines = await lab.log()
  return lines.flatMap((line) => {
    const [, quoted] = /message=("opencode-rulebook: (?:[^"\\]|\\.)*")/.exec(line) ?? []
    return quoted === undefined ? [] : [String(JSON.parse(quoted)).replace("opencode-rulebook: ", "")]
  })
}
