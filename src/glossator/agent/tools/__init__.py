"""The built-in tools, one module per toolset; `glossator.agent.registry` finds them by these names."""
