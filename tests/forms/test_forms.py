"""Forms of sentences: shorter, in the sentence's own words, and true."""

import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mls.forms.ladder import forms_of
from mls.forms.parts import _bounds_a_number, _goes_along, _is_harmless, fits_its_article, parts_of
from mls.forms.tree import ParsedSentence
from mls.forms.words import BOUNDING, TRUTH
from mls.parser.network import shipped_parser
from mls.text import Document, Sentence

EXAMPLES = Path(__file__).parents[2] / "examples"
TEXTS = [(EXAMPLES / name).read_text(encoding="utf-8") for name in ("news.txt", "essay.txt", "story.txt")]


def parsed_sentences(text: str) -> list[ParsedSentence]:
    sentences = Document.parse(text).sentences
    parses = shipped_parser().parse([[token.text for token in sentence.tokens] for sentence in sentences])
    return [ParsedSentence(sentence, parse) for sentence, parse in zip(sentences, parses, strict=True)]


def ladder(text: str) -> list[str]:
    """The wordings of a text of one sentence, shortest first."""
    (parsed,) = parsed_sentences(text)
    return [form.text for form in forms_of(parsed.sentence, parsed.parse)]


ALL = [(parsed, forms_of(parsed.sentence, parsed.parse)) for text in TEXTS for parsed in parsed_sentences(text)]


def test_examples_have_forms() -> None:
    shortened = [forms for _, forms in ALL if len(forms) > 1]
    assert len(shortened) > len(ALL) / 5


def test_a_form_keeps_words_of_its_sentence_in_their_order() -> None:
    for parsed, forms in ALL:
        for form in forms:
            assert list(form.kept) == sorted(set(form.kept))
            assert set(form.kept) <= set(range(len(parsed)))
            words = [parsed.sentence.tokens[token].text for token in form.kept]
            said = "".join("".join(words).split()).lower()
            assert "".join(form.text.split()).lower() == said
            assert 0 < form.share <= 1


def test_forms_are_ordered_by_length_and_end_with_the_sentence() -> None:
    for _parsed, forms in ALL:
        lengths = [len(form.kept) for form in forms]
        assert lengths == sorted(lengths)
        assert forms[-1].is_whole
        assert not any(form.is_whole for form in forms[:-1])


def test_what_bounds_a_claim_stays_where_its_verb_stays() -> None:
    for parsed, forms in ALL:
        for form in forms[:-1]:
            gone = set(range(len(parsed))) - set(form.kept)
            for part in form.dropped:
                for token in part.tokens if part.role != "aside" else ():
                    along = parsed.words[token] not in BOUNDING and _goes_along(parsed, token, part.tokens)
                    along = along or _bounds_a_number(parsed, token, part.tokens)
                    if parsed.words[token] in TRUTH and not along and not _is_harmless(parsed, token):
                        assert parsed.clause(token) in gone, form.text


def test_spans_point_at_the_words_that_are_kept() -> None:
    for parsed, forms in ALL:
        start = parsed.sentence.start
        for form in forms[:-1]:
            pieces = [parsed.sentence.text[first - start : last - start] for first, last in form.spans]
            assert "".join("".join(pieces).split()).lower() == "".join(form.text.split()).lower()


def test_the_same_text_gives_the_same_forms() -> None:
    again = [forms_of(parsed.sentence, parsed.parse) for text in TEXTS for parsed in parsed_sentences(text)]
    assert [[form.text for form in forms] for forms in again] == [[form.text for form in forms] for _, forms in ALL]


@given(st.text(max_size=200))
@settings(max_examples=60, deadline=None)
def test_any_text_has_forms_that_keep_the_promise(text: str) -> None:
    for parsed in parsed_sentences(text):
        forms = forms_of(parsed.sentence, parsed.parse)
        assert forms[-1].is_whole
        assert all(set(form.kept) <= set(range(len(parsed))) for form in forms)


