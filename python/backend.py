"""Builds the package: maturin makes the wheel, and the program `eco` goes with it.

A wheel installs what is in `eco_openings.data/scripts`; without this file `pip install` would bring
the module alone. A release (`.ci/dist`) puts its own program there.
"""

import os
import shutil
import subprocess
import tomllib
from pathlib import Path

import maturin
from maturin import (
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

HERE = Path(__file__).resolve().parent
SCRIPTS = HERE / "eco_openings.data" / "scripts"


def program():
    """Builds the program from the sources that the module is built from."""
    settings = tomllib.loads((HERE / "pyproject.toml").read_text())["tool"]["maturin"]
    module = HERE / settings.get("manifest-path", "Cargo.toml")
    manifest = module.parent.parent / "Cargo.toml"
    target = Path(os.environ.get("CARGO_TARGET_DIR", module.parent / "target")) / "program"
    command = ["cargo", "build", "--locked", "--release", "--bin", "eco"]
    subprocess.run(
        [*command, "--manifest-path", str(manifest), "--target-dir", str(target)], check=True
    )
    name = "eco.exe" if os.name == "nt" else "eco"
    return target / "release" / name


def with_program(build):
    def built(*arguments):
        found = program()
        SCRIPTS.mkdir(parents=True, exist_ok=True)
        shutil.copy(found, SCRIPTS)
        try:
            return build(*arguments)
        finally:
            shutil.rmtree(SCRIPTS)

    return built


build_wheel = with_program(maturin.build_wheel)
build_editable = with_program(maturin.build_editable)
