"""`python -m mls` is `mls`, and where it begins: Ctrl-C while it is being loaded is no failure either."""

import sys


def main() -> None:
    try:
        from mls.cli.main import main as run
    except KeyboardInterrupt:
        print("mls: interrupted", file=sys.stderr)
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