@pytest.mark.parametrize(
    ("sentence", "form"),
    [
        ("The ferry, which was built in 1911, sank in the harbour.", "The ferry sank in the harbour."),
        ("Maria Lund, a nurse from Oslo, won the state lottery on Sunday.", "Maria Lund won the state lottery."),
        ("The mayor (a keen sailor) opened the new bridge.", "The mayor opened the new bridge."),
        ("The council approved the new plan and the mayor signed it.", "The council approved the new plan."),
        ("After more than nine years of travelling in the dark, the probe has sent back its first picture of the moon.",
         "The probe has sent back its first picture of the moon."),
        ("The council paid almost £70million for the bridge on Friday - a figure that shocked the whole town.",
         "The council paid almost £70million for the bridge on Friday."),
        ("On Tuesday, the company announced a loss of two million pounds.",
         "The company announced a loss of two million pounds."),
        ("He asked whether the minister had met the donor at his house in Spain in the summer.",
         "He asked whether the minister had met the donor at his house."),
    ],
)  # fmt: skip
def test_what_can_go_goes(sentence: str, form: str) -> None:
    assert form in ladder(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "No one who was on board the ferry that night has spoken to the police.",
        "The company will close the plant if the union rejects the new contract.",
        "The minister denied that the report had been changed before the vote.",
        "The treaty was signed between France and Britain.",
        "When I met my midwife, she told me to stop.",
        "He only drinks coffee in the morning before work.",
        "The journey takes less than an hour without a change of train.",
        "Are there any people who know the way to the station?",
        "Running along the river in the morning with a dog.",
        "I've never read a trip report that was so close to what I've experienced on dmt.",
        "She said she did not want to buy a house that had been flooded in the storm.",
        "He told the court that all ships built in the old yard have sunk.",
        "They do not know whether the train stopped at the station in York.",
    ],
)
def test_what_the_truth_hangs_on_stays(sentence: str) -> None:
    assert ladder(sentence) == [sentence]


@pytest.mark.parametrize(
    ("sentence", "lost"),
    [
        ("The alleged thief, who lives in Leeds, was arrested at the station on Monday.", "alleged"),
        ("The former minister, a lawyer, may resign in May.", "may"),
        ("She said the bridge, built in 1911, was not safe.", "She said"),
        ("Police, who were called at noon, found no weapon in the house.", "no weapon"),
        ("The firm, based in Leeds, almost collapsed in 2009.", "almost"),
    ],
)
def test_words_of_doubt_and_denial_and_who_says_it_stay(sentence: str, lost: str) -> None:
    forms = ladder(sentence)
    assert len(forms) > 1
    assert all(lost in form for form in forms)


def test_no_comma_stays_that_nothing_opens_any_more() -> None:
    forms = ladder("Glaser, 31, and her doctors, have firmly stated their case in a letter to the paper.")
    assert "Glaser and her doctors have stated their case." in forms
    assert not any("Glaser and her doctors, have" in form for form in forms)
    assert any(
        form.startswith("Tom Bell, of Oslo, opened")
        for form in ladder("Tom Bell, 66, of Oslo, opened the new bridge in the rain on Sunday.")
    )


def test_a_quotation_is_kept_whole_or_left_out() -> None:
    for form in ladder('The mayor, who said "we will rebuild it in a year" on Sunday, opened the old bridge.'):
        assert form.count('"') in (0, 2)


def test_no_form_ends_with_a_word_that_leads_on() -> None:
    for parsed, forms in ALL:
        for form in forms[:-1]:
            last = next(token for token in reversed(form.kept) if parsed.is_word(token))
            ends = not any(parsed.is_word(token) for token in range(last + 1, len(parsed)))
            assert ends or parsed.words[last] not in ("and", "or", "but", "the", "a", "an", "to", "my", "her")


def test_the_last_of_three_does_not_leave_two_side_by_side() -> None:
    for form in ladder("The mayor of the old town closed the bridge, moved the market and promised a new ferry."):
        assert "closed the bridge, moved the market." not in form


def test_no_comma_is_left_between_a_subject_and_its_verb() -> None:
    for sentence, subject in (
        (
            "Finding Neverland, directed by Diane Paulus, explores the Peter Pan book's back story and stars Matthew "
            "Morrison of Glee and former Frasier star Kelsey Grammer.",
            "Neverland",
        ),
        (
            "Monitoring for the lander, which has been hibernating since November, will resume next month, the mission "
            "said.",
            "lander",
        ),
    ):
        assert len(ladder(sentence)) > 1
        assert not any(f"{subject}, explores" in form or f"{subject}, will" in form for form in ladder(sentence))


def test_two_offices_of_one_person_make_no_two_people() -> None:
    sentence = (
        "Mr Brown was speaking during a joint event with local Labour candidate and shadow foreign secretary Douglas "
        "Alexander at Elderslie Village Hall in Renfrewshire."
    )
    assert len(ladder(sentence)) > 1
    assert not any("candidate and Douglas" in form for form in ladder(sentence))


def test_what_tells_two_of_a_name_apart_stays_with_one_of_them() -> None:
    sentence = "The town has a ferry that leaks in the rain and wants the ferry that its people paid for in May."
    assert not any("ferry that" not in form for form in ladder(sentence))


