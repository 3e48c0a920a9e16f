"""From a function's signature to the JSON schema of its arguments, and from what a model wrote to those arguments.

Models write `"5"` for 5, a text for a list of one, `topK` for `top_k`: what can only mean one thing is taken as that,
anything else is an error that says what was expected. Types known here: str, int, float, bool, Literal, list, dict,
and each of them or None; a number may carry a `Range`.
"""

import inspect
import json
import re
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from glossator.errors import UsageError

Json = dict[str, Any]
_NAMES: Mapping[type, str] = {str: "string", int: "integer", float: "number", bool: "boolean", dict: "object"}
SAID = 120  # characters of broken arguments that are said again
INVALID = "INVALID_JSON"  # the argument that holds what a model wrote instead of an object
_TRUE, _FALSE = ("true", "yes", "1", "on"), ("false", "no", "0", "off")
_NOTHING = ("", "null", "none", "undefined")
_ARGUMENT = re.compile(r"(\*{0,2}\w+)\s*(?:\([^)]*\))?\s*[:：]\s*(.*)")
_SECTIONS = ("args:", "arguments:", "parameters:", "参数:", "参数：")
_OTHERS = ("returns:", "raises:", "yields:", "examples:", "example:", "note:", "返回:", "返回：")


@dataclass(frozen=True, slots=True)
class Range:
    """The numbers that make sense, both ends included; what lies outside is taken as the nearest of them."""

    low: int
    high: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """One argument of a tool: its type without `None`, and whether it may be left out or be None."""

    name: str
    type: Any
    required: bool
    optional: bool = False
    range: Range | None = None
    description: str = ""
    default: Any = None

    def schema(self) -> Json:
        """Return its JSON schema."""
        shape = _schema(self.type, self.name)
        if self.range:
            shape |= {"minimum": self.range.low, "maximum": self.range.high}
        if self.description:
            shape["description"] = self.description
        if not self.required and self.default is not None:
            shape["default"] = self.default
        return shape


class BadArguments(ValueError):
    """What a model wrote cannot be the arguments; the message says what was expected."""


def arguments_of(function: Callable[..., Any], *, skip: int = 0) -> tuple[Argument, ...]:
    """Return the arguments of a function as its signature and its docstring describe them, without the first `skip`.

    Raises:
        UsageError: one has no type, or one that a model cannot be asked for.
    """
    name = getattr(function, "__name__", repr(function))
    try:
        hints = get_type_hints(function, include_extras=True)
    except (NameError, TypeError) as error:
        raise UsageError(f"tool {name}: {error}", hint="its type hints must be names that its module knows") from error
    told = described(function)[1]
    found: list[Argument] = []
    for parameter in list(inspect.signature(function).parameters.values())[skip:]:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise UsageError(f"tool {name}: *{parameter.name} cannot be described", hint="name each argument")
        if parameter.name not in hints:
            raise UsageError(f"tool {name}: {parameter.name} has no type", hint=f"write {parameter.name}: str, or so")
        found.append(_argument(parameter, hints[parameter.name], told.get(parameter.name, "")))
        _schema(found[-1].type, f"{name}: {parameter.name}")
    return tuple(found)


def described(function: Callable[..., Any]) -> tuple[str, dict[str, str]]:
    """Return what a docstring says of a function, and of each argument."""
    text: list[str] = []
    told: dict[str, str] = {}
    section, last = "text", ""
    for line in (inspect.getdoc(function) or "").splitlines():
        word = line.strip().lower()
        if word in _SECTIONS:
            section = "arguments"
        elif word in _OTHERS:
            section = "other"
        elif section == "text":
            text.append(line)
        elif section == "arguments" and word:
            match = _ARGUMENT.fullmatch(line.strip())
            if match and (len(line) - len(line.lstrip()) <= 4):
                last = match[1].lstrip("*")
                told[last] = match[2].strip()
            elif last:
                told[last] = f"{told[last]} {line.strip()}"
    paragraphs = "\n".join(text).strip().split("\n\n")
    return "\n".join(" ".join(p.split()) for p in paragraphs if p.strip()), told


def schema_of(arguments: tuple[Argument, ...]) -> Json:
    """Return the JSON schema of all arguments together."""
    return {
        "type": "object",
        "properties": {a.name: a.schema() for a in arguments},
        "required": [a.name for a in arguments if a.required],
        "additionalProperties": False,
    }


