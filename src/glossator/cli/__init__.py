"""The command line: the outermost edge. Every error ends here, in one line of cause and one of hint.

Exit codes: 0 done; 1 could not be met; 2 wrong usage, stdout empty; 130 interrupted.
"""

import logging
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from glossator.cli.output import Output, abandon_stdout, standard_streams
from glossator.errors import Cancelled, GlossatorError, UsageError
from glossator.scrub import ScrubbedFormatter

if TYPE_CHECKING:
    from argparse import Namespace

    from glossator.cli.command import Command

DONE, FAILED, MISUSED, INTERRUPTED = 0, 1, 2, 130
LEVELS = (logging.WARNING, logging.INFO, logging.DEBUG)

log = logging.getLogger(__name__)


def main(words: Sequence[str] | None = None) -> int:  # noqa: PLR0911  one for each way to end
    """Run one command line (that of the process by default) and return its exit code."""
    out, err = standard_streams()
    output = Output(False, out, err)
    if (sys.argv[1:] if words is None else list(words)) == ["hook"]:
        from glossator.cli.hooking import quietly

        return quietly(out)
    try:
        from glossator.cli.commands import read

        command, arguments = read(sys.argv[1:] if words is None else words)
        output = Output(arguments.json, out, err)
        with _logging_to(err, arguments.verbose or 0):
            return _run(command, arguments, output)
    except BrokenPipeError:
        abandon_stdout()
        return DONE
    except KeyboardInterrupt:
        return _fail(Cancelled(), output)
    except GlossatorError as error:
        return _fail(error, output)
    except SystemExit as exit_:  # argparse, after --help
        return exit_.code if isinstance(exit_.code, int) else DONE
    except Exception as error:
        return _fail(_defect(error), output)


def _run(command: "Command", arguments: "Namespace", output: Output) -> int:
    from glossator import config
    from glossator.cli.command import Call

    answer = command.run(Call(arguments, config.load(arguments.library), output))
    if isinstance(answer, int):
        return answer
    if output.as_json:
        output.json(answer.result.to_json())
    else:
        output.page(answer.view(answer.result))
    return answer.code


def _fail(error: GlossatorError, output: Output) -> int:
    code = MISUSED if isinstance(error, UsageError) else INTERRUPTED if isinstance(error, Cancelled) else FAILED
    try:
        if output.as_json and code != MISUSED:
            output.json({"error": error.to_json()})
        else:
            output.complaint(error.message, error.hint)
    except BrokenPipeError:
        abandon_stdout()
    except OSError as lost:  # stdout itself: a full disk, mostly
        abandon_stdout()
        output.complaint(f"the answer could not be written: {lost.strerror}", "check where the output goes")
    return code


def _defect(error: Exception) -> GlossatorError:
    if isinstance(error, ModuleNotFoundError):
        from glossator.cli.failure import not_installed

        if told := not_installed(error):
            return told
    said = f"{type(error).__name__}: {error}".rstrip(": ")
    if isinstance(error, OSError):
        return GlossatorError(said, hint="check the path, its permissions and the free space")
    return GlossatorError(
        f"unexpected {said}", hint="this is a defect: run it again with --verbose --verbose and report what it prints"
    )


@contextmanager
def _logging_to(stream: TextIO, verbosity: int) -> Iterator[None]:
    """Log this program's own messages to `stream` while inside, and the traceback of what ends it.

    Whoever calls `main` gets their logging back.
    """
    handler = logging.StreamHandler(stream)
    handler.setFormatter(ScrubbedFormatter("%(levelname)s %(name)s: %(message)s"))
    logger = logging.getLogger("glossator")
    before = logger.level, logger.propagate
    logger.addHandler(handler)
    logger.setLevel(LEVELS[min(verbosity, len(LEVELS) - 1)])
    logger.propagate = False
    try:
        yield
    except Exception:
        log.debug("ended by an error", exc_info=True)
        raise
    finally:
        logger.removeHandler(handler)
        logger.setLevel(before[0])
        logger.propagate = before[1]
