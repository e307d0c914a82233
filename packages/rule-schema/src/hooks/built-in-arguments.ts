/** What a file tool's path is called: on v1, on v2. */
const PATH = ["filePath", "path"]

/**
 * The arguments of built-in tools on either major of OpenCode, by the tool's name: those of 1.18.33, as it offers them to a model, and
 * those of 2.0.26, as its sources have them; beside them `description` of `bash`, which other versions of 1.18 and the preview have.
 * Tools of which the arguments on both are not known for certain are left out.
 */
const ARGUMENTS: ReadonlyMap<string, readonly string[]> = new Map(
  [
    { tools: ["bash", "shell"], names: ["command", "description", "timeout", "workdir", "background"] },
    { tools: ["read"], names: [...PATH, "offset", "limit"] },
    { tools: ["write"], names: [...PATH, "content"] },
    { tools: ["edit"], names: [...PATH, "oldString", "newString", "replaceAll"] },
    { tools: ["apply_patch", "patch"], names: ["patchText"] },
  ].flatMap(({ tools, names }) => tools.map((tool) => [tool, names] as const)),
)

/** The arguments that a tool has on one major or the other; undefined where that is not known. @param tool in any case. */
export function builtInArguments(tool: string): readonly string[] | undefined {
  return ARGUMENTS.get(tool.toLowerCase())
}

/**
 * The names of an argument on either major of OpenCode, the given one first: a rule that uses one of them means the argument.
 *
 * @param tool the tool that is called, in any case.
 */
export function argumentNames(tool: string, name: string): readonly string[] {
  const isPath = PATH.includes(name) && builtInArguments(tool)?.includes(name) === true
  return isPath ? [name, ...PATH.filter((other) => other !== name)] : [name]
}
