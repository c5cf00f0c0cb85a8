#!/usr/bin/env python3
"""Imports packages of `eco repertoire export --format apkg` with Anki's own library.

    tests/python/anki_imports_packages.py target/release/eco

It makes a virtual environment and installs the package `anki` there. A repertoire is imported, a card
of it is answered, the repertoire is renamed and edited, and it is imported once more. Without a network,
or where `anki` has no build for this machine, it says SKIPPED and ends with 0.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import venv

PACKAGE = "anki"
STUDY = """[Event "x"]
[ChapterName "Open Games"]

1. e4 e5 {[%cal Gd2d4] <script>x</script> [sound:x.mp3]} 2. Nf3 $1 {[%cal Gf3e5] solid} Nc6 3. Bb5 *

[Event "x"]
[ChapterName "Sicilian"]

1. e4 c5 2. Nf3 d6 3. d4 *
"""


def in_environment():
    """Runs this script once more, in an environment that has the package."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = pathlib.Path(folder, "bin", "python")
        install = [python, "-m", "pip", "--quiet", "--disable-pip-version-check", "install", PACKAGE]
        if subprocess.run(install).returncode != 0:
            print(f"SKIPPED: {PACKAGE} cannot be installed", flush=True)
            return 0
        return subprocess.run([python, __file__, "--installed", *sys.argv[1:]]).returncode


class Repertoire:
    """A database with a repertoire of one study."""

    def __init__(self, eco, folder):
        self.eco, self.folder, self.name = eco, folder, "mine"
        self.changed = int(time.time()) - 1000

    def run(self, *args):
        subprocess.run([self.eco, "repertoire", *args, "--db", "x.db"], cwd=self.folder, check=True)

    def add(self, study):
        pathlib.Path(self.folder, "study.pgn").write_text(study)
        self.run("add", self.name, "study.pgn", "--color", "white", "--quiet")

    def export(self, *args):
        # Anki compares times in seconds.
        self.changed += 100
        os.utime(pathlib.Path(self.folder, "x.db"), (self.changed, self.changed))
        self.run("export", self.name, "--format", "apkg", "-o", "x.apkg", *args)
        return str(pathlib.Path(self.folder, "x.apkg"))


def import_package(collection, path):
    """Imports as Anki does when a file is opened, and counts what came of the notes."""
    from anki.collection import ImportAnkiPackageOptions, ImportAnkiPackageRequest

    options = ImportAnkiPackageOptions(merge_notetypes=False, with_scheduling=False, with_deck_configs=False)
    log = collection.import_anki_package(ImportAnkiPackageRequest(package_path=path, options=options)).log
    return {kind: len(getattr(log, kind)) for kind in ["new", "updated", "duplicate", "conflicting"]}


def notes_of(collection):
    """The notes by what Anki knows them by."""
    return {note.guid: note for note in map(collection.get_note, collection.find_notes(""))}


def note_after(collection, move):
    [note] = [note for note in notes_of(collection).values() if note["Line"].endswith(f"<b>{move}</b>")]
    return note


def check(eco):
    from anki.collection import Collection

    with tempfile.TemporaryDirectory() as folder:
        repertoire = Repertoire(eco, folder)
        repertoire.add(STUDY)
        collection = Collection(str(pathlib.Path(folder, "collection.anki2")))

        found = import_package(collection, repertoire.export())
        assert found == {"new": 5, "updated": 0, "duplicate": 0, "conflicting": 0}, found
        first = notes_of(collection)
        decks = {deck.name for deck in collection.decks.all_names_and_ids()}
        assert {"mine", "mine::Open Games", "mine::Sicilian"} <= decks, decks
        check_cards(collection)
        asked = answer_one(collection)

        found = import_package(collection, repertoire.export("--stale-from", "x.apkg"))
        assert found["new"] == 0 and found["conflicting"] == 0, found

        repertoire.run("rename", "mine", "renamed")
        repertoire.name = "renamed"
        repertoire.add(STUDY.replace("solid", "better").replace("2. Nf3 d6 3. d4", "2. c3"))
        found = import_package(collection, repertoire.export("--stale-from", "x.apkg"))
        assert found["new"] == 0 and found["updated"] == 5 and found["conflicting"] == 0, found
        second = notes_of(collection)
        assert {guid: note.id for guid, note in first.items()} == {
            guid: note.id for guid, note in second.items()
        }, "notes were added twice"
        assert len(collection.find_cards("")) == 5
        assert "better" in note_after(collection, "e5")["Answer"]
        assert "eco::stale" in note_after(collection, "d6").tags
        assert "eco::changed" in note_after(collection, "c5").tags
        assert len(collection.find_cards("tag:eco::stale")) == 1
        after = collection.get_card(asked.id)
        for field in ["type", "queue", "due", "ivl", "reps", "did"]:
            assert getattr(after, field) == getattr(asked, field), f"{field} was lost"
        assert after.reps == 1
        empty = len(collection.find_cards('deck:renamed'))
        print(f"5 notes imported, updated, and known again; cards in the renamed deck: {empty}")

        # A repertoire that shares no card.
        found = import_package(collection, repertoire.export("--separate"))
        assert found["new"] == 4, found
        collection.close()


def check_cards(collection):
    """What a card shows, and that its pictures have come."""
    card = note_after(collection, "e5").cards()[0]
    output = card.render_output()
    front, back = output.question_text, output.answer_text
    for side in [front, back]:
        [name] = re.findall(r'<img src="(eco-[0-9a-f]{16}\.svg)">', side)[:1]
        assert pathlib.Path(collection.media.dir(), name).read_text().startswith("<svg "), name
    pictures = re.findall(r'src="(eco-[^"]*)"', front + back)
    assert len(set(pictures)) == 3, "the position, the answer, and what the opponent's comment draws"
    assert "Nf3" not in front and "solid" not in front, front
    assert "<b>2. Nf3!</b>" in back and "solid" in back, back
    assert "<script" not in back and "&lt;script&gt;" in back, back
    assert not output.question_av_tags and not output.answer_av_tags, "a comment plays a sound"
    unused = collection.media.check()
    assert not unused.missing and not unused.unused, unused
    assert collection.find_notes('"Line:*e4 c5*"'), "a line is not found"


def answer_one(collection):
    """Answers a card, and returns it as it is then."""
    collection.decks.select(collection.decks.id("mine"))
    card = collection.sched.getCard()
    collection.sched.answerCard(card, 3)
    return collection.get_card(card.id)


def main():
    args = [arg for arg in sys.argv[1:] if arg != "--installed"]
    if len(args) != 1:
        sys.exit(__doc__)
    if "--installed" not in sys.argv:
        sys.exit(in_environment())
    check(str(pathlib.Path(args[0]).resolve()))


main()