def coerced(arguments: tuple[Argument, ...], given: Any) -> Json:
    """Return the arguments that a model means by what it wrote: a JSON object, or the text of one.

    Raises:
        BadArguments: it cannot be told.
    """
    if given is None or given == "":
        given = {}
    if isinstance(given, str):
        try:
            given = json.loads(given, strict=False)
        except ValueError as error:
            raise BadArguments(f"the arguments are no JSON ({error})") from None
    if not isinstance(given, dict):
        raise BadArguments("the arguments must be a JSON object")
    if list(given) == [INVALID]:
        raise BadArguments(f"the arguments are no JSON object: {str(given[INVALID])[:SAID]}")
    known = {_plain(a.name): a for a in arguments}
    values: Json = {}
    for name, value in given.items():
        argument = known.get(_plain(str(name)))
        if argument is None:
            takes = ", ".join(a.name for a in arguments) or "none"
            raise BadArguments(f"there is no argument {name!r}; the arguments are: {takes}")
        values[argument.name] = _value(argument, value)
    missing = [a.name for a in arguments if a.required and values.get(a.name, _LEFT_OUT) is _LEFT_OUT]
    if missing:
        raise BadArguments(f"{', '.join(missing)} is missing")
    return {name: value for name, value in values.items() if value is not _LEFT_OUT}


_LEFT_OUT: Any = object()  # null for an argument that has a default which is not None


def _argument(parameter: inspect.Parameter, hint: Any, description: str) -> Argument:
    range_: Range | None = None
    if get_origin(hint) is Annotated:
        hint, *notes = get_args(hint)
        range_ = next((n for n in notes if isinstance(n, Range)), None)
        description = description or next((n for n in notes if isinstance(n, str)), "")
    optional = False
    if get_origin(hint) in (Union, types.UnionType):
        kinds = [k for k in get_args(hint) if k is not type(None)]
        optional = len(kinds) < len(get_args(hint))
        hint = kinds[0] if len(kinds) == 1 else hint
    required = parameter.default is parameter.empty
    return Argument(
        name=parameter.name,
        type=hint,
        required=required,
        optional=optional,
        range=range_,
        description=description,
        default=None if required else parameter.default,
    )


def _schema(kind: Any, where: str) -> Json:
    origin = get_origin(kind) or kind
    if origin is Literal:
        return {"type": "string", "enum": list(get_args(kind))}
    if origin in (list, tuple):
        inner = get_args(kind)
        return {"type": "array", "items": _schema(inner[0], where) if inner else {}}
    if origin in _NAMES:
        return {"type": _NAMES[origin]}
    raise UsageError(
        f"{where} is of type {kind!r}, which a model cannot be asked for",
        hint="str, int, float, bool, Literal, list, dict, or one of them and None",
    )


def _value(argument: Argument, value: Any) -> Any:
    """Return one argument as its type has it."""
    absent = value is None or (isinstance(value, str) and value.strip().lower() in _NOTHING)
    if value is None and argument.required and not argument.optional:
        return _LEFT_OUT
    if absent and (argument.optional or not argument.required) and not (value == "" and argument.type is str):
        return None if argument.optional else _LEFT_OUT
    try:
        made = _cast(argument.type, value)
    except (ValueError, TypeError):
        wanted = argument.schema()
        kind = " or ".join(map(repr, wanted["enum"])) if "enum" in wanted else f"of type {wanted['type']}"
        raise BadArguments(f"{argument.name} must be {kind}, not {value!r}") from None
    if argument.range and isinstance(made, int | float):
        return min(max(made, argument.range.low), argument.range.high)
    return made


def _cast(kind: Any, value: Any) -> Any:
    origin = get_origin(kind) or kind
    if origin is Literal:
        return next(iter(_same(get_args(kind), value)), None) or _wrong(value)
    if origin in (list, tuple):
        return _items(kind, value)
    return _CASTS[origin](value)


def _same(choices: tuple[Any, ...], value: Any) -> list[Any]:
    return [c for c in choices if c == value or str(c).lower() == str(value).strip().lower()]


def _items(kind: Any, value: Any) -> list[Any]:
    if isinstance(value, str) and value.lstrip().startswith("["):
        value = json.loads(value)
    inner = (get_args(kind) or (str,))[0]
    return [_cast(inner, v) for v in (value if isinstance(value, list | tuple) else [value])]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else str(value) if isinstance(value, int | float) else _wrong(value)


def _whole(value: Any) -> int:
    number = _number(value)
    return int(number) if number == int(number) else _wrong(value)


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError(value)
    return float(value) if isinstance(value, str) else value


def _truth(value: Any) -> bool:
    word = str(value).strip().lower()
    return True if word in _TRUE else False if word in _FALSE else _wrong(value)


def _object(value: Any) -> Json:
    found = json.loads(value) if isinstance(value, str) else value
    return found if isinstance(found, dict) else _wrong(value)


def _wrong(value: Any) -> Any:
    raise ValueError(value)


_CASTS: Mapping[Any, Callable[[Any], Any]] = {str: _text, int: _whole, float: _number, bool: _truth, dict: _object}


def _plain(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()
