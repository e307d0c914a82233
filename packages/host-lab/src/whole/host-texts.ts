/** What OpenCode itself says in user messages, each a part of its own (seen on 1.18.3 to 1.18.33). */
const HOSTS = [
  /^<system-reminder>\n[\s\S]*<\/system-reminder>\n?$/,
  /^What did we do so far\?$/,
  /^(?:The previous request exceeded the provider's size limit [^\n]+\n\n)?Continue if you have next steps, or stop and ask for clarification if you are unsure how to proceed\.$/,
  /^Summarize the task tool output above and continue with your task\.$/,
  /^The following tool was executed by the user$/,
  /^Called the Read tool with the following input: \{.*\}$/,
  /^<path>[\s\S]*<\/(?:content|entries)>$/,
  /^ Use the above message and context to generate a prompt and call the task tool with subagent: /,
]
const REMINDER = /^<system-reminder>\n/
const MAXIMUM_STEPS = /^CRITICAL - MAXIMUM STEPS REACHED/
const PRUNED = "[Old tool result content cleared]"

/** Whether OpenCode itself says this in a user message. */
export function isHosts(text: string): boolean {
  return HOSTS.some((pattern) => pattern.test(text))
}

/** Whether OpenCode takes this text out of its next requests, or moves it. */
export function isPassing(text: string): boolean {
  return REMINDER.test(text) || MAXIMUM_STEPS.test(text)
}

/** Whether OpenCode has put this in a tool result's place. */
export function isPruned(text: string): boolean {
  return text === PRUNED
}
