"""An index of crates in the format that Cargo reads, copied from one on loopback. Cargo itself was tried by hand; see docs/proven.md."""

import hashlib
import json

import pytest
from ansible_collections.playsmith.host.plugins.modules import osa_crates

CRATES = {"serde": "1.0.1", "Ab": "0.2.0+build", "cfg": "1.0.0", "a": "3.0.0"}
PATHS = {"serde": "se/rd/serde", "Ab": "2/ab", "cfg": "3/c/cfg", "a": "1/a"}


def data(name, version):
    return ("%s %s" % (name, version)).encode()


def sum_of(name, version):
    return hashlib.sha256(data(name, version)).hexdigest()


def lock(crates, more=""):
    block = '[[package]]\nname = "%s"\nversion = "%s"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\nchecksum = "%s"\n'
    ours = '[[package]]\nname = "program"\nversion = "1.0.0"\ndependencies = [\n "serde",\n]\n'
    return (
        "version = 4\n\n"
        + "\n".join(block % (name, version, sum_of(name, version)) for name, version in crates.items())
        + ours
        + more
    )


@pytest.fixture
def publisher(web):
    """What crates.io has, and a folder to copy it to."""
    folder, url = web
    for name, version in CRATES.items():
        entry = {
            "name": name,
            "vers": version,
            "cksum": sum_of(name, version),
            "deps": [],
            "features": {},
            "yanked": False,
        }
        other = dict(entry, vers="0.0.1", cksum="00")
        for path, written in (
            ("index/" + PATHS[name], "\n".join(json.dumps(each) for each in (other, entry)) + "\n"),
            ("files/%s/%s/download" % (name, version), data(name, version).decode()),
        ):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(written)
    (folder / "index/config.json").write_text(json.dumps({"dl": url + "/files"}))
    return folder, url


@pytest.fixture
def copy(run, publisher, git):
    folder, url = publisher
    state = {}

    def copied(crates=None, more="", check=False):
        state["repository"] = state.get("repository") or git({"Cargo.lock": lock(crates or CRATES, more)})
        where = {"directory": str(folder / "crates"), "url": url + "/crates", "publisher": url + "/index"}
        return run(osa_crates, check=check, repository=state["repository"], version="v1.0.0", **where)

    return copied


def test_every_crate_of_the_lock_comes_with_its_line_and_a_second_time_nothing_does(copy, publisher, is_offered):
    folder, url = publisher
    tried = copy(check=True)
    assert tried["changed"] and len(tried["copied"]) == 5
    assert not (folder / "crates").exists()
    first = copy()
    assert (first["problems"], first["copied"]) == ([], tried["copied"])
    assert json.loads((folder / "crates/config.json").read_text()) == {
        "dl": url + "/crates/crates/{crate}-{version}.crate"
    }
    for name, version in CRATES.items():
        lines = (folder / "crates" / PATHS[name]).read_text().splitlines()
        assert [json.loads(line)["vers"] for line in lines] == [version]
        assert (folder / "crates/crates" / ("%s-%s.crate" % (name, version))).read_bytes() == data(name, version)
    assert is_offered(folder / "crates")
    assert copy()["changed"] is False


def test_versions_that_were_there_stay(copy, publisher):
    place = publisher[0] / "crates/se/rd/serde"
    place.parent.mkdir(parents=True)
    place.write_text('{"name":"serde","vers":"0.9.0"}\n')
    copy()
    assert sorted(json.loads(line)["vers"] for line in place.read_text().splitlines()) == ["0.9.0", "1.0.1"]


def test_a_crate_with_another_sum_is_not_kept_and_the_others_are(copy, publisher):
    folder, _url = publisher
    (folder / "files/serde/1.0.1/download").write_text("something else")
    told = copy()
    assert len(told["problems"]) == 1 and "has the sum" in told["problems"][0]
    assert not (folder / "crates/crates/serde-1.0.1.crate").exists()
    assert not (folder / "crates/se/rd/serde").exists()
    assert (folder / "crates/crates/cfg-1.0.0.crate").exists()
    # What was cut or broken later is put right.
    (folder / "files/serde/1.0.1/download").write_bytes(data("serde", "1.0.1"))
    (folder / "crates/crates/cfg-1.0.0.crate").write_text("half")
    assert sorted(copy()["copied"]) == ["crate cfg 1.0.0", "crate serde 1.0.1"]


@pytest.mark.parametrize(
    ("crates", "more", "problem"),
    [
        ({"serde": "9.9.9"}, "", "serde 9.9.9: its publisher has none with the sum of the lock"),
        ({"absent": "1.0.0"}, "", "/index/ab/se/absent: HTTP Error 404"),
        ({"../../x": "1.0.0"}, "", "../../x 1.0.0 is no name and version of a crate"),
        (
            None,
            '[[package]]\nname = "far"\nversion = "1.0.0"\nsource = "git+https://example.org/far#1"\n',
            "far 1.0.0 comes from git+https",
        ),
    ],
)
def test_what_cannot_be_copied_is_told(copy, crates, more, problem):
    told = copy(crates, more)
    assert any(problem in each for each in told["problems"]), told


def test_a_program_without_a_lock_needs_none(run, publisher, git):
    folder, url = publisher
    where = {"directory": str(folder / "crates"), "url": url + "/crates", "publisher": url + "/index"}
    told = run(osa_crates, repository=git({"pyproject.toml": ""}), version="v1.0.0", **where)
    assert (told["changed"], told["problems"]) == (False, [])
    missing = run(osa_crates, repository="file:///nowhere", version="v1.0.0", **where)
    assert "file:///nowhere v1.0.0: " in missing["problems"][0]


@pytest.mark.parametrize(
    ("template", "url"),
    [
        ("https://x/api", "https://x/api/serde/1.0.1/download"),
        ("https://x/{crate}/{crate}-{version}.crate", "https://x/serde/serde-1.0.1.crate"),
        ("https://x/{lowerprefix}/{sha256-checksum}", "https://x/se/rd/ab12"),
    ],
)
def test_files_come_from_where_the_index_says(template, url):
    assert osa_crates.download_url(template, "serde", "1.0.1", "ab12") == url
