"""apt itself, with an archive of packages that are made here."""

import os
import shutil
import subprocess

import pytest
from ansible_collections.playsmith.host.plugins.modules import osa_system_packages

needs_apt = pytest.mark.skipif(shutil.which("apt-get") is None, reason="this is no Debian or Ubuntu")
ROLE = """
some_distro_packages:
  - one
  # A comment.
  - "{{ (ansible_facts['distribution_release'] == 'bookworm') | ternary('three', 'absent') }}"
  - "{{ _more[ansible_facts['os']] }}"
some_pip_packages:
  - two
some_port: 80
some_remove_packages:
  - two
"""


def build(folder, name, version, depends=""):
    """A package that is empty."""
    root = folder / ("root-" + name + version)
    (root / "DEBIAN").mkdir(parents=True)
    (root / "DEBIAN").chmod(0o755)
    fields = {
        "Package": name,
        "Version": version,
        "Architecture": "all",
        "Maintainer": "t <t@example.org>",
        "Description": "empty",
    }
    fields.update({"Depends": depends} if depends else {})
    (root / "DEBIAN/control").write_text("".join("%s: %s\n" % each for each in fields.items()))
    subprocess.run(
        ["dpkg-deb", "--build", "--root-owner-group", str(root), str(folder)], check=True, stdout=subprocess.DEVNULL
    )


def offered(folder):
    """Makes the folder an archive, by hand."""
    said = []
    for path in sorted(folder.glob("*.deb")):
        fields = subprocess.run(["dpkg-deb", "--field", str(path)], check=True, capture_output=True, text=True).stdout
        about = (path.name, path.stat().st_size, osa_system_packages.digest(str(path)))
        said.append(fields + "Filename: ./%s\nSize: %d\nSHA256: %s\n" % about)
    (folder / "Packages").write_text("\n".join(said))


def apt(folder, sources):
    """An apt that knows these sources alone, with nothing installed."""
    (folder / "lists/partial").mkdir(parents=True)
    (folder / "sources.list").write_text(sources)
    (folder / "status").touch()
    config = {
        "Dir::Etc::SourceList": folder / "sources.list",
        "Dir::Etc::SourceParts": "/dev/null",
        "Dir::State::lists": folder / "lists",
        "Dir::State::status": folder / "status",
        "Dir::Cache": folder,
        "APT::Sandbox::User": "root",
        "Acquire::Languages": "none",
    }
    (folder / "apt.conf").write_text("".join('%s "%s";\n' % each for each in config.items()))
    around = {"APT_CONFIG": str(folder / "apt.conf")}
    subprocess.run(["apt-get", "-qq", "update"], check=True, env={**os.environ, **around})
    return around


@pytest.fixture(params=["file", "http"])
def archive(request, tmp_path, web):
    """Where packages are copied from, and an apt that takes them from there; a disk is asked in another way than a server."""
    folder = web[0] / "publisher"
    folder.mkdir()
    build(folder, "one", "1:1.0-1", "two (>= 2)")
    for name in ("two", "three", "four"):
        build(folder, name, "2.0")
    offered(folder)
    place = "file:%s" % folder if request.param == "file" else web[1] + "/publisher"
    sources = "deb [trusted=yes] %s ./\n" % place
    around = apt(tmp_path / "apt", sources)
    role = tmp_path / "roles/some/vars"
    role.mkdir(parents=True)
    (role / "main.yml").write_text(ROLE)
    (role / "redhat.yml").write_text("some_distro_packages:\n  - four\n")
    return tmp_path, around, sources


@pytest.fixture
def copy(run, archive):
    folder, around, _sources = archive

    def copied(check=False, **more):
        where = {"directory": str(folder / "mirror"), "roles": [str(folder / "roles")]}
        return run(osa_system_packages, around, check, **where, **more)

    return copied


@needs_apt
def test_what_roles_list_comes_with_all_that_it_depends_on_and_apt_installs_it_from_there(copy, archive, is_offered):
    folder = archive[0]
    tried = copy(check=True)
    assert sorted(tried["copied"]) == ["one_1.0-1_all.deb", "three_2.0_all.deb", "two_2.0_all.deb"]
    assert not (folder / "mirror").exists()
    assert copy()["copied"] == tried["copied"]
    assert is_offered(folder / "mirror")
    assert copy()["changed"] is False
    code = osa_system_packages.system()[1]
    for suite in (code, code + "-backports"):
        around = apt(folder / suite, "deb [trusted=yes] file:%s %s main\n" % (folder / "mirror", suite))
        words = ["apt-get", "--print-uris", "--yes", "install", "one", "three"]
        said = subprocess.run(words, check=True, capture_output=True, text=True, env={**os.environ, **around}).stdout
        for name in ("one", "two", "three"):
            assert "/pool/%s_" % name in said