@pytest.mark.parametrize(
    ("sentence", "broken"),
    [
        (
            "The council paid almost £70million for the bridge on Friday - a figure that shocked the whole town.",
            "a figure.",
        ),
        (
            "The council paid almost £70million for the bridge on Friday - a figure that shocked the town.",
            "bridge a figure",
        ),
        ("The old ferry sank weeks after the council had praised the captain for his careful steering.", "weeks."),
        ("The club is considering selling £20million striker Tom Bell to a rival in the summer.", "£ Tom"),
        ("The loss was marked by the kind of careless work that has cost the team all year in the league.", "work."),
        ("The firm's decision is, in so many ways, simply a mark along the way to a new world of work.", "ways."),
        ("The port is not rich today because it has twice as many cranes as it had ten years ago.", "today."),
        (
            'Tom Bell met the world in a cinema full of people watching the new film, "The Ferry Sinks," in June 2012.',
            'world "The',
        ),
        ("By all accounts, the mayor was trying to delay the vote as long as she could.", "The mayor was trying"),
        ("One idea is that the page would be linked through another page -- a sidecar, if you will.", "page if you"),
        ("He will be the first to play the part on the stage since the late Tom Bell.", "on the stage."),
        ("The event sparked a fierce backlash in the town, with one man writing: 'Is this not a shame?'", "town 'Is"),
        (
            "On Sunday, one of the lawyers released the papers and said they prove that he had training.",
            "lawyers said they",
        ),
        ("The mayor wrote to the board of the harbour: 'The ferry must stay and the crew be paid.'", "harbour."),
        ("A teacher was arrested after the police said he placed a bag over the head of a pupil on Friday.", "bag."),
        (
            "A small plane with three singers on board crashed a few miles from the airport, near the lake.",
            "miles near",
        ),
        (
            "A video has emerged of a police officer smashing a car window and dragging the driver onto the road.",
            "driver.",
        ),
        (
            "A nurse had prodded the body and transferred the old captain's blood to a light switch before searching "
            "the room.",
            "blood.",
        ),
        (
            "Talks on the harbour stalled last night with the deadline for an agreement due to expire at midnight.",
            "agreement.",
        ),
        (
            "The draw for the Europa League quarter-finals took place on Friday afternoon with defending champions "
            "Sevilla's tie against Zenit St Petersburg the standout clash.",
            "afternoon the",
        ),
        ("The draw took place on Friday afternoon with Sevilla's tie against Zenit the standout clash.", "tie."),
        ("She was placed on leave after receiving a letter shortly after that said she was ill.", "letter after that"),
        ("The ferry was named by American TV personality Anna Berg on a cold day in June.", "American personality"),
        ("The Viola, who feature on loan Chelsea midfielder Tom Bell, are yet to lose in eight games.", "on Tom"),
    ],
)
def test_nothing_is_left_unfinished(sentence: str, broken: str) -> None:
    assert not any(broken in form for form in ladder(sentence))


def test_an_abbreviation_ends_a_form_with_one_full_stop() -> None:
    forms = ladder("The council says that the storm has reached the U.S. and is moving fast to the north.")
    assert any(form.endswith("the U.S.") for form in forms)
    assert not any(form.endswith("..") for form in forms)


def test_a_quotation_at_the_end_goes_with_its_clause() -> None:
    forms = ladder('The harbour master closed the old bridge on Friday, saying that it was "no longer a safe place."')
    assert any('"' not in form and form.startswith("The harbour master closed the old bridge") for form in forms)
    assert all(form.count('"') in (0, 2) for form in forms)


@pytest.mark.parametrize(
    ("sentence", "lost"),
    [
        ("An old woman was run over by her husband as he backed the van into a shop on the quay.", "husband"),
        ("Storms may close the harbour for a week, a meeting heard on Monday.", "heard"),
        ("Last summer I worked with a girl who was a year below me at the village school.", "below me"),
    ],
)
def test_what_the_rest_would_be_misread_without_stays(sentence: str, lost: str) -> None:
    for form in ladder(sentence):
        assert lost in form or not any(word in form.split() for word in ("he", "meeting", "year"))


