"""What can be said of a document without a language model: names, summaries, outlines, passages side by side.

All of it is made of the document's own words and of counts over them, and every part of it has its place. What reads a
document here reads it through a clipped `Reader`, with one exception that shows nothing: `first_seen`.
"""
