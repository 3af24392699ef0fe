import pytest
from ansible_collections.playsmith.host.plugins.modules import osa_release_info

CHECKOUT = {
    "scripts/bootstrap-ansible.sh": 'set -e\nexport ANSIBLE_PACKAGE=${ANSIBLE_PACKAGE:-"ansible-core==2.17.11"}\n',
    "inventory/group_vars/all/source_git.yml": "---\nrequirements_git_install_branch: 29314ba6\nrequirements_git_track_branch: stable/2025.1\n",
    "inventory/group_vars/magnum_all/source_git.yml": "magnum_git_install_branch: 907b8427\n",
}
DEFAULTS = """
magnum_pip_install_args: ""
magnum_pip_packages:
  - "git+{{ magnum_git_repo }}@{{ magnum_git_install_branch }}#egg=magnum"
  - osprofiler

  # Of the database.
  - PyMySQL>=1.0
magnum_user_pip_packages:
  - more
"""


@pytest.fixture
def look(run, tmp_path):
    def looked(**changes):
        for path, text in {**CHECKOUT, "roles/os_magnum/defaults/main.yml": DEFAULTS, **changes}.items():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(text)
        return run(osa_release_info, checkout=str(tmp_path), roles=str(tmp_path / "roles"))

    return looked


def test_says_what_the_release_pins(look, tmp_path):
    assert {key: value for key, value in look().items() if key not in ("changed", "invocation")} == {
        "ansible": "ansible-core==2.17.11",
        "constraints": "29314ba6",
        "magnum": "907b8427",
        "magnum_packages": ["osprofiler", "PyMySQL>=1.0"],
        "pins": str(tmp_path / "global-requirement-pins.txt"),
    }


def test_without_roles_nothing_is_said_of_them(run, look, tmp_path):
    look()
    told = run(osa_release_info, checkout=str(tmp_path))
    assert (told["magnum"], told["magnum_packages"]) == ("907b8427", [])


@pytest.mark.parametrize("path", [*CHECKOUT, "roles/os_magnum/defaults/main.yml"])
def test_a_file_that_says_nothing_is_named(look, tmp_path, path):
    told = look(**{path: "---\n"})
    assert told["failed"] and told["msg"].startswith("%s does not say what is installed" % (tmp_path / path))
