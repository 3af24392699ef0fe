"""What counts as started, and when nothing is left to do for a service."""

import os

import pytest
from ansible_collections.playsmith.host.plugins.modules import service_info as module


@pytest.mark.parametrize(
    ("said", "is_active", "is_started"),
    [
        ("ActiveState=active\nUnitFileState=enabled", True, True),
        ("UnitFileState=enabled\nActiveState=active", True, True),
        # One that is frozen may be disabled, too.
        ("ActiveState=active\nUnitFileState=disabled", True, False),
        ("ActiveState=failed\nUnitFileState=enabled", False, False),
        ("ActiveState=reloading\nUnitFileState=enabled", False, False),
        # Nobody has installed it, and there may be no systemd.
        ("ActiveState=inactive\nUnitFileState=", False, False),
        ("", False, False),
    ],
)
def test_it_runs_and_begins_at_boot(monkeypatch, said, is_active, is_started):
    monkeypatch.setattr(module, "said", lambda *_words: said)
    assert module.states("haproxy") == {"active": is_active, "started": is_started}


@pytest.mark.parametrize(
    ("text", "mode", "is_as_wanted"),
    [
        ("global\n", 0o644, True),
        # Without its last line end it is another file.
        ("global", 0o644, False),
        ("globál\n", 0o644, False),
        ("global\n", 0o600, False),
        ("global\n", 0o666, False),
    ],
)
def test_a_file_is_compared_with_its_text_and_its_permissions(tmp_path, text, mode, is_as_wanted):
    path = tmp_path / "haproxy.cfg"
    path.write_text(text, encoding="utf-8")
    os.chmod(path, mode)
    file = {"path": str(path), "content": "global\n", "mode": "0644"}
    # Only root's files count.
    assert module.is_as_wanted(file) is (is_as_wanted and os.geteuid() == 0)


def test_a_file_that_is_not_there_is_not_as_wanted(tmp_path):
    assert not module.is_as_wanted({"path": str(tmp_path / "none"), "content": "", "mode": "0644"})


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("", True),
        ("exit 0;", True),
        ("exit 1;", False),
        ("die;", False),
        # It is given ten seconds, as Keepalived gives it two.
        ("exit($ARGV[0] == 10 ? 0 : 1);", True),
    ],
)
def test_a_service_answers_where_the_question_succeeds(question, answers):
    assert module.answers(question) is answers
