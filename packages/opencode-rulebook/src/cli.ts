import "@opencode-rulebook/cli/bin"
