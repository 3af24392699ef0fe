"""What counts as started, and when nothing is left to do for a service."""

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
