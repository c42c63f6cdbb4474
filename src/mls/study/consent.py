"""The text that participants agree to: one that ships, to be made the organizer's own."""

from __future__ import annotations

from pathlib import Path

from mls.errors import MlsError

CONSENT = "consent.txt"
DEFAULT_CONSENT = Path(__file__).with_name(CONSENT)


def consent_of(study: Path) -> str:
    """The consent text of a study's own folder."""
    path = study / CONSENT
    try:
        text = path.read_text(encoding="utf-8-sig").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise MlsError(f"{path} can't be read ({error}); it must hold the consent text") from error
    if not text:
        raise MlsError(f"{path} is empty; it must hold the consent text")
    return text