@pytest.mark.parametrize(
    ("sentence", "held"),
    [
        ("He told the court the harbour master only closed the gates because the ferry had complained.", "because"),
        ("The plan drew a wave of protest in the town with Rhimes, 45, leading the charge.", "leading"),
        ("During the first weeks of the season the ball would have hit the net.", "During"),
        ("My (ex) boyfriend (Jack) and I were together for two good years in Leeds.", "(ex)"),
        ("In the evening I became more fearful than I ever have.", "ever"),
        ("Russian prosecutors are examining shocking footage of a football coach kicking a small boy.", "kicking"),
        ("The woman was trying to keep the men from robbing the old school when she was attacked.", "attacked"),
        ("The foundation in Leeds is a 501(c)(3) organization for the children of the town.", "(c)(3)"),
        ("Tian and Yang are the first giant pandas to live in the old zoo for 17 years.", "for 17 years"),
        ("Bobby Moncur maintains that all teams deserve the big club tag by winning trophies.", "by winning"),
        ("The game is abruptly interrupted when the cat chases the light and runs into a door.", "runs into a door"),
        ("My old friend Anna and I have been neighbours in the town for eight months.", "for eight months"),
        ("Three years ago, the harbour was where people went to look for a cheap place to live.", "Three years ago"),
        ("To begin with, the council argued on Monday that it did not have the money.", "To begin with"),
        ("By late afternoon, officials in North Myrtle Beach said the fire there was mostly contained.", "Beach"),
        ("After cloning the repository, you have checked out the main branch, ready to be used.", "After cloning"),
        ("He went on to open a studio in Park Ridge in collaboration with his wife Margaret.", "with his wife"),
        ("There are now 722 recognised characters which portray an emotion, expression or thing.", "which portray"),
        ("A group of fans stormed the old stadium this week in a lighthearted attempt to paint it.", "lighthearted"),
        ("The fair is an event that brings the whole town together and yet there seems to be little joy there.", "yet"),
        ("The workers of the harbour need and deserve a council that supports the old ferry.", "that supports"),
        ("The people of the harbour now demand a prime minister from the north of the country.", "prime"),
    ],
)
def test_what_another_word_speaks_of_stays(sentence: str, held: str) -> None:
    assert all(held in form for form in ladder(sentence))


@pytest.mark.parametrize(
    ("sentence", "broken"),
    [
        ("Jai Harms, 17, from Waterlooville, Hants, shed an incredible ten stone by walking to work.", "17, Hants"),
        (
            "The museum is located at 31 Orange Street, St. Augustine, Florida, in the United States.",
            "Street Augustine",
        ),
        ("The synagogue is a prayer house built in 1644 in the historic district of the town.", "built."),
        (
            "Petrov was diagnosed with leukaemia in 2012 and retired in May 2013 on a Monday.",
            "leukaemia and retired in May",
        ),
        ("Peter Abetz, a WA state government MLA, expanded on the remarks he made to a paper.", "government expanded"),
        ("An officer met four women on duty, including one date at a police station, a court heard.", "one date,"),
        ("Anna Berg, crowned Queen of the Fair in May, came out of the hall first with a gun.", "Fair."),
        ("Tom began to dive when he was thirteen and quickly fell in love with the ocean.", "in love."),
        ("The low point came when Syracuse lost to unranked Cleveland State 72–69 at home on Monday.", "72."),
        ("The cache is emptied too early when two workers share it with each other.", "early."),
        ("They were asked to do something they had never thought of doing: test the water.", "doing."),
        ("The mayor may be used to walking after spending the weekend fishing in the sea.", "weekend."),
    ],
)
def test_names_times_and_participles_are_not_torn(sentence: str, broken: str) -> None:
    assert not any(broken in form for form in ladder(sentence))


def test_of_two_forms_a_surer_one_is_not_given_up_for_a_few_words() -> None:
    for _, forms in ALL:
        told = [form.told for form in forms]
        assert told == sorted(told)


def test_a_participle_keeps_the_comma_before_it() -> None:
    sentence = "Anna Lund saw around corners, over the horizon and into the future, changing forever our daily lives."
    assert not any("corners changing" in form or "horizon changing" in form for form in ladder(sentence))


def test_what_counts_from_a_time_stays_with_it_or_goes() -> None:
    sentence = (
        "The striker was named in the squad for the match in Oslo on Friday and the friendly in Italy four days later."
    )
    assert not any("match four days later" in form for form in ladder(sentence))


def test_of_two_parts_the_one_that_tells_less_goes_first() -> None:
    (parsed,) = parsed_sentences("A young mother burned her house down on Monday in a bid to kill her two children.")
    lost = {part.role: part.loss for part in parts_of(parsed)}
    assert lost["when"] < 0.2
    assert all(0 <= loss < 1 for loss in lost.values())
    forms = forms_of(parsed.sentence, parsed.parse)
    assert all(form.share == math.prod(1 - part.loss for part in form.dropped) for form in forms)


