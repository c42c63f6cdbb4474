"""Words: the document is cut anew."""

import re
from functools import lru_cache

UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07a6-\u07b0\u0900-\u0903\u093a-\u094f"
    "\u0951-\u0957\u0962-\u0963\u0980-\u0983\u09bc-\u09cd\u0a00-\u0a03\u0a3c-\u0a51\u0a80-\u0a83\u0abc-\u0acd"
    "\u0b00-\u0b03\u0b3c-\u0b57\u0b82\u0bbe-\u0bcd\u0c00-\u0c04\u0c3c-\u0c56\u0c80-\u0c83\u0cbc-\u0cd6"
    "\u0d00-\u0d03\u0d3b-\u0d4d\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece"
    "\u102b-\u103e\u17b4-\u17d3\u20d0-\u20ff\u3099-\u309a\ufe20-\ufe2f"
)
INVISIBLE = r"\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\x00-\x1f\x7f-\x9f"
GLUE = "\u200d\ufe0e\ufe0f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f"
LETTER = rf"(?:[^\W{UNSPACED}]|[{MARKS}])"
CLITIC = rf"(?i:s|re|ve|ll|d|m)(?!{LETTER})"
TOKEN = re.compile(
    rf"""
      [A-Za-z]+(?=[ ,])
    | https?://[^\s<>"'“”‘’{INVISIBLE}]*[^\s<>"'“”‘’.,;:!?)\]{INVISIBLE}]
    | [\w.+-]{{1,64}}@[\w-]{{1,64}}(?:\.[\w-]+)+
    | (?:[A-Za-z]\.){{2,}}
    | \d+(?:[.,:]\d+)*{LETTER}*(?:-{LETTER}+)*
    | {LETTER}+(?:[-'’](?!{CLITIC}){LETTER}+)*
    | (?<={LETTER})['’]{CLITIC}
    | [{UNSPACED}][{MARKS}]*
    | \.{{2,}} | -{{2,}}
    | [^\w\s{INVISIBLE}][{MARKS}{GLUE}]*(?:(?<=\u200d)[^\w\s{INVISIBLE}][{GLUE}]*)*
    """,
    re.VERBOSE,
)
NEGATION = re.compile(r"(?<=\w)n['’]t\Z", re.IGNORECASE)
UNSPACED_CHARACTER = re.compile(rf"[{UNSPACED}][{MARKS}]*")
STOP_WORDS = frozenset(
    """
    a about above across actually after again against ago ah ain all almost alone along already also although always
    am among amongst an and another any anybody anyone anything anyway anywhere apart are aren around as aside at away
    back be became because become becomes becoming been before beforehand behind being below beneath beside besides
    between beyond both but by
    ca came can cannot come comes could couldn
    d did didn do does doesn doing don done down during
    each either else elsewhere em enough etc even ever every everybody everyone everything everywhere except
    far few fewer for former formerly from further furthermore
    gave get gets getting give given gives giving go goes going gone gonna got gotten
    had hadn half has hasn have haven having he hello hence her here hereby herself hi him himself his how however
    i if in indeed instead into is isn it its itself
    just
    keep keeps kept knew know known knows
    last lately later latter least less let lets like likely ll look looked looking looks lot lots
    m made mainly make makes making many may maybe me mean means meanwhile might mightn mine more moreover most mostly
    much must mustn my myself
    namely near nearly need needn needs neither never nevertheless next no nobody none nonetheless nor not nothing now
    nowhere n't
    o of off often oh ok okay on once one ones only onto or other others otherwise ought our ours ourselves out outside
    over own
    per perhaps please put puts
    quite
    rather re really regarding
    s said same saw say saying says see seeing seem seemed seeming seems seen several shall shan she should shouldn
    since so some somebody somehow someone something sometime sometimes somewhere soon still such
    t take taken takes taking tell tells than that the their theirs them themselves then thence there thereby therefore
    these they thing things think this those though thought through throughout thus till to together told too took
    toward towards tried tries try trying
    under unless unlike until unto up upon upwards us use used uses using usually
    various ve very via
    want wanted wants was wasn way ways we well went were weren what whatever when whence whenever where whereas
    whereby wherein wherever whether which whichever while who whoever whole whom whose why will with within without
    wo won would wouldn
    y yeah yes yet you your yours yourself yourselves
    's 're 've 'll 'd 'm
    """.split()
)


@lru_cache(maxsize=4096)
def tokenize(text, offset=0):
    """Words and punctuation with their positions: (text, start, end)."""
    tokens = []
    for match in TOKEN.finditer(text):
        surface, start, end = match.group(), offset + match.start(), offset + match.end()
        if len(surface) > 3 and NEGATION.search(surface):
            tokens += [(surface[:-3], start, end - 3), (surface[-3:], end - 3, end)]
        else:
            tokens.append((surface, start, end))
    return tokens


def fold(text):
    return text.lower().replace("’", "'").replace("‘", "'").replace("“", '"').replace("”", '"')


def is_word(text):
    return text[0].isalnum() or (len(text) > 1 and text[1].isalnum())


def words_of(tokens):
    keys = [fold(text) for text, _, _ in tokens]
    return [key for key, token in zip(keys, tokens, strict=True) if is_word(token[0])] or keys


def content_words(words):
    return [word for word in words if len(word) > 1 and word not in STOP_WORDS and not word[0].isdigit()]


def measure(text, unit):
    if unit == "tokens":
        return len(tokenize(text))
    if unit == "chars":
        return len(text)
    return len(UNSPACED_CHARACTER.sub(" ", text).split()) + len(UNSPACED_CHARACTER.findall(text))


def tidy(text):
    return re.sub(r"\s+", " ", re.sub("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ufeff]", " ", text)).strip()


def capitalized(text, first=0):
    """With a capital at a position; what begins as iOS does, addresses and ligatures stay as they are."""
    capital = text[first : first + 1].upper()
    stays = len(capital) != 1 or text[first + 1 : first + 2].isupper() or text.startswith(("http:", "https:"), first)
    return text if stays else text[:first] + capital + text[first + 1 :]


def grams(words, n):
    return {tuple(words[i : i + n]) for i in range(max(1, len(words) - n + 1))}


ENDED = re.compile(r"[.!?…。！？؟।][\"'”’)\]»]*\s*\Z")  # as a sentence does
