"""What families of embedding models expect before a text, and how much they read."""

from dataclasses import dataclass

DEFAULT_LIMIT = 512  # tokens, where the model says nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Habit:
    """What a family of models expects before a text, and how much it reads."""

    query: str = ""
    passage: str = ""
    max_tokens: int = DEFAULT_LIMIT


# By a part of the model's name, from the models' own cards.
HABITS = {
    "text-embedding-3": Habit(max_tokens=8191),
    "text-embedding-ada": Habit(max_tokens=8191),
    "nomic-embed-text": Habit(query="search_query: ", passage="search_document: ", max_tokens=2048),
    "mxbai-embed": Habit(query="Represent this sentence for searching relevant passages: "),
    "bge-m3": Habit(max_tokens=8192),
    "bge-small-zh": Habit(query="为这个句子生成表示以用于检索相关文章："),
    "bge-large-zh": Habit(query="为这个句子生成表示以用于检索相关文章："),
    "bge-base-zh": Habit(query="为这个句子生成表示以用于检索相关文章："),
    "bge-": Habit(query="Represent this sentence for searching relevant passages: "),
    "e5-": Habit(query="query: ", passage="passage: "),
    "all-minilm": Habit(max_tokens=256),
}


def habit_of(model: str) -> Habit:
    """Return the habit of the first family whose name stands in the model's."""
    name = model.lower()
    return next((habit for part, habit in HABITS.items() if part in name), Habit())
