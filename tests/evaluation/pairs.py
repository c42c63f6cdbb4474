"""A few documents of our own, with summaries a person might write."""

from __future__ import annotations

import json
from pathlib import Path

from mls.corpora.records import Record
from mls.evaluation.judged import Judged
from mls.text import Document

TOWNS = ("Lowick", "Amble", "Seaton", "Craster", "Bamburgh", "Wooler")


def record(number: int) -> Record:
    town = TOWNS[number % len(TOWNS)]
    document = (
        f"The council of {town} closed the harbour bridge on Monday. Engineers found cracks in {number + 3} of its "
        f"pillars. Nobody was hurt. Buses will go round by the old mill until the spring. Repairs cost "
        f"£{number + 2},000. Ferries ran all night, and the mayor of {town} thanked the crews. Shops "
        "near the quay lost half of their "
        "trade. A second inspection is planned for May. Some people want a tunnel instead. It rained all day."
    )
    summary = f"{town} closed its harbour bridge after cracks were found.\nBuses go round until spring."
    return Record(f"r{number}", document, summary)


def write_pairs(path: Path, count: int, *bad_lines: str) -> Path:
    rows = [
        json.dumps({"id": one.id, "document": one.document, "summary": one.summary})
        for one in map(record, range(count))
    ]
    path.write_text("\n".join([*rows, *bad_lines]) + "\n", encoding="utf-8")
    return path


def judged(document: str, text: str, reference: str = "It rained.", limit: int = 100) -> Judged:
    return Judged(Document.parse(document), reference, text, len(Document.parse(text).words), limit)
