"""Fake model providers with the real rules of each, on this machine."""

from tests.agent.fake_provider.script import Call, Reply, Script, Turn, by_rules, in_turn, spoken
from tests.agent.fake_provider.server import FakeProvider, Seen

__all__ = ["Call", "FakeProvider", "Reply", "Script", "Seen", "Turn", "by_rules", "in_turn", "spoken"]