def test_a_sentence_too_long_to_be_understood_is_taken_whole() -> None:
    long = "The ferry, which sank, " + "and the boat, which swam, " * 20 + "came home."
    (parsed,) = parsed_sentences(long)
    assert len(parsed) > 120
    assert len(forms_of(parsed.sentence, parsed.parse)) == 1


def test_sentences_of_a_document_are_all_parsed() -> None:
    sentence: Sentence = ALL[0][0].sentence
    assert len(ALL[0][0].parse) == len(sentence.tokens)


def test_no_score_is_split_no_verb_opens_a_form_and_no_description_loses_its_adverb() -> None:
    text = (
        'Oxbarrow beat the visitors by 2-9 to 1-6 in the rain. "We close at noon on Sundays," replies the man behind '
        "the counter of the post office. The newly painted ferry carries all the children to school."
    )
    for parsed in parsed_sentences(text):
        for form in forms_of(parsed.sentence, parsed.parse):
            assert ("2-9" in form.text) == ("1-6" in form.text)
            assert not form.text.startswith("Replies")
            assert "The painted" not in form.text


def test_conditions_denials_without_an_apostrophe_and_the_name_before_its_s_stay() -> None:
    text = (
        "Kept in the dark, these bulbs can sleep quietly for months or years. In the end, when we open the gates, "
        "the patient wardens will hear how many of us there are. Had the bridge since that winter been looked after, "
        "it would be open. I do nt own a lot of warm coats in this house, so it is cold here."
    )
    words = ("kept", "when", "been", "nt")
    for parsed in parsed_sentences(text):
        for form in forms_of(parsed.sentence, parsed.parse):
            for word in words:
                assert (word in parsed.words) == (word in form.text.lower().replace(",", "").split())


def test_a_noun_keeps_the_noun_that_says_of_which_kind_it_is() -> None:
    forms = ladder("The old singer suffered a fatal heart attack in his hotel in the centre of Rome on Sunday.")
    assert len(forms) > 1
    assert all("heart attack" in form for form in forms)


def test_an_article_fits_the_word_that_comes_to_stand_after_it() -> None:
    for form in ladder("The members are decrying a decision striking down an FCC ruling about the open net."):
        assert "an ruling" not in form
    for form in ladder("He said on Monday that the cuts have caused a noticeable negative impact on service."):
        assert "a impact" not in form
    sentence = parsed_sentences("An honest old usher sold a modern unit, an NHS unit and a red apple.")[0]
    at = {text: position for position, text in enumerate(sentence.sentence.tokens.texts)}
    other = parsed_sentences("A uniform and an unimportant, onerous, uninvited one of 110 or 18 guests came.")[0]
    words = {text: position for position, text in enumerate(other.sentence.tokens.texts)}
    fit = [fits_its_article(other, words["an"], words[word]) for word in ("unimportant", "onerous", "uninvited", "18")]
    assert fit == [True] * 4
    assert not any(fits_its_article(other, words["an"], words[word]) for word in ("uniform", "one", "110"))
    fitting = [("a", "unit"), ("a", "usher"), ("a", "honest"), ("a", "apple"), ("a", "NHS")]
    assert [fits_its_article(sentence, at[one], at[other]) for one, other in fitting] == [
        True, False, False, False, False,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("sentence", "broken"),
    [
        ("Director of the British Museum Neil MacGregor has announced he is stepping down at the end of the year.",
         "Director of Neil"),
        ("A couple who suffered five miscarriages and lost their six-month-old son because he was born prematurely "
         "finally have a family.", "miscarriages prematurely"),
        ("A couple who suffered five miscarriages and lost their six-month-old son because he was born prematurely "
         "finally have a family.", "son prematurely"),
        ("Wenger's side were thrashed 6-3 by Manchester City and 5-1 by Liverpool last season as they slipped away.",
         "6-3 and"),
        ("Wenger's side were thrashed 6-3 by Manchester City and 5-1 by Liverpool last season as they slipped away.",
         "thrashed by"),
    ],
)  # fmt: skip
def test_no_half_is_left_of_a_parallel_a_name_or_a_clause(sentence: str, broken: str) -> None:
    assert all(broken not in form for form in ladder(sentence))


def test_a_passive_has_no_object_to_lose() -> None:
    forms = ladder("The star has been arrested after a man was stabbed with a knife - and identified him as Hobie.")
    assert any(form.endswith("stabbed with a knife.") for form in forms)
    forms = ladder("Since his death scientists have studied, probed and analysed the organ that was inside it.")
    assert all("studied." not in form for form in forms)
