"""The packed client, installed into an empty folder, is used as its README and examples say."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path
from typing import Any

import pytest
from conftest import PROJECT, ROOT, Service

README = (PROJECT / "README.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.S)
#: Makes a wheel and an archive of the sources in a folder, without a network.
BUILD = """
import sys
from setuptools import build_meta
out = sys.argv[1]
build_meta.build_wheel(out)
build_meta.build_sdist(out)
"""


def ran(command: list[Any], cwd: Path, **environment: str) -> str:
    """Runs a program to its end and returns its output; if its status is not 0, fails with its output."""
    kept = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}
    environment = {**kept, "PYTHONDONTWRITEBYTECODE": "1", **environment}
    found = subprocess.run(
        list(map(str, command)), cwd=cwd, env=environment, capture_output=True, text=True, timeout=240
    )
    assert found.returncode == 0, found.stdout + found.stderr
    return found.stdout


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Returns the wheel and the archive of the sources, built from a copy: nothing is written into the checkout."""
    copy = tmp_path_factory.mktemp("copy") / "python"
    ran(["cp", "-r", PROJECT, copy], PROJECT)
    out = tmp_path_factory.mktemp("packed")
    ran([sys.executable, "-c", BUILD, out], copy)
    return next(out.glob("*.whl")), next(out.glob("*.tar.gz"))


