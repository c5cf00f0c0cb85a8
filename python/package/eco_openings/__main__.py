"""Runs the program `eco`, which the package brings: `python -m eco_openings classify games.pgn`."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path


def program() -> str:
    """The program `eco` that was installed with this package."""
    name = "eco.exe" if os.name == "nt" else "eco"
    schemes = [None, sysconfig.get_preferred_scheme("user")]
    folders = [sysconfig.get_path("scripts", *filter(None, [scheme])) for scheme in schemes]
    # `pip install --target` puts it beside the package.
    folders.append(str(Path(__file__).parent.parent / "bin"))
    for folder in folders:
        path = Path(folder, name)
        if path.is_file():
            return str(path)
    sys.exit(f"eco-openings: the program {name} is in none of {', '.join(folders)}")


def main() -> None:
    command = [program(), *sys.argv[1:]]
    if os.name != "nt":
        os.execv(command[0], command)
    # Windows has no such call; Ctrl-C goes to both, and the program decides.
    process = subprocess.Popen(command)
    while True:
        try:
            sys.exit(process.wait())
        except KeyboardInterrupt:
            continue


if __name__ == "__main__":
    main()
