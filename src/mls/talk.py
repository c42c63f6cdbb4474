"""How people talk: what they say to be polite or to show that they listen."""

from __future__ import annotations

import re

_POLITE = frozenset(
    phrase.strip()
    for phrase in """
    yeah|yes|yep|yup|ya|aye|no|nope|nah|ok|okay|k|kay|'kay|kk|right|alright|all right|sure|sure thing|fine|good|great
    perfect|excellent|brilliant|lovely|nice|nice one|cool|awesome|amazing|exactly|totally|absolutely|definitely
    certainly|of course|indeed|true|agreed|got it|gotcha|i see|i know|really|wow|oh|ah|aha|aw|aww|ooh|ha|haha|lol|hm|hmm
    mm|mmm|mhm|mm hmm|mm hm|uh huh|uh uh|um|uh|er|erm|well|so|anyway|now|there you go|there you are|here you go
    here you are|sounds good|sounds great|sounds fine|sounds perfect|sounds like a plan|that's right|that's true
    that's fine|that's good|that's great|that's ok|that's okay|works for me|fair enough|fair point|makes sense
    works for us|no problem|no worries|my pleasure|you're welcome|not at all|thanks|many thanks|thanks a lot
    thanks so much|thanks very much|thanks again|thank you|thank you so much|thank you very much|thank you again
    for that|for joining|for coming|for having me|cheers|ta|hi|hiya|hey|hello|morning|afternoon|evening|good morning
    good afternoon|good evening|good night|good day|good luck|good point|good question|good idea|bye|goodbye|see you
    see ya|later|soon|tomorrow|around|take care|have a good one|have a nice day|have a good day|have a good weekend
    talk soon|talk later|how are you|how are you doing|how's it going|what's up|i'm fine|i'm good|i'm well|i'm great
    nice to meet you|nice to see you|please|sorry|pardon|excuse me|everyone|everybody|all|guys|folks|there|team|then|too
    both|me too|same|same here|and you|you too|can everyone hear me|can you hear me|no rush|deal|done|yay|oops|phew|sir
    ma'am|madam|ladies and gentlemen|and|very|today|you|young lady|young man|miss|mom|mum|dad|honey|dear|darling|doctor
    my friend|my dear|boss|kids|boys|girls|buddy|mate|welcome|come on|you're right|there we go|here we go|here it is
    wonderful|fantastic|super|whatever|we'll see|you bet|no kidding|i can't wait|congratulations|go ahead|go for it|wait
    whoa|whoops|ugh|huh|i mean|you know|that makes sense|i get it|you're kidding|well done|that's it|interesting
    """.replace("\n", "|").split("|")
    if phrase.strip()
)
_ANSWERING = re.compile(  # how the telephone is answered, and who one is
    r"""(?:(?i:good\ (?:morning|afternoon|evening)|hello|hi)[,.!]?\ +)(?:[A-Z][\w.'’]*\ *){1,4}
        (?i:\ *(?:office|company|hotel|desk|service|speaking|department))?[.!]*\Z
      | (?:(?i:good\ (?:morning|afternoon|evening)|hello|hi)[,.!]?\ +)?
        (?i:my\ name\ is|this\ is)\ (?:[A-Z][\w.'’]*\ *){1,3}(?i:speaking)?[.!]*\Z""",
    re.X,
)
_VERY = r"(?:(?:so|very|really|just|quite|too|all|not|pretty|such|an?|sort of|awfully|terribly) )*"
_GOOD = r"""(?:good|great|nice|fine|fun|funny|lovely|perfect|wonderful|fantastic|amazing|awesome|excellent|cool|
    interesting|exciting|impressive|surprising|sad|bad|terrible|horrible|awful|unfortunate|right|true|ok|okay|sensible|
    reasonable|delicious|beautiful|kind|generous|sweet|thoughtful|strange|weird|incredible|unbelievable|ridiculous|
    pity|shame|relief|clear|possible|enough)""".replace("\n    ", "")
_BE = r"(?:'s| is| was| would be| will be|'ll be|'d be| must be| should be| sounds| looks| seems)"
_WHILE = r"(?:a|an|one) (?:moment|second|minute)"
_OPENINGS = r"""(?:(?:oh|ah|wow|well|yes|no|yeah|okay|ok|so|but|and|now|right|alright|then|um|uh|hey|hi|hello|thanks
    |sure|great|sorry)[,.!]? +)*""".replace("\n    ", "")