@pytest.fixture(scope="module")
def installed(packed: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the Python of a new environment that has only the wheel, and the httpx and pandas of the system."""
    place = tmp_path_factory.mktemp("installed")
    venv.create(place / "venv", system_site_packages=True, with_pip=False)
    python = place / "venv" / "bin" / "python"
    install = [python, "-m", "pip", "install", "--no-index", "--no-deps", "--no-compile", "--quiet", packed[0]]
    ran(install, place)
    return python


def test_the_packed_files_have_the_package_its_types_and_its_licence(packed: tuple[Path, Path]):
    wheel = zipfile.ZipFile(packed[0]).namelist()
    sources = tarfile.open(packed[1]).getnames()
    modules = {path.relative_to(PROJECT / "src").as_posix() for path in (PROJECT / "src" / "openfilings").rglob("*.py")}
    assert modules | {"openfilings/py.typed"} <= set(wheel)
    assert any(name.endswith("/LICENSE") for name in wheel) and any(name.endswith("/LICENSE") for name in sources)
    assert not [name for name in wheel if "test" in name]
    assert (PROJECT / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()


def test_every_block_of_the_readme_runs_in_an_empty_folder(installed: Path, service: Service, tmp_path: Path):
    assert len(BLOCKS) >= 18
    # After each block a line is printed, so that a block that printed nothing is found.
    parts = [f"{block}\nprint('-- block {number}')\n" for number, block in enumerate(BLOCKS)]
    (tmp_path / "program.py").write_text("import openfilings\nprint(openfilings.__file__)\n" + "\n".join(parts))
    output = ran([installed, "program.py"], tmp_path, OPENFILINGS_URL=service.url, OPENFILINGS_KEY=service.keys["full"])
    first, *_ = output.splitlines()
    assert str(installed.parent.parent) in first, "it is the installed package"
    printed = re.split(r"^-- block \d+$", output.removeprefix(first), flags=re.M)
    silent = [BLOCKS[at] for at, text in enumerate(printed[:-1]) if not text.strip()]
    # Only the receiver of webhooks has nothing to print: it is a function.
    assert [block for block in silent if "def receive" not in block] == []
    assert (tmp_path / "formd.csv").exists()


def test_the_receiver_of_the_readme_takes_events_and_matches_and_refuses_others(installed: Path, tmp_path: Path):
    [block] = [block for block in BLOCKS if "def receive" in block]
    program = block + RECEIVED
    assert ran([installed, "-c", program], tmp_path).split() == ["2", "204", "1", "204", "400"]


#: Gives the receiver a delivery of each kind, and one that was changed.
RECEIVED = """
import base64, hashlib, hmac, json, time
key = b"k" * 32
secret = "whsec_" + base64.b64encode(key).decode()
def sent(delivery, added=b""):
    body = json.dumps({"webhook_id": "wh", "next_after": 2, **delivery}).encode()
    at = str(int(time.time()))
    signature = base64.b64encode(hmac.new(key, f"id.{at}.".encode() + body, hashlib.sha256).digest()).decode()
    headers = {"webhook-id": "id", "webhook-timestamp": at, "webhook-signature": "v1," + signature}
    print(receive(body + added, headers, secret))
sent({"events": [{"key": "a"}, {"key": "b"}]})
sent({"search": {"search_id": "se"}, "matches": [{"match_number": 1, "row": {}}]})
sent({"events": []}, b" ")
"""


def test_the_archive_of_the_sources_installs_too(packed: tuple[Path, Path], tmp_path: Path):
    venv.create(tmp_path / "venv", system_site_packages=True, with_pip=False)
    python = tmp_path / "venv" / "bin" / "python"
    options = ["--no-index", "--no-deps", "--no-build-isolation", "--no-compile", "--quiet"]
    ran([python, "-m", "pip", "install", *options, packed[1]], tmp_path)
    assert str(tmp_path) in ran([python, "-c", "import openfilings; print(openfilings.__file__)"], tmp_path)


GUIDES = sorted(path for path in (ROOT / "docs" / "guides").glob("*.md") if "```python" in path.read_text())


@pytest.mark.parametrize("guide", GUIDES, ids=lambda path: path.stem)
def test_every_block_of_a_guide_runs(installed: Path, service: Service, tmp_path: Path, guide: Path):
    blocks = re.findall(r"```python\n(.*?)```", guide.read_text(), re.S)
    place = {"OPENFILINGS_URL": service.url, "OPENFILINGS_KEY": service.keys["full"]}
    for block in blocks:
        assert ran([installed, "-c", block], tmp_path, **place).strip(), block


def test_guides_have_blocks():
    assert {path.stem for path in GUIDES} >= {"download-everything", "follow-new-filings"}


EXAMPLES: dict[str, tuple[list[str], str]] = {
    "holders.py": (["AAPL"], "APPLE INC"),
    "offerings_frame.py": ([], "total_sold|count"),
    "follow.py": (["position.txt", "3"], "added"),
    "many_companies.py": (["320193", "9999999999"], "320193: 20"),
}


def test_every_example_has_a_test():
    assert {path.name for path in (PROJECT / "examples").glob("*")} == set(EXAMPLES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_runs_as_a_script(installed: Path, service: Service, tmp_path: Path, name: str):
    arguments, expected = EXAMPLES[name]
    script = [installed, PROJECT / "examples" / name, *arguments]
    place = {"OPENFILINGS_URL": service.url, "OPENFILINGS_KEY": service.keys["full"]}
    output = ran(script, tmp_path, **place)
    assert re.search(expected, output), output
    if name == "follow.py":
        again = ran(script, tmp_path, **place)
        assert [line.split()[0] for line in (output + again).splitlines()] == ["1", "2", "3", "4", "5", "6"]


def test_it_works_without_pandas_until_a_frame_is_needed(packed: tuple[Path, Path], service: Service, tmp_path: Path):
    (tmp_path / "pandas.py").write_text("raise ImportError('not installed')\n")
    (tmp_path / "program.py").write_text(
        """
import sys
from openfilings import MissingPackage, OpenFilings
of = OpenFilings(sys.argv[1], sys.argv[2])
print(len(list(of.formd.list())))
try:
    of.formd.list().to_pandas()
except MissingPackage as error:
    print(error)
"""
    )
    output = ran([sys.executable, "program.py", service.url, service.keys["full"]], tmp_path, PYTHONPATH=str(packed[0]))
    assert int(output.split()[0]) > 5 and "pip install pandas" in output
