"""`ask` with a model on the command line, against servers with the rules of the real ones."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.agent.fake_provider import FakeProvider
from tests.agent.fake_provider.script import Call, Reply, Turn, by_rules, in_turn
from tests.cli.runner import Shell

QUOTE = "Under the third stair Eleanor found a letter sealed with green wax."
KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "DEEPSEEK_API_KEY", "GLOSSATOR_MODEL", "GLOSSATOR_BASE_URL")


def looks(query: str = "letter sealed with green wax") -> Reply:
    return Reply(calls=(Call("search", {"query": query}),), reasoning="先想一想。")


@pytest.fixture
def shell(filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    for name in KEYS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return Shell(Path(shutil.copytree(filled, tmp_path / "library")))


@pytest.fixture
def fake() -> Iterator[FakeProvider]:
    with FakeProvider(in_turn([looks(), Reply(text=f'In the book: "{QUOTE}" [1]')])) as provider:
        yield provider


def options(fake: FakeProvider, provider: str = "openai-chat") -> list[str]:
    return ["--model", f"{provider}:fake", "--base-url", fake.url(provider)]


@pytest.mark.parametrize("provider", ["openai", "openai-chat", "anthropic", "deepseek", "ollama"])
def test_a_question_is_answered_with_receipts_whoever_the_provider_is(
    shell: Shell, fake: FakeProvider, provider: str
) -> None:
    answer = shell.json("ask", "Who found the letter?", *options(fake, provider))
    assert answer["answer"] == f'In the book: "{QUOTE}" [1]'
    assert [(c["n"], c["status"], c["quote"]) for c in answer["citations"]] == [(1, "verified", QUOTE)]
    assert [(s["tool"], s["state"]) for s in answer["steps"]] == [("search", "completed")]
    assert answer["model"] == f"{provider}:fake"
    assert answer["usage"]["requests"] == 2
    assert answer["usage"]["input_tokens"] > 0
    assert (answer["stopped"], answer["abstained"]) == (None, False)
    again = shell.json("ask", "And who hid it?", "--session", answer["session"], *options(fake, provider))
    assert again["session"] == answer["session"]
    assert [s.status for s in fake.seen] == [200] * len(fake.seen)


@pytest.mark.parametrize("provider", ["openai", "openai-chat", "anthropic", "deepseek", "ollama"])
def test_the_last_request_lets_no_tool_be_called(shell: Shell, provider: str) -> None:
    def script(turn: Turn) -> Reply:
        return looks(f"word{turn.number}") if len(turn.results) < 2 else Reply(text="That is what I have.")

    with FakeProvider(script) as fake:
        answer = shell.json("ask", "What is this?", "--max-rounds", "2", *options(fake, provider))
        last = fake.bodies[-1]
        assert [bool(body.get("tools")) for body in fake.bodies[:2]] == [True, True]
        if provider == "anthropic":  # it wants the tools of earlier calls named
            assert last["tool_choice"] == {"type": "none"}
        else:
            assert not last.get("tools")
        assert [s.status for s in fake.seen] == [200, 200, 200]
    assert answer["stopped"] == "rounds"
    assert "cut" in answer["answer"]


def test_chunks_come_line_by_line_and_the_answer_last(shell: Shell, fake: FakeProvider) -> None:
    run = shell("ask", "Who found the letter?", "--stream", *options(fake))
    assert run.code == 0, run.err
    chunks = [json.loads(line) for line in run.out.splitlines()]
    kinds = [c["type"] for c in chunks]
    assert kinds[0] == "start"
    for kind in (
        "tool-input-start",
        "tool-input-delta",
        "tool-input-available",
        "tool-output-available",
        "text-start",
        "text-delta",
        "data-citation",
        "text-end",
    ):
        assert kind in kinds
    assert kinds[-1] == "data-answer"
    first = next(c for c in chunks if c["type"] == "tool-input-start")
    assert first["toolName"] == "search"
    assert "".join(c["delta"] for c in chunks if c["type"] == "text-delta") == chunks[-1]["data"]["answer"]
    arguments = "".join(c["inputTextDelta"] for c in chunks if c["type"] == "tool-input-delta")
    assert json.loads(arguments) == {"query": "letter sealed with green wax"}


def test_without_a_model_the_stream_has_the_same_end(shell: Shell) -> None:
    run = shell("ask", "Who found a letter sealed with green wax?", "--stream")
    chunks = [json.loads(line) for line in run.out.splitlines()]
    assert chunks[-1]["type"] == "data-answer"
    assert chunks[-1]["data"]["model"] == "none"
    assert "".join(c["delta"] for c in chunks if c["type"] == "text-delta") == chunks[-1]["data"]["answer"]


def test_an_answer_without_a_model_is_kept_where_a_session_is_named(shell: Shell, fake: FakeProvider) -> None:
    session = shell.json("ask", "Who found the letter?", *options(fake))["session"]
    answer = shell.json("ask", "Who found a letter sealed with green wax?", "--continue", "--model", "none")
    assert answer["session"] == session
    assert len(shell.json("session", "show", session)["messages"]) == 4


def test_a_server_that_fails_leaves_what_there_is_and_exit_1(shell: Shell) -> None:
    with FakeProvider(in_turn([looks(), Reply(status=400, message="no such thing")])) as fake:
        failed = shell.json("ask", "Who found the letter?", *options(fake), code=1)
    assert failed["error"]["code"] == "model"
    assert "HTTP 400" in failed["error"]["message"]
    assert failed["steps"][0]["tool"] == "search"
    with FakeProvider(in_turn([Reply(text="In her glove.")])) as fake:
        again = shell.json("ask", "Where is it?", "--session", failed["session"], *options(fake))
    assert again["answer"] == "In her glove."


def test_a_missing_key_names_its_variable_and_asks_nobody(shell: Shell) -> None:
    failed = shell.json("ask", "x", "--model", "openai:gpt-x", code=1)
    assert "OPENAI_API_KEY" in failed["error"]["message"]


def test_an_unknown_provider_names_the_known_ones(shell: Shell) -> None:
    failed = shell.json("ask", "x", "--model", "acme:m", code=1)
    assert "ollama" in failed["error"]["hint"]


def test_a_stream_that_is_cut_is_tried_again_and_says_nothing_twice(shell: Shell) -> None:
    said = "She hid it in her glove. She said nothing to anybody. Then she left."
    with FakeProvider(in_turn([Reply(text=said, cut_after=8), Reply(text=said)])) as fake:
        run = shell("ask", "Where is it?", "--stream", *options(fake))
    chunks = [json.loads(line) for line in run.out.splitlines()]
    assert "".join(c["delta"] for c in chunks if c["type"] == "text-delta") == said
    assert chunks[-1]["data"]["answer"] == said


def test_the_record_says_what_left_the_machine(shell: Shell, fake: FakeProvider) -> None:
    session = shell.json("ask", "Who found the letter?", *options(fake))["session"]
    parts = shell.json("session", "show", session)["messages"][1]["parts"]
    (record,) = [p["data"] for p in parts if p["kind"] == "record"]
    assert [e["host"] for e in record["ledger"]] == ["127.0.0.1"] * 2
    assert all(e["bytes"] > 500 and not e["remote"] for e in record["ledger"])
    page = shell("session", "export", session, "--format", "markdown").out
    assert "openai-chat:fake: 2 requests" in page
    assert "nothing left this machine" in page
    assert record["ledger"][0]["passages"] == []
    assert record["ledger"][1]["passages"]


def test_the_remote_model_is_proposed_and_not_asked(shell: Shell) -> None:
    shell("config", "set", "model.remote.model", "openai:gpt-x")
    with FakeProvider(in_turn([looks(), Reply(text="I found no answer in the documents.")])) as fake:
        answer = shell.json("ask", "What is the moon made of?", *options(fake))
    assert answer["abstained"]
    assert "`--model remote` asks openai:gpt-x at api.openai.com" in answer["notice"]


def test_limits_come_from_the_settings(shell: Shell) -> None:
    shell("config", "set", "limits.rounds", "1")
    with FakeProvider(by_rules([({"tools": True}, looks())], lambda _: Reply(text="So."))) as fake:
        answer = shell.json("ask", "Who?", *options(fake))
    assert answer["stopped"] == "rounds"
    assert answer["usage"]["requests"] == 2


def test_ctrl_c_ends_within_seconds_closes_the_connection_and_keeps_the_turn(shell: Shell) -> None:
    slow = Reply(text="She hid it in her glove. " * 80, pace=0.05)
    with FakeProvider(in_turn([looks(), slow])) as fake:
        words = [sys.executable, "-m", "glossator", "ask", "Where is it?", "--json", *options(fake)]
        env = os.environ | {"GLOSSATOR_LIBRARY": str(shell.library)}
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
        deadline = time.monotonic() + 60
        while len(fake.seen) < 2 and time.monotonic() < deadline:
            time.sleep(0.1)
        time.sleep(1.0)
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
        assert time.monotonic() - start < 5
        assert process.returncode == 130, err
        answer = json.loads(out)
        assert answer["answer"].startswith("She hid it in her glove.")
        time.sleep(0.5)
        assert fake.seen[-1].closed_early
        fake.script = in_turn([Reply(text="In her glove.")])
        again = shell.json("ask", "Where?", "--session", answer["session"], *options(fake))
        assert again["answer"] == "In her glove."


def test_tools_are_listed_with_why_some_cannot_be_used(shell: Shell) -> None:
    found = {t["name"]: t for t in shell.json("tools")["tools"]}
    assert found["search"]["available"]
    assert found["search"]["parameters"]["required"] == ["query"]
    assert found["current_chapter"]["why_not"] == "no document is open"
    opened = {t["name"]: t for t in shell.json("tools", "--doc", "The Island")["tools"]}
    assert opened["current_chapter"]["available"]
    assert "search" in shell("tools").out


def test_asking_without_a_model_loads_nothing_of_the_agent(shell: Shell) -> None:
    code = (
        "import sys\nfrom glossator.cli import main\n"
        "main(sys.argv[1:])\n"
        "print([m for m in sys.modules if m.startswith(('glossator.agent', 'pydantic', 'openai', 'anthropic'))])"
    )
    for words in (["ask", "who found the letter", "--model", "none"], ["search", "wax"], ["locate", "green wax"]):
        done = subprocess.run(
            [sys.executable, "-c", code, "--library", str(shell.library), *words, "--json"],
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.splitlines()[-1] == "[]"


def test_a_talk_goes_on_line_by_line(shell: Shell, fake: FakeProvider) -> None:
    lines = "Who found the letter?\n/cite 1\n/history\n/tools\n/reasoning\n/nothing\n/open The Island\n/quit\n"
    run = shell("chat", *options(fake), stdin=lines)
    assert run.code == 0, run.err
    assert "✓ search(" in run.out
    assert f'In the book: "{QUOTE}" [1]' in run.out
    assert "The Letter" in run.out
    assert "open: The Island" in run.out
    assert "there is no command /nothing" in run.err
    assert "goes on from here" in run.out


def test_a_talk_without_a_model_answers_in_the_documents_words(shell: Shell) -> None:
    run = shell("chat", stdin="Who found a letter sealed with green wax?\n/help\n/model\n/history\n")
    assert run.code == 0, run.err
    assert QUOTE in run.out
    assert "user: Who found a letter sealed with green wax?" in run.out
    (kept,) = shell.json("session", "list")["sessions"]
    assert kept["messages"] == 2
    assert "/reasoning" in run.out


def test_nothing_that_a_model_writes_steers_the_terminal(shell: Shell) -> None:
    with FakeProvider(in_turn([Reply(text="I found \x1b[2J\x1b]0;gone\x07 no \u202eanswer.\r")])) as fake:
        run = shell("ask", "Who?", *options(fake), terminal=True)
        talk = shell("chat", *options(fake), stdin="Who?\n", terminal=True)
    for shown in (run.out, talk.out):
        assert "no answer." in shown
        assert not any(steers in shown for steers in ("\x1b[2J", "\x1b]0", "\x07", "\u202e", "\r"))


def recorded(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def test_a_key_stands_in_no_output_no_session_and_no_log(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-abcdef123456")
    with FakeProvider(in_turn([looks(), Reply(text="So.")]), key="sk-secret-abcdef123456") as fake:
        run = shell("ask", "Who?", *options(fake), "--verbose", "--verbose")
    assert run.code == 0, run.err
    assert "sk-secret" not in run.out + run.err
    session = shell.json("session", "list")["sessions"][0]["id"]
    assert "sk-secret" not in recorded(shell.json("session", "show", session))


SURE, UNSURE = Reply(text="Yes", likely={"Yes": 0.95, "No": 0.02}), Reply(text="Yes", likely={"Yes": 0.3, "No": 0.6})
FOUND = json.dumps({"passage": 1, "quote": QUOTE, "answer": "Eleanor found it."})


def test_a_small_model_judges_the_likeliest_passage_and_replies_about_it(shell: Shell) -> None:
    shell("config", "set", "model.way", "passages")
    with FakeProvider(in_turn([SURE, Reply(text=FOUND)])) as fake:
        answer = shell.json("ask", "Who found a letter sealed with green wax?", *options(fake))
        judging, replying = fake.bodies
    assert answer["answer"].startswith("Eleanor found it.")
    assert answer["citations"][0]["quote"] == QUOTE
    assert answer["usage"]["requests"] == 2
    assert [s["tool"] for s in answer["steps"]] == ["search"]
    assert judging["logprobs"] is True
    assert not replying.get("tools")
    assert replying["response_format"]["type"] == "json_schema"


def test_a_small_model_that_is_not_sure_of_one_passage_is_asked_about_another(shell: Shell) -> None:
    shell("config", "set", "model.way", "passages")
    with FakeProvider(in_turn([UNSURE, SURE, Reply(text=FOUND)])) as fake:
        shell.json("ask", "Who found a letter sealed with green wax?", *options(fake))
        assert len({fake.bodies[0]["messages"][-1]["content"], fake.bodies[1]["messages"][-1]["content"]}) == 2
        assert fake.bodies[1]["messages"][-1]["content"].split("Text: ")[1][:20] in str(fake.bodies[2]["messages"])


def test_a_model_that_thinks_before_it_says_yes_is_let_finish(shell: Shell) -> None:
    shell("config", "set", "model.way", "passages")
    thinks = [Reply(text="", likely={"Okay": 0.9}), Reply(text="Yes."), Reply(text=""), Reply(text="No.")]
    with FakeProvider(in_turn([*thinks, Reply(text=FOUND)])) as fake:
        answer = shell.json("ask", "Who found a letter sealed with green wax?", *options(fake))
        assert "max_tokens" not in fake.bodies[1]
    assert answer["citations"][0]["quote"] == QUOTE


def test_a_server_that_tells_no_probabilities_is_taken_at_its_word(shell: Shell) -> None:
    shell("config", "set", "model.way", "passages")
    refused = Reply(status=400, message="unknown field logprobs")
    with FakeProvider(in_turn([refused, Reply(text="Yes."), refused, Reply(text="no"), Reply(text=FOUND)])) as fake:
        answer = shell.json("ask", "Who found a letter sealed with green wax?", *options(fake))
        assert "logprobs" not in fake.bodies[1]
    assert answer["citations"][0]["quote"] == QUOTE


@pytest.mark.parametrize(
    "said", ["I do not know.", '{"passage": 0, "quote": "", "answer": ""}', '{"passage": 1, "quote']
)
def test_a_reply_that_nothing_bears_out_is_an_abstention(shell: Shell, said: str) -> None:
    shell("config", "set", "model.way", "passages")
    with FakeProvider(in_turn([SURE, Reply(text=said)])) as fake:
        answer = shell.json("ask", "Who found a letter sealed with green wax?", *options(fake))
        assert answer["abstained"]
        nothing = shell.json("ask", "What do zeppelins weigh?", *options(fake))
        assert nothing["abstained"]
        assert len(fake.seen) == 2  # nothing that was found is worth a request


def test_requests_that_had_to_be_sent_again_count(shell: Shell) -> None:
    with FakeProvider(in_turn([Reply(status=500), looks(), Reply(text="So.")])) as fake:
        answer = shell.json("ask", "Who found a letter sealed with green wax?", *options(fake))
        assert answer["usage"]["requests"] == len(fake.seen) == 3
