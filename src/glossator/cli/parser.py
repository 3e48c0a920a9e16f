"""Command lines, read so that any text is a query and every option may stand anywhere.

`argparse` converts and checks the values. Before that, `arrange` puts the words in an order that it cannot misread:
options first, each joined to its value, then `--`, then all else. So a value or a query may begin with a dash, and the
result is the same on every Python. Why not typer: docs/adr/0009-the-command-line.md.
"""

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from glossator.errors import UsageError

Spec = tuple[tuple[str, ...], dict[str, Any]]  # flags (or a name), and what `add_argument` takes


class Parser(argparse.ArgumentParser):
    """An `ArgumentParser` that raises instead of exiting, and knows which of its flags take a value."""

    def __init__(self, **options: Any) -> None:
        self.flags: dict[str, bool] = {}
        self.positionals: list[argparse.Action] = []
        super().__init__(allow_abbrev=False, formatter_class=_Formatter, **options)

    def add_argument(self, *names: Any, **options: Any) -> argparse.Action:
        """Add an argument as `argparse` does, and note its flags."""
        action = super().add_argument(*names, **options)
        self.flags |= dict.fromkeys(action.option_strings, action.nargs != 0)
        if not action.option_strings:
            self.positionals.append(action)
        return action

    def exclusive(self, *specs: "Spec") -> None:
        """Add arguments of which at most one may be given."""
        group = self.add_mutually_exclusive_group()
        for names, options in specs:
            action = group.add_argument(*names, **options)
            self.flags |= dict.fromkeys(action.option_strings, action.nargs != 0)

    def add(self, *specs: "Spec") -> None:
        """Add arguments."""
        for names, options in specs:
            self.add_argument(*names, **options)

    def error(self, message: str) -> NoReturn:
        """Raise what `argparse` found wrong as a usage error."""
        message = message.replace("unrecognized arguments: -- ", "unrecognized arguments: ")  # ours, of `arrange`
        raise UsageError(message, hint=f"`{self.prog} --help` shows what there is")


class _Formatter(argparse.HelpFormatter):
    """Help for 80 columns, with room for the longest of our options."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=26, width=80)


def spec(*names: str, **options: Any) -> Spec:
    """Return an argument to add later, to one parser or several."""
    return names, options


COMMON = (
    spec(
        "--library",
        type=Path,
        metavar="DIR",
        help="the library to use; else GLOSSATOR_LIBRARY, else the platform's data folder",
    ),
    spec("--json", action="store_true", help="print one JSON document"),
    spec("--verbose", action="count", help="log to stderr; twice for more"),
)


def whole(low: int, high: int | None = None) -> Callable[[str], int]:
    """Return a converter for whole numbers from `low` to `high`."""

    def convert(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None
        if number < low or (high is not None and number > high):
            raise argparse.ArgumentTypeError(f"{number} is not {f'from {low} to {high}' if high else f'{low} or more'}")
        return number

    return convert


def take_common(words: Sequence[str]) -> tuple[dict[str, Any], list[str]]:
    """Read the options that stand before the next word that is none; return their values and the words left.

    Raises:
        UsageError: an option that is not one of these, or one without its value.
    """
    parser = Parser(prog="glossator", add_help=False)
    parser.add(*COMMON)
    end = 0
    while end < len(words) and words[end].startswith("-") and words[end].partition("=")[0] in parser.flags:
        end += 2 if parser.flags[words[end].partition("=")[0]] and "=" not in words[end] else 1
    values = vars(parser.parse_args(arrange(words[:end], parser.flags, free_text=False)))
    return {name: value for name, value in values.items() if value}, list(words[end:])


def arrange(words: Sequence[str], flags: Mapping[str, bool], *, free_text: bool) -> list[str]:
    """Return the words in the order options, `--`, rest; an option and its value become one word.

    With `free_text`, words that begin with a dash but are no option belong to the text where that cannot be a slip:
    after one dash (`-word` excludes a word), with white space inside, or when there is no other text.

    Raises:
        UsageError: an option that does not exist.
    """
    options: list[str] = []
    rest: list[str] = []
    unknown: list[str] = []
    left = list(words)
    while left:
        word = left.pop(0)
        name, joined, _ = word.partition("=")
        if word == "--":
            rest += left
            break
        if name in flags:
            follows = flags[name] and not joined and left and left[0] not in flags
            options.append(f"{word}={left.pop(0)}" if follows else word)
        elif word[:2] in flags and word[2:].isdecimal():
            options.append(word)
        else:
            if word.startswith("-") and word != "-":
                unknown.append(word)
            rest.append(word)
    slips = [w for w in unknown if not (free_text and (w[:2] != "--" or " " in w or rest == [w]))]
    if slips:
        raise UsageError(f"there is no option {slips[0].partition('=')[0]}", hint=_meant(slips[0], flags))
    return [*options, "--", *rest] if rest else options


def closest(word: str, known: Sequence[str]) -> str | None:
    """Return the known word that was probably meant, or None."""
    from difflib import get_close_matches  # only ever needed for a mistake

    return next(iter(get_close_matches(word, known, 1, 0.6)), None)


def _meant(word: str, flags: Mapping[str, bool]) -> str:
    near = closest(word.partition("=")[0], list(flags))
    meant = f"did you mean {near}?" if near else "`--help` lists them."
    return f"{meant} Put `--` before text that begins with a dash"
