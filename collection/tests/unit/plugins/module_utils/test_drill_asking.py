"""What is made of the answers that came while a fault lasted."""

import inspect

from ansible_collections.playsmith.host.plugins.module_utils import drill_asking, drill_revert, witness


def attempts(*ends):
    return [{"asked": end - 0.01, "ended": end, "ok": ok} for end, ok in ends]


def test_the_time_counts_from_the_answer_before_the_silence_to_the_one_after_it():
    seen = attempts((1, True), (1.05, True), (2.1, False), (3.2, False), (3.5, True), (3.55, True))
    assert drill_asking.summary(seen) == {"asked": 6, "failed": 2, "longest": 2.45}


def test_attempts_count_in_the_order_of_their_ends_and_a_silence_that_lasts_counts():
    seen = attempts((5, False), (1, True), (2, True))
    assert drill_asking.summary(seen) == {"asked": 3, "failed": 1, "longest": 3}


def test_there_is_no_silence_where_every_ask_was_answered_however_late_it_was_asked():
    assert drill_asking.summary(attempts((1, True), (4, True)))["longest"] == 0
    assert drill_asking.summary([]) == {"asked": 0, "failed": 0, "longest": 0}


def test_answers_are_steady_when_enough_of_them_came_for_a_while_and_nothing_else():
    whole = attempts(*((7 + turn / 20, True) for turn in range(60)))
    assert drill_asking.is_calm(whole, 0, 10)
    assert not drill_asking.is_calm(whole, 8, 10)
    assert not drill_asking.is_calm(attempts(*((7 + turn / 2, True) for turn in range(6))), 0, 10)
    assert not drill_asking.is_calm(whole + attempts((9.9, False)), 0, 10)


def test_what_runs_on_a_host_by_itself_needs_nothing_of_the_collection():
    for program in (witness, drill_revert):
        assert "ansible" not in inspect.getsource(program)
