"""Claude Code: the hook that puts passages beside a prompt, and the plugin's files (`.claude-plugin` and beside it)."""
