"""What the trace says and what follows must be the same."""


class MismatchError(Exception):
    """The trace says something that does not follow from its own numbers."""


def same(found, expected, what, within=1e-9):
    both = (found, expected)
    if all(type(value) in (int, float) for value in both) and float in map(type, both):
        agree = abs(found - expected) <= within * max(1e-3, abs(expected))
    else:
        agree = type(found) is type(expected) and found == expected
    if not agree:
        raise MismatchError(f"{what}: the trace says {found!r}, replayed {expected!r}")


def known(found, choices, what):
    if not isinstance(found, str) or found not in choices:
        raise MismatchError(f"{what}: the trace says {found!r}, expected one of {sorted(choices)}")
