"""When a service counts as started, by what systemd says of it."""

import pytest
from ansible_collections.playsmith.host.plugins.modules import service_info as module


@pytest.mark.parametrize(
    ("said", "is_started"),
    [
        ("ActiveState=active\nUnitFileState=enabled", True),
        ("UnitFileState=enabled\nActiveState=active", True),
        ("ActiveState=active\nUnitFileState=disabled", False),
        ("ActiveState=failed\nUnitFileState=enabled", False),
        ("ActiveState=reloading\nUnitFileState=enabled", False),
        # Nobody has installed it, and there may be no systemd.
        ("ActiveState=inactive\nUnitFileState=", False),
        ("", False),
    ],
)
def test_it_runs_and_begins_at_boot(monkeypatch, said, is_started):
    monkeypatch.setattr(module, "said", lambda *_words: said)
    assert module.is_started("haproxy") is is_started
