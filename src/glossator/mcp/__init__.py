"""The library as an MCP server: tools and resources for any assistant that speaks the Model Context Protocol.

`door` says what a library answers (here or through a running server), `shapes` what goes out, `app` which tools there
are, `serving` how they are reached. Nothing is decided here: a tool is a call of the library and a shape.
"""