_KIND_WORDS = (
    rf"(?:that|it|this){_BE} (?:like )?{_VERY}{_GOOD}"
    r"(?: (?:idea|plan|news|point|question|thing|thinking|choice|of you|to hear|to know|enough|then|though|too))*",
    r"(?:i )?wish you (?:a|an|all the) [^.?!\d]{1,40}|have a (?:good|nice|great|lovely|safe) [^.?!\d]{1,30}",
    rf"(?:sounds|looks) (?:like )?{_VERY}{_GOOD}(?: (?:idea|plan))?",
    rf"(?:how|what|very|so|really) {_VERY}{_GOOD}(?: (?:idea|news|surprise|day|of you))?",
    rf"(?:i'm|i am) {_VERY}sorry(?: (?:to hear (?:that|it)|about that))?",
    r"i (?:hope|think|guess|suppose|believe|don't think) so(?: too)?",
    rf"i (?:{_VERY}|(?:totally|completely|fully) )(?:agree|understand|see|know)"
    r"(?: (?:with (?:you|that)|that|what you mean|how you feel))?",
    r"(?:may|can|could|how (?:may|can)|what can) i (?:help|do for|be of (?:any )?help to) you"
    r"(?: (?:today|now|with anything))?",
    r"(?:don't|do not) (?:mention it|worry(?: about (?:it|that))?)|never mind|that's what friends are for",
    rf"(?:(?:just|wait|hold on) )?{_WHILE}|hold on|let me (?:see|think)(?: about it)?(?: for {_WHILE})?|let's see",
    rf"(?:it's )?(?:certainly )?{_VERY}(?:pleased|glad|nice|good|great|happy) to (?:see|meet|hear from|hear) "
    r"(?:you|your voice)(?: (?:too|again|all))?",
    rf"(?:it(?:'s been| was|'s) )?{_VERY}(?:nice|good|great|lovely) (?:talking|speaking|chatting) (?:to|with) you"
    r"(?: and give .{1,30} (?:my|our) (?:love|regards|best))?|give .{1,30} (?:my|our) (?:love|regards|best)",
    r"i (?:have|'ve got|have got) (?:some )?(?:(?:big|great|good|bad|wonderful|exciting) )?news"
    r"(?: (?:for|to tell) you)?",
    r"(?:i'm |i am )?(?:dying|eager|curious) to (?:hear|know)(?: (?:your news|all about it|what it is))?|guess what",
    r"it's (?:been )?a pleasure(?: to meet you)?|long time no see",
    r"welcome(?: (?:back|aboard|everyone|everybody|all|home|young man))?",
    rf"(?:certainly,? |of course,? )?(?:i'd|i would|i'll|i will|we'd|we would|we'll|we will)(?: be)? {_VERY}"
    r"(?:happy|glad|pleased|delighted|love) to(?: (?:help|assist)(?: you)?(?: (?:with that|out))?| do (?:that|it|so))?",
)
# What is said to keep a meeting going.
_ITEM = r"""(?:(?:next|first|second|third|last|other|following) )?(?:slides?|items?|questions?|points?|topics?|agenda
    |one|thing|part|presentations?|subjects?)""".replace("\n    ", "")
