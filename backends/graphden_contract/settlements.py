"""The answers of ack, nack and extend (QUEUES 1.2)."""

from __future__ import annotations

from typing import Final

from graphden.edn import Keyword

DONE: Final = Keyword("done")
"""The message is gone, or its claim was renewed."""
RETRY: Final = Keyword("retry")
"""The message went back for a later try."""
DEAD: Final = Keyword("dead")
"""The message is dead and waits for an operator."""
HELD: Final = Keyword("held")
"""The message is still held: handle it."""
ACCEPTED: Final = Keyword("accepted")
"""The message was handled; this is written soon, with others."""
LOST: Final = Keyword("lost")
"""The claim was over before; nothing changed."""
