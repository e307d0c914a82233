/** What OpenCode itself says in user messages, each a part of its own (seen on 1.18.3 to 1.18.33). */
const HOSTS = [
  /^<system-reminder>\n[\s\S]*<\/system-reminder>\n?$/,
  /^What did we do so far\?$/,
  /^(?:The previous request exceeded the provider's size limit [^\n]+\n\n)?Continue if you have next steps, or stop and ask for clarification if you are unsure how to proceed\.$/,
  /^Summarize the task tool output above and continue with your task\.$/,
  /^The following tool was executed by the user$/,
  /^Called the Read tool with the following input: \{.*\}$/,
  /^<path>[\s\S]*<\/(?:content|entries)>$/,
  /^Attached media from tool result:$/,
  /^The plan at \S+ has been approved, you can now edit files\. Execute the plan$/,
  /^ Use the above message and context to generate a prompt and call the task tool with subagent: /,
]
const REMINDER = /^<system-reminder>\n/
const MAXIMUM_STEPS = /^CRITICAL - MAXIMUM STEPS REACHED/
const PRUNED = "[Old tool result content cleared]"
const ABORTED = /Tool execution (?:aborted|was interrupted)/

/** Whether OpenCode itself says this in a user message. */
export function isHosts(text: string): boolean {
  return HOSTS.some((pattern) => pattern.test(text))
}

/** Whether OpenCode takes this text out of its next requests, or moves it. */
export function isPassing(text: string): boolean {
  return REMINDER.test(text) || MAXIMUM_STEPS.test(text)
}

/** Whether OpenCode may have another text in a tool result's place later: a call that was aborted can end with its result, and an old one goes. */
export function isReplaced(was: string, is: string): boolean {
  return ABORTED.test(was) || is === PRUNED
}
