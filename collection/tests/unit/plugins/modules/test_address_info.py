"""How long an election of Keepalived is waited for."""

import pytest
from ansible_collections.playsmith.host.plugins.modules import address_info as module


@pytest.mark.parametrize(
    ("began", "waits"),
    [
        # In microseconds, as systemd tells; it is now a hundred seconds after the start of the host.
        ("99500000", 4.5),
        ("100000000", 5),
        ("40000000", 0),
        # Keepalived never ran, or there is no systemd.
        ("0", 0),
        ("", 0),
    ],
)
def test_an_election_has_its_time_from_when_keepalived_began(monkeypatch, began, waits):
    slept = []
    monkeypatch.setattr(module, "said", lambda *_words: began)
    monkeypatch.setattr(module.time, "monotonic", lambda: 100.0)
    monkeypatch.setattr(module.time, "sleep", slept.append)
    module.let_elect(5)
    assert slept == [waits]
