import { type CompiledRule, pathForm, type RuleId } from "@opencode-rulebook/rule-schema"

const INTRODUCTION =
  "These rules are not in the conversation. Before you work on what one of them describes, read its file and follow it."
/** The longest description worth telling, in characters. */
const LONGEST = 300

/**
 * The index of the rules that are left to the model's judgement, itself a durable rule that always applies: each with its
 * description and path, so that the model can read the file. Undefined when there is none with a description.
 *
 * @param rules the rules that came to the session together.
 * @param name tells several indexes of a session apart: the folder that the rules are of, "" for the first.
 * @param directory paths below it are shown relative to it, absolute.
 */
export function onRequestIndex(
  rules: readonly CompiledRule[],
  name: string,
  directory: string,
): CompiledRule | undefined {
  const lines = rules.flatMap((rule) => {
    if (rule.activation !== "onRequest" || rule.description === undefined) return []
    const { path } = pathForm(rule.file, { root: directory, directory })
    return [`- ${rule.name}: ${shortened(rule.description)} (${path})`]
  })
  if (lines.length === 0) return undefined
  return {
    // The one place that makes an index's id: no scope of a rule has this name.
    id: `index:${name}` as RuleId,
    scope: "project",
    file: "",
    root: directory,
    name: "Rules on request",
    body: [INTRODUCTION, ...lines].join("\n"),
    digest: "",
    match: "any",
    activation: "always",
    description: undefined,
    conditions: [],
    hooks: [],
    hold: false,
    remind: undefined,
    forbid: undefined,
    reminder: undefined,
  }
}

function shortened(description: string): string {
  const characters = [...description]
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join("")}…` : description
}
