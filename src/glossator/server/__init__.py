"""The HTTP door: one server per library, on this machine, behind a token.

Nothing is decided here: routes take options apart, call the library or the agent, and answer with the same JSON as the
command line. Needs the extra `server`.
"""