@needs_apt
def test_a_package_that_cannot_be_had_is_told_and_the_others_of_its_role_come(copy, archive):
    told = copy(packages=["four", "absent"])
    assert told["problems"] == ["packages of absent: apt of this host: E: Unable to locate package absent"]
    assert "four_2.0_all.deb" in told["copied"]
    folder, around, sources = archive
    (folder / "roles/some/vars/main.yml").write_text("a_packages:\n  - one\n  - nine\n")
    build(folder / "web/publisher", "nine", "1.0", "two (<< 2)")
    offered(folder / "web/publisher")
    around.update(apt(folder / "again", sources))
    for name in ("one", "two"):
        for path in (folder / "mirror/pool").glob(name + "_*"):
            path.unlink()
    told = copy()
    assert told["problems"] == [
        "packages of the role some: apt of this host: E: Unable to correct problems, you have held broken packages."
    ]
    assert sorted(told["copied"]) == ["one_1.0-1_all.deb", "two_2.0_all.deb"]


@needs_apt
def test_what_a_run_left_that_was_cut_is_put_right(copy, archive):
    mirror = archive[0] / "mirror"
    copy()
    code = osa_system_packages.system()[1]
    release = mirror / "dists" / code / "Release"
    right = release.read_text()
    # As the one before it was: the list of packages is new already.
    release.write_text(right.replace("SHA256:", "SHA256:\n " + "0" * 64 + " 1 main/old\nMore:"))
    (mirror / ".work-cut/archives").mkdir(parents=True)
    assert copy()["copied"] == ["lists of " + code]
    assert release.read_text().partition("SHA256:")[2] == right.partition("SHA256:")[2]
    assert not (mirror / ".work-cut").exists()


@needs_apt
def test_a_source_of_apt_that_is_away_is_told_and_nothing_is_lost(copy, archive):
    folder = archive[0]
    copy()
    (folder / "web/publisher/Packages").unlink()
    told = copy()
    assert told["changed"] is False and "apt of this host: E: " in told["problems"][0], told
    assert len(list((folder / "mirror/pool").iterdir())) == 3


@needs_apt
def test_backports_that_are_no_source_of_apt_are_told(copy):
    if osa_system_packages.system()[0] == "ubuntu":
        return
    told = copy(backports=["four"])
    assert len(told["problems"]) == 1 and "-backports' is invalid for APT::Default-Release" in told["problems"][0], told


@needs_apt
def test_an_older_version_stays_and_what_was_cut_is_put_right(copy, archive):
    folder, around, sources = archive
    copy()
    (folder / "mirror/pool/two_2.0_all.deb").write_text("half")
    build(folder / "web/publisher", "three", "2.1")
    offered(folder / "web/publisher")
    around.update(apt(folder / "again", sources))
    assert sorted(copy()["copied"]) == ["three_2.1_all.deb", "two_2.0_all.deb"]
    code = osa_system_packages.system()[1]
    said = (folder / "mirror/dists" / code / "main").glob("*/Packages")
    text = next(iter(said)).read_text()
    assert text.endswith("\n\n")
    assert text.count("Package: three\n") == 2 and text.count("Package: ") == 4


def test_words_that_an_expression_compares_with_are_no_packages():
    assert osa_system_packages.named(ROLE) == {"one", "three", "absent"}
    listed = "a_package_list: \"{{ (os is version('14', '>=')) | ternary('libxml2-16', 'libxml2') }}\"\n"
    assert osa_system_packages.named(listed) == {"libxml2-16", "libxml2"}


def test_variables_of_other_systems_are_not_read(tmp_path):
    for name in ("main", "debian", "debian-host", "ubuntu", "redhat", "redhat-9"):
        (tmp_path / "role/vars").mkdir(parents=True, exist_ok=True)
        (tmp_path / "role/vars" / (name + ".yml")).write_text(name)
    read = {system: osa_system_packages.roles_in([str(tmp_path)], system) for system in ("debian", "ubuntu")}
    assert list(read["debian"].values()) == [["debian-host", "debian", "main"]]
    assert list(read["ubuntu"].values()) == [["debian-host", "debian", "main", "ubuntu"]]


def test_another_system_is_refused_with_what_would_be_right(monkeypatch):
    monkeypatch.setattr(osa_system_packages, "read", lambda _path: 'ID="rocky"\nPRETTY_NAME="Rocky Linux 9"\n')
    with pytest.raises(ValueError, match="packages of Rocky Linux 9 are not copied: offer a mirror of it"):
        osa_system_packages.system()