_TO_IT = rf"(?: (?:to|with)(?: (?:the|our|your|my))? {_ITEM}(?: from .{{1,40}})?)"
_THEM = r"(?:everyone|everybody|anyone|anybody|you|you all|you guys|we|members)"
_MAY_I = r"(?:i would like to |i'd like to |(?:can|may|could) i (?:just )?)?"
_NOW = r"(?: (?:now|just|then|please))*"
_PROCEDURE = (
    rf"(?:let's|shall we|can we|should we){_NOW} (?:move on|go on|carry on|go|get started|start|begin|continue|proceed|"
    rf"turn|go back|get back){_NOW}{_TO_IT}?",
    rf"(?:we'll|we will|we can|we should|i'll|i will){_NOW} (?:move on|go on|turn|start|begin|continue){_NOW}{_TO_IT}",
    rf"moving on{_TO_IT}?|(?:the )?next (?:slide|item|question|one|point)",
    rf"(?:can|could) {_THEM} (?:all )?(?:see|hear|read) (?:this|that|it|me|us|my screen"
    rf"|the (?:slides?|screen|board|presentation))(?: (?:ok|okay|all right|alright))?{_NOW}",
    rf"(?:(?:are|is) there |do(?:es)? {_THEM} have |have you got )?(?:anything else|any"
    r"(?: (?:other|more|further))? (?:questions?|comments?|thoughts|remarks|other business|declarations of interest))"
    r"(?: (?:or|and) (?:questions?|comments?|thoughts|remarks))?(?: (?:so far|on that|about that|at this point))?",
    r"do you (?:want|wanna|like) to (?:start|begin|go (?:first|next|ahead))"
    r"|who (?:wants|would like|wanna) to (?:go|start)(?: (?:first|next))?|over to you"
    r"|you (?:can )?go (?:first|ahead|next)|(?:it's )?your turn"
    r"|where (?:were we|was i)|are (?:we|you) (?:all )?(?:ready|done|finished|set)",
    r"(?:i think )?(?:that's|that is|that was) (?:it|all|everything)"
    r"(?: (?:from me|for (?:today|now)|i have|i had|i've got))?"
    r"|i think we(?:'re| are) (?:all )?(?:done|finished|ready)(?: to (?:start|begin|go))?",
    rf"{_MAY_I}welcome (?:you |everyone |members )*to (?:the|our|this) [^.?!]{{1,100}}",
    rf"{_MAY_I}thank (?:you|everyone|everybody)(?: all)?(?: (?:so|very) much)?(?: indeed)?"
    r" for (?:that|this|your|the|coming|joining|listening)\b[^.?!,\d]{0,60}",
)
_COURTESY = re.compile(  # what is said of what somebody said, and nothing else; a name is whom it is said to
    rf"{_OPENINGS}(?:{'|'.join((*_KIND_WORDS, *_PROCEDURE))})"
    r"(?:,? (?:sir|madam|please|then|man|dear|my friend|(?-i:[A-Z])[\w.'-]+)){0,2}[\s.,!?…]*\Z",
    re.I,
)
_LONGEST_COURTESY = 300  # characters
_LONGEST_PHRASE = 5  # words
FILLERS = frozenset(  # what is said while thinking
    "um umm uh uhh uhm er erm eh ehh ehhh hm hmm mm mmm ah mm-hmm uh-huh mhm".split()
)
_MOST = 9  # words of small talk
_MOST_NAMES = 2


def is_small_talk(sentence: str) -> bool:
    """Whether a sentence only greets, thanks, or shows that somebody listens; a name is whom it is said to.

    >>> [is_small_talk(said) for said in ("Mm-hmm.", "'Kay, perfect.", "Thanks, Ann!", "Yes, on Friday.")]
    [True, True, True, False]
    >>> [is_small_talk(said) for said in ("Good morning, Harbour Office.", "Hello, my name is Ann.", "My name is mud.")]
    [True, True, False]
    >>> [is_small_talk(said) for said in ("Hi young lady.", "Good evening, doctor.", "Young lady wanted.")]
    [True, True, False]
    >>> [is_small_talk(said) for said in ("It's certainly good to hear your voice.", "Nice talking to you, Ann!")]
    [True, True]
    >>> [is_small_talk(said) for said in ("I have some big news!", "I have news of the ferry.", "Guess what?")]
    [True, False, True]
    >>> [is_small_talk(said) for said in ("That sounds like a great idea!", "It's a good ferry.", "May I help you?")]
    [True, False, True]
    """
    said = sentence.strip().replace("’", "'")
    if len(said) <= _LONGEST_COURTESY and (_ANSWERING.match(said) or _COURTESY.match(said)):
        return True
    given = _WORD.findall(sentence)
    words = [word.lower().replace("’", "'") for word in given]
    position = names = 0
    while position < len(words) <= _MOST:
        length = next(
            (n for n in range(_LONGEST_PHRASE, 0, -1) if " ".join(words[position : position + n]) in _POLITE), 0
        )
        if not length:
            names += 1
            if not position or names > _MOST_NAMES or not given[position][0].isupper():
                return False
        position += max(1, length)
    return bool(words) and len(words) <= _MOST


_WORD = re.compile(r"['’]?\w+(?:['’]\w+)*")
