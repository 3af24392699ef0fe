"""pip itself, with an index of packages that are made here. Real ones were copied by hand; see docs/proven.md."""

import io
import os
import subprocess
import sys
import tarfile
import zipfile

import pytest
from ansible_collections.playsmith.host.plugins.modules import osa_python_packages

# Without what this machine tells pip otherwise.
ALONE = {"PIP_NO_CACHE_DIR": "1", "PIP_CONFIG_FILE": os.devnull, "PIP_FIND_LINKS": "", "PIP_EXTRA_INDEX_URL": ""}
BACKEND = '[build-system]\nrequires = ["builder"]\nbuild-backend = "builder"\n'
# What builds a source without anything that is not here.
BUILDER = """
import os
import zipfile

ABOUT = ["Metadata-Version: 2.1", "Name: source", "Version: 1.0", "Requires-Dist: one", ""]
WHEEL = ["Wheel-Version: 1.0", "Root-Is-Purelib: true", "Tag: py3-none-any", ""]

def build_wheel(folder, settings=None, metadata=None):
    with zipfile.ZipFile(os.path.join(folder, "source-1.0-py3-none-any.whl"), "w") as wheel:
        for name, lines in (("METADATA", ABOUT), ("WHEEL", WHEEL), ("RECORD", [""])):
            wheel.writestr("source-1.0.dist-info/" + name, chr(10).join(lines))
    return "source-1.0-py3-none-any.whl"
"""


def add_wheel(folder, name, version, depends=(), modules=None):
    metadata = "Metadata-Version: 2.1\nName: %s\nVersion: %s\n" % (name, version)
    metadata += "".join("Requires-Dist: %s\n" % each for each in depends)
    (folder / name).mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(str(folder / name / ("%s-%s-py3-none-any.whl" % (name, version))), "w") as wheel:
        about = "%s-%s.dist-info/" % (name, version)
        wheel.writestr(about + "METADATA", metadata)
        wheel.writestr(about + "WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(about + "RECORD", "")
        for path, text in (modules or {}).items():
            wheel.writestr(path, text)


def add_source(folder, name, version, files):
    (folder / name).mkdir(parents=True, exist_ok=True)
    with tarfile.open(str(folder / name / ("%s-%s.tar.gz" % (name, version))), "w:gz") as archive:
        for path, text in {
            **files,
            "PKG-INFO": "Metadata-Version: 2.1\nName: %s\nVersion: %s\n" % (name, version),
        }.items():
            member = tarfile.TarInfo("%s-%s/%s" % (name, version, path))
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))


def pip(index, *words):
    """pip that knows one index alone."""
    around = {**os.environ, **ALONE, "PIP_INDEX_URL": index}
    return subprocess.run(
        [sys.executable, "-m", "pip", *words], capture_output=True, text=True, env=around, check=False
    )


@pytest.fixture
def index(web):
    folder, url = web
    published = folder / "published"
    for version in ("1.0", "2.0"):
        add_wheel(published, "one", version, ["two_three"])
    add_wheel(published, "two_three", "1.0")
    (published / "two_three").rename(published / "two-three")
    add_wheel(published, "builder", "0.1", modules={"builder.py": BUILDER})
    add_source(published, "source", "1.0", {"pyproject.toml": BACKEND})
    return folder, url


@pytest.fixture
def copy(run, index):
    folder, url = index
    around = dict(ALONE, PIP_INDEX_URL=url + "/published")

    def copied(packages, constraints=(), check=False):
        wanted = {"name": "a set", "packages": packages, "constraints": list(constraints)}
        return run(
            osa_python_packages, around, check, directory=str(folder / "python"), python=sys.executable, sets=[wanted]
        )

    return copied


def test_what_is_installed_comes_with_all_that_it_depends_on_and_pip_installs_it_from_there(
    copy, index, tmp_path, is_offered
):
    folder, url = index
    bounds = tmp_path / "bounds.txt"
    bounds.write_text("one==1.0\n")
    files = ["Python package one-1.0-py3-none-any.whl", "Python package two_three-1.0-py3-none-any.whl"]
    tried = copy(["one"], [str(bounds)], check=True)
    assert (tried["copied"], tried["problems"]) == (files, [])
    assert not (folder / "python").exists()
    assert copy(["one"], [str(bounds)])["copied"] == files
    assert copy(["one"], [str(bounds)])["changed"] is False
    assert is_offered(folder / "python")
    there = pip(url + "/python", "download", "--dest", str(tmp_path / "there"), "one")
    assert there.returncode == 0, there.stderr
    assert sorted(os.listdir(tmp_path / "there")) == ["one-1.0-py3-none-any.whl", "two_three-1.0-py3-none-any.whl"]
    # Another version comes beside the one that is there.
    assert copy(["one"])["copied"] == ["Python package one-2.0-py3-none-any.whl"]
    assert sorted(os.listdir(folder / "python/one")) == [
        "index.html",
        "one-1.0-py3-none-any.whl",
        "one-2.0-py3-none-any.whl",
    ]


