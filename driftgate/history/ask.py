"""From a name that someone asks for to what there is to say of it."""

from __future__ import annotations

from driftgate.history.answers import Answer
from driftgate.history.elsewhere import elsewhere
from driftgate.history.lives import Lives
from driftgate.history.record import History
from driftgate.history.stated import near


def ask(text: str, history: History) -> Answer:
    """Return where the names that `text` stands for live; for an unknown one, who else has it, or what was meant."""
    lives = Lives(history)
    found = lives.find(text)
    if found:
        return Answer(text, found)
    return Answer(text, elsewhere=elsewhere(text, but=history.upstream), near=near(text, lives.names))
