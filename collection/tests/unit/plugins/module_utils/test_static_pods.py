"""Why a component ended, by its own log."""

import pytest
from ansible_collections.playsmith.host.plugins.module_utils import static_pods

USAGE = ["Usage:", "", "  etcd [flags]", "    Start an etcd server."]


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (['invalid value "many" for flag -snapshot-count: parse error', *USAGE], "invalid value"),
        (["flag provided but not defined: -nonsense", *USAGE], "flag provided but not defined: -nonsense"),
        (['{"level":"info"}', '{"level":"fatal","msg":"bind"}', '{"level":"info"}'], '{"level":"fatal","msg":"bind"}'),
        (["one", "two", "three", "four"], "two | three | four"),
    ],
)
def test_the_reason_is_told_and_not_the_usage(tmp_path, monkeypatch, lines, says):
    log = tmp_path / "0.log"
    log.write_text("".join("2026-01-01T00:00:00Z stderr F %s\n" % line for line in lines))
    monkeypatch.setattr(static_pods.glob, "glob", lambda _: [str(log)])
    assert static_pods.last_words("etcd").startswith(says)
