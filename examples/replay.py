"""The proof that the reasons are the reasons.

Reads what `mls summarize --json` (or `explain --json`, or `levels --json`) printed, and nothing else: no part of the
package is imported. It cuts the document into words itself, measures every length, finds the keywords, joins the heads
to the attention, replays every decision of the decoder with its reason, and puts the text together again. Whatever the
trace says that does not follow is named. What no trace can prove is believed: what LDA, the networks, the parser and
the rules that read it said. docs/proof.md lists it.

    mls summarize news.txt --budget 1/8 --json | python examples/replay.py
"""

import json
import sys
from pathlib import Path

from proof.agreement import MismatchError, same
from proof.asked import check_lengths, check_recipe
from proof.checked import check_the_check
from proof.drafting import check_expansions, check_prototype
from proof.growing import Growing, check_rules, rooms
from proof.heads import check_heads
from proof.one_form import check_one_form
from proof.placing import Replay
from proof.reading import check_leaning, check_units
from proof.steps import Steps
from proof.words import measure
from proof.written import check_document_itself, check_notes, check_written


def check_decisions(trace):
    budget = trace["budget"]
    fits = measure(trace["document"]["text"], budget["unit"]) <= budget["limit"]
    if budget["limit"] >= trace["document_length"] and not trace["bans"] and fits:
        check_document_itself(trace)
        return
    if [step["operation"] for step in trace["steps"]] == ["title"]:
        same(trace["growth"] is not None, True, "whether a title may stand for the text")
        check_one_form(trace, Steps(trace))
        return
    if not trace["growth"]:
        check_run(trace, Replay(trace), budget["limit"])
        return
    *rest, last = rooms(trace)
    for room in rest:
        try:
            check_run(trace, Growing(trace, room), room)
        except MismatchError:
            continue
        return
    check_run(trace, Growing(trace, last), last)


def check_run(trace, run, room):
    run.run()
    lines = run.lines()
    if lines:
        run.steps.end()
        check_written(trace, lines, room)
    else:
        check_one_form(trace, run.steps)


def replay(trace):
    """Raise MismatchError unless all that the trace says follows from the document and the raw scores."""
    try:
        check_recipe(trace)
        check_units(trace)
        check_lengths(trace)
        check_leaning(trace)
        check_rules(trace)
        check_prototype(trace)
        check_expansions(trace)
        check_heads(trace)
        check_decisions(trace)
        check_notes(trace)
        check_the_check(trace)
    except (KeyError, IndexError, TypeError, AttributeError, ValueError, StopIteration) as error:
        raise MismatchError(f"the trace is not in its form: {error!r}") from error


if __name__ == "__main__":
    given = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8") if len(sys.argv) > 1 else sys.stdin.read())
    traces = given if isinstance(given, list) else [given]
    for trace in traces:
        replay(trace)
        print(f"{trace['budget']['requested']}: {len(trace['steps'])} steps replayed, all numbers agree")
