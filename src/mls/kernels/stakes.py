"""Stakes: what a story is told for. Not in the paper, whose network reads news.

A story comes to its point late: somebody is robbed, found out or left, something breaks, the teller asks what to do.
Each cue is a rule with a name; what it is worth was learned from stories and what their tellers made of them
(`benchmarks/cues.py` fits it again and says how well it tells what they take up).
"""

from __future__ import annotations

import re

from mls.kernels.cues import CueKernel

_CUES = {
    "harm": r"""\b(?:kill\w*|die[sd]?|dead|death|dying|suicid\w*|rob(?:bed|bery|bing)|st(?:eal|ole|olen)|gun|knife|shot
        |shoot\w*|stab\w*|blood\w*|bleed\w*|hurt\w*|injur\w*|pain\w*|attack\w*|assault\w*|rape\w*|abus\w+|accident
        |crash\w*|burn\w*|fire|explod\w*|overdose|threat\w*|punch\w*|slap\w*)\b""",
    "trouble": r"""\b(?:police|cops?|arrest\w*|jail|prison|hospital|ambulance|surgery|cancer|lawsuit|sued|evict\w*|debt
        |fired|broken?|ruin\w*|destroy\w*|fail\w*|stuck|lost|missing|wrong|mistake|problem|issue|worr\w+|restraining)\b""",
    "feeling": r"""\b(?:scream\w*|yell\w*|cr(?:y|ied|ying)|tears|scared|terrif\w+|afraid|panic\w*|love[sd]?|hate[sd]?
        |embarr?ass\w*|humiliat\w*|ang(?:ry|er)|furious|depress\w*|anxi\w+|lonely|jealous|guilty|ashamed|upset)\b""",
    "ties": r"""\b(?:br(?:eak|oke)\ up|breakup|divorc\w*|cheat\w*|affair|lie[sd]?|lying|marr(?:y|ied)|propos\w+
        |kiss\w*|pregnant|betray\w*|confess\w*|admitted|confront\w*|ex|feelings\ for|dumped|left\ me)\b""",
    "turn": r"""\b(?:suddenly|turn(?:s|ed)\ out|until|reali[sz]ed|ended\ up|found\ out|figured\ out|but\ then
        |it\ hit\ me|all\ of\ a\ sudden|unfortunately|luckily|instead)\b""",
    "outcome": r"""\b(?:in\ the\ end|finally|eventually|so\ now|now\ (?:i|we)|from\ now\ on|lesson|never\ again
        |since\ then)\b""",
    "request": r"""\b(?:help|advice|suggestions?|tips|thoughts|input|appreciated|should\ i
        |(?:what|how)\ (?:do|should|can)\ i|am\ i|anyone|is\ it\ (?:wrong|normal|ok|okay))\b""",
    "question": r"\?\W*\Z",
    "preface": r"""\b(?:background|context|bear\ with|throwaway|first\ time\ post\w*|long\ story
        |a\ (?:little|bit)\ about|mobile|obligatory|story\ time|this\ (?:happened|is))\b""",
    "first person": r"\b(?:i|my|me)\b",
    "thinking": r"\b(?:i\ (?:think|guess|feel|believe|mean|know)|maybe|probably|(?:kind|sort)\ of)\b",
}
CUES = {name: re.compile(pattern, re.I | re.X) for name, pattern in _CUES.items()}
# What each cue is worth, in log odds.
WORTH = {
    "harm": 0.5,
    "trouble": 0.4,
    "feeling": 0.1,
    "ties": 0.4,
    "turn": 0.5,
    "outcome": 0.1,
    "request": 0.3,
    "question": 0.5,
    "preface": -0.4,
    "first person": 0.5,
    "thinking": -0.1,
    "words": 0.3,
    "words squared": -0.2,
}


class StakesKernel(CueKernel):
    """How likely whoever tells a story takes a sentence up when they tell it in short."""

    name = "stakes"
    question = "Is it what the story is told for?"
    cues = CUES
    worth = WORTH