def test_a_deploy_host_that_asks_the_copy_itself_asks_the_publisher_for_it(run, index, tmp_path):
    folder, url = index
    (tmp_path / "pip.conf").write_text("[global]\nindex-url = %s/python/\n" % url)
    around = dict(ALONE, PIP_CONFIG_FILE=str(tmp_path / "pip.conf"))
    where = {"directory": str(folder / "python"), "python": sys.executable, "publisher": url + "/published"}
    wanted = [{"name": "a set", "packages": ["one"]}]
    told = run(osa_python_packages, around, sets=wanted, url=url + "/python", **where)
    assert (told["problems"], len(told["copied"])) == ([], 2)
    # Another index that it is told to ask is the site's way to the publisher.
    other = run(
        osa_python_packages, around, sets=[{"name": "a set", "packages": ["builder"]}], url=url + "/other", **where
    )
    assert "from versions: none" in other["problems"][0]


def test_a_source_comes_with_what_it_is_built_with_and_is_built_from_there(copy, index, tmp_path):
    _folder, url = index
    told = copy(["source"])
    assert {"Python package source-1.0.tar.gz", "Python package builder-0.1-py3-none-any.whl"} < set(told["copied"])
    built = pip(url + "/python", "wheel", "--wheel-dir", str(tmp_path / "built"), "source")
    assert built.returncode == 0, built.stderr
    assert "source-1.0-py3-none-any.whl" in os.listdir(tmp_path / "built")


def test_of_a_repository_that_says_what_it_depends_on_nothing_is_built(copy, git):
    project = '[build-system]\nrequires = ["builder"]\nbuild-backend = "absent"\n\n[project]\nname = "far"\ndependencies = ["one"]\n'
    told = copy(["far @ git+%s@v1.0.0" % git({"pyproject.toml": project})])
    assert told["problems"] == []
    assert [each.split()[-1].split("-")[0] for each in told["copied"]] == ["one", "two_three", "builder"]


def test_what_was_copied_before_something_could_not_be_had_is_told_and_found(copy, index, git, tmp_path):
    folder, url = index
    (folder / "published/builder/builder-0.1-py3-none-any.whl").unlink()
    project = '[build-system]\nrequires = ["builder"]\n\n[project]\nname = "far"\ndependencies = ["one"]\n'
    told = copy(["far @ git+%s@v1.0.0" % git({"pyproject.toml": project})])
    assert "builder" in told["problems"][0] and len(told["copied"]) == 2, told
    there = pip(url + "/python", "download", "--dest", str(tmp_path / "there"), "one")
    assert there.returncode == 0, there.stderr
    # A page that was lost is made again.
    (folder / "python/one/index.html").unlink()
    assert copy(["one"])["copied"] == ["index of one"]


def test_a_repository_that_does_not_say_so_is_asked(copy, git):
    told = copy(["git+%s@v1.0.0#egg=source" % git({"pyproject.toml": BACKEND})])
    assert told["problems"] == []
    assert [each.split()[-1].split("-")[0] for each in told["copied"]] == ["one", "two_three", "builder"]


@pytest.mark.parametrize(
    ("packages", "problem"),
    [
        (["absent"], "Python packages of a set: ERROR: Could not find a version that satisfies the requirement absent"),
        (["git+file:///nowhere@v1"], "Python packages of a set: file:///nowhere v1: "),
    ],
)
def test_what_cannot_be_had_is_told(copy, packages, problem):
    told = copy(packages)
    assert told["problems"][0].startswith(problem) and told["changed"] is False


def test_a_file_with_another_sum_than_its_index_says_is_refused(copy, index):
    folder = index[0]
    (folder / "published/one/index.html").write_text(
        '<a href="one-2.0-py3-none-any.whl#sha256=%s">one-2.0-py3-none-any.whl</a>' % ("ab" * 32)
    )
    told = copy(["one"])
    assert told["copied"] == [] and len(told["problems"]) == 1, told
    assert not (folder / "python/one").exists()


def test_words_of_a_source_that_cannot_be_asked_are_told():
    said = "error: subprocess-exited-with-error\n  [2 lines of output]\n  Cannot find libsystemd\n  [end of output]\nerror: x\n"
    assert osa_python_packages.reason(said) == "Cannot find libsystemd"


def test_setup_requires_is_what_an_old_source_is_built_with(tmp_path):
    (tmp_path / "setup.py").write_text("setup(setup_requires=['pbr>=2.0.0'], pbr=True)\n")

    class Silent(osa_python_packages.Index):
        def __init__(self):
            pass

        def read_project(self, _texts):
            return [None, None]

    assert Silent().built_with(str(tmp_path)) == ["pbr>=2.0.0", "setuptools", "wheel"]


def test_files_have_the_names_of_their_projects():
    for file, project in (
        ("PyYAML-6.0.2-cp311-cp311-manylinux_2_17_x86_64.whl", "pyyaml"),
        ("zope.interface-5.0.tar.gz", "zope-interface"),
        ("simplegeneric-0.8.1.zip", "simplegeneric"),
        ("python_memcached-1.62-py2.py3-none-any.whl", "python-memcached"),
    ):
        assert osa_python_packages.project_of(file) == project
