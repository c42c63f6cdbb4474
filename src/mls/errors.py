"""Errors meant for users: one sentence that says what was found, what is accepted, what to do."""


class MlsError(ValueError):
    """A user's mistake or a missing piece; the command line prints it without a traceback."""


class MissingExtraError(MlsError, ImportError):
    """A part that needs an optional dependency which is not installed."""

    def __init__(self, part: str, module: str, extra: str) -> None:
        super().__init__(f"{part} needs `{module}`, which is not installed: pip install 'mls-summarizer[{extra}]'")
        self.name = module
