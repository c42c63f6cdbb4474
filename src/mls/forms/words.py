"""Word lists that the truth of a shortened sentence hangs on."""

from __future__ import annotations

# What was done in such a way was less than it seems: `stormed the stadium in a lighthearted attempt to ...`.
TONE = frozenset(
    """
    lighthearted light-hearted tongue-in-cheek joking jokingly jest jestingly playful playfully prank spoof satire
    satirical satirically parody ironic ironically sarcastic sarcastically fictional fictitious hypothetical imaginary
    imagined simulated simulation staged symbolic symbolically ceremonial pretend mock rehearsal drill
    """.split()
)
# Whatever says how far something holds. Where the verb it belongs to stays, it stays.
TRUTH = TONE | frozenset(
    """
    not n't nt no never neither nor nobody nothing none nowhere hardly barely scarcely rarely seldom few little
    without dont didnt doesnt cant couldnt wont wouldnt isnt wasnt arent werent havent hasnt hadnt shouldnt except
    unless until if whether lest provided only just merely solely even almost nearly about around roughly
    approximately some least most more less fewer than over under maximum minimum might may could would should can
    cannot must shall will alleged allegedly reportedly apparently seemingly supposedly supposed purported
    purportedly suspected accused claimed likely unlikely probably possibly perhaps maybe potentially potential
    possible impossible presumably hopefully ideally arguably believed thought said expected feared rumoured rumored
    former ex late fake false falsely so-called would-be self-styled self-proclaimed counterfeit but
    although though despite however yet whereas instead rather too enough otherwise still again already anymore
    always every each all any both either partly partially half mostly mainly largely generally usually often
    typically normally commonly frequently regularly
    sometimes occasionally ever initially originally temporarily virtually effectively practically technically
    theoretically hypothetically fully entirely completely totally up down off back away out first second third last
    next another other same different such as like unlike failing failed attempted trying tried planned proposed
    intended mistake mistakenly accident accidentally error main primary principal chief sole especially
    particularly wrongly inadvertently unwittingly unintentionally deliberately intentionally knowingly force fraud
    pretence lawfully unlawfully legally illegally legitimately wrongfully voluntarily
    """.split()
)
NEGATION = frozenset(
    """
    not n't nt no never neither nor nobody nothing none nowhere hardly barely scarcely rarely seldom without dont didnt
    doesnt cant couldnt wont wouldnt isnt wasnt arent werent havent hasnt hadnt shouldnt
    """.split()
)
# A clause with one of these says something of a condition, not of the world.
CONDITION = frozenset("if unless until whether once provided providing supposing lest whenever wherever".split())
CONTRAST = frozenset(
    "but although though whereas while despite notwithstanding however yet nevertheless nonetheless".split()
)
# Words that bound what their whole phrase belongs to, however deep in it they stand.
BOUNDING = (
    NEGATION
    | CONDITION
    | CONTRAST
    | TONE
    | frozenset("only except just merely solely instead rather than almost nearly hardly alleged allegedly".split())
)
# Prepositions that turn what they belong to round, or bound it.
TURNING = frozenset(
    """
    without except despite against unlike instead rather besides beyond notwithstanding excluding minus versus than as
    like under over until till barring pending regardless between among according per via near about around towards
    within off onto into toward through
    """.split()
)
# All or none of a kind are spoken of: of fewer, the same may be false.
QUANTIFIERS = frozenset(
    """
    no all every each any most few none nobody nothing everyone everybody everything anyone anybody anything only many
    several some both either neither half those whoever whatever never always majority minority percent %
    """.split()
)
# What is said of one thing alone, or as a duty: of more, the same may be false.
FOCUS = frozenset(
    """
    only just merely solely instead rather exactly precisely mostly mainly too enough should must ought going supposed
    planning meant hoping
    """.split()
)
# Adverbs that say little: without them a sentence says the same, only less so.
LIGHT_ADVERBS = frozenset(
    """
    also very really quite simply actually basically literally certainly definitely clearly obviously indeed of course
    absolutely extremely incredibly highly deeply greatly truly particularly especially notably importantly
    interestingly surprisingly unfortunately fortunately sadly happily meanwhile moreover furthermore additionally
    therefore thus consequently accordingly overall recently currently previously formerly earlier later today yesterday
    tomorrow tonight now soon then finally eventually suddenly immediately quickly slowly quietly carefully
    successfully officially publicly personally essentially famously reluctantly dramatically controversially
    """.split()
)
# Words that belong together: kept or left out as one.
FIXED = tuple(
    tuple(phrase.split())
    for phrase in """
    according to|as well as|such as|rather than|instead of|along with|because of|due to|out of|up to|at least|at most
    more than|less than|fewer than|no longer|so that|in order to|as if|as though|even though|even if|in front of
    next to|ahead of|as part of|as long as|as soon as|in case|other than|apart from|aside from|thanks to|prior to
    owing to|in spite of|on behalf of|in addition to|as a result of|each other|one another|of course|in fact
    no one|now that|then again|a few|a little|a lot of|lots of|so far|at all|as of|as to|as for|close to|not only
    but also|in terms of
    by means of|with respect to|in charge of|in favour of|in favor of|on top of|in need of|in search of|ever since
    on loan|in form|out of form|out of contract|on bail|on trial|on duty|off duty|all but|a great deal|a good deal
    on hand|at hand
    """.replace("\n", "|").split("|")
    if phrase.strip()
)
# A claim hangs on the one who makes it and on how: neither may go.
SAYING = frozenset(
    """
    said says say told tells tell claimed claims claim alleged alleges allege argued argues argue believed believes
    believe thought thinks think insisted insists insist suggested suggests suggest warned warns warn denied denies deny
    reported reports report according announced announces announce admitted admits admit added adds add explained
    explains explain stated states state wrote writes write estimated estimates estimate predicted predicts predict
    hoped hopes hope feared fears fear doubted doubts doubt accused accuses accuse
    """.split()
)
BEING = frozenset("is was are were be been being 's 're".split())
