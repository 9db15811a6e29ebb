"""Plays every transcript through `login-engine mock`, and compares this package's `apply` with each snapshot."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from transcript_view import TRANSCRIPTS, TranscriptView


@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_session_follows_a_transcript(transcript: Path) -> None:
    async def play() -> tuple[int, list[str]]:
        view = TranscriptView(transcript)
        await view.start()
        return await view.play(), view.said

    assert asyncio.run(play()) == (0, [])


def test_transcripts_exist() -> None:
    assert len(TRANSCRIPTS) > 350
