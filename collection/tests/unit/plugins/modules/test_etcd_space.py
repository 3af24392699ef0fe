import pytest
from ansible_collections.playsmith.host.plugins.module_utils import etcd
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure
from ansible_collections.playsmith.host.plugins.modules import etcd_space

MB = 1 << 20


class Etcd:
    """Three members, of which cp1 leads; it keeps what it was asked for, in order."""

    def __init__(self):
        self.asked = []
        self.alarms = []
        self.sick = set()
        self.leader = "1"
        self.sizes = {"1": [100 * MB, 10 * MB], "2": [90 * MB, 10 * MB], "3": [11 * MB, 10 * MB]}

    def members(self):
        return [{"ID": each, "name": "cp" + each, "clientURLs": [each]} for each in self.sizes]

    def ask(self, path, request=None, url="1", **_):
        if path.startswith("/health"):
            return {"health": "false" if url in self.sick else "true"}
        if path.endswith("/status"):
            size, used = self.sizes[url]
            header = {"member_id": url, "revision": "70"}
            more = {"dbSize": str(size), "dbSizeInUse": str(used), "dbSizeQuota": str(110 * MB)}
            return {"header": header, "leader": self.leader, **more}
        if path.endswith("/alarm") and request["action"] == "GET":
            return {"alarms": self.alarms}
        self.asked.append((path.rpartition("/")[2], url))
        if path.endswith("/transfer-leadership"):
            self.leader = request["targetID"]
        if path.endswith("/defragment"):
            self.sizes[url][0] = self.sizes[url][1]
        if path.endswith("/alarm"):
            self.alarms = [each for each in self.alarms if each["memberID"] != request["memberID"]]
        return {}


@pytest.fixture
def there(monkeypatch):
    it = Etcd()
    monkeypatch.setattr(etcd, "ask", it.ask)
    monkeypatch.setattr(etcd, "members", it.members)
    return it


def settle(dry=False, **given):
    return etcd_space.settle({"percent": 20, "disarm": False, **given}, dry)


def test_defragments_one_after_the_other_the_leader_last_and_without_the_lead(there):
    changed, done, _ = settle()
    assert changed
    assert there.asked == [("defragment", "2"), ("transfer-leadership", "1"), ("defragment", "1")]
    assert done[1] == "defragmented cp1: 100.0 MB before, 10.0 MB after"


def test_changes_nothing_the_second_time(there):
    settle()
    there.asked.clear()
    assert settle()[:2] == (False, [])
    assert there.asked == []


def test_check_mode_tells_what_it_would_gain(there):
    changed, done, more = settle(dry=True)
    assert changed
    assert there.asked == []
    assert done[0] == "defragment cp2: 80.0 MB of 90.0 MB would be given back"
    assert "cp1 takes 100.0 MB, of which 10.0 MB are in use; its quota is 110.0 MB" in more["notices"]


def test_leaves_what_is_less_than_a_megabyte(there):
    there.sizes = {"1": [MB, MB // 3]}
    assert settle()[0] is False


def test_touches_no_member_while_one_is_not_healthy(there):
    there.sick = {"3"}
    with pytest.raises(Failure, match="cp3 of etcd is not healthy, and no member is defragmented"):
        settle()
    assert there.asked == []


def test_stops_at_the_member_that_does_not_come_back(there, monkeypatch):
    monkeypatch.setattr(etcd_space, "patiently", lambda *_: False)
    with pytest.raises(Failure, match="cp2 of etcd is not healthy after it was defragmented, and no other"):
        settle()
    assert [url for _, url in there.asked] == ["2"]


def test_tells_what_is_safe_about_a_full_etcd_and_leaves_its_alarm(there):
    there.alarms = [{"memberID": "2", "alarm": "NOSPACE"}]
    notices = settle()[2]["notices"]
    assert "cp2 has no space left: etcd_defragment_disarm=true compacts" in notices[-1]
    assert there.alarms


def test_compacts_defragments_every_member_and_disarms(there):
    there.alarms = [{"memberID": "2", "alarm": "NOSPACE"}]
    done = settle(disarm=True)[1]
    assert [what for what, _ in there.asked] == [
        *("compaction", "defragment", "defragment", "transfer-leadership", "defragment", "alarm")
    ]
    assert there.alarms == []
    assert done[0] == "compacted the history of etcd up to revision 70"
    assert done[-1] == "disarmed the alarm NOSPACE of cp2"


def test_disarms_nothing_where_nothing_is_raised(there):
    there.sizes = {"1": [MB, MB]}
    assert settle(disarm=True)[:2] == (False, [])


def test_keeps_the_alarm_of_an_etcd_whose_quota_is_too_small(there):
    there.alarms = [{"memberID": "1", "alarm": "NOSPACE"}]
    there.sizes["1"] = [110 * MB, 105 * MB]
    with pytest.raises(Failure, match="cp1 has no space left even now, so the alarm stays: give etcd more with quota"):
        settle(disarm=True)
    assert there.alarms


def test_leaves_an_etcd_alone_whose_data_differ(there):
    there.alarms = [{"memberID": "3", "alarm": "CORRUPT"}]
    with pytest.raises(Failure, match="the data of cp3 is not that of the other members"):
        settle(disarm=True)
    assert there.asked == []


def test_goes_on_where_the_history_is_compacted_already(there, monkeypatch):
    there.alarms = [{"memberID": "1", "alarm": "NOSPACE"}]
    plain = etcd_space.ask

    def ask(path, request, url, seconds=10):
        if path.endswith("/compaction"):
            raise Failure("mvcc: required revision has been compacted")
        return plain(path, request, url, seconds)

    monkeypatch.setattr(etcd_space, "ask", ask)
    assert settle(disarm=True)[0]


def test_knows_the_quota_of_older_members_from_their_manifest(monkeypatch):
    monkeypatch.setattr(etcd_space, "read", lambda _: "    - --quota-backend-bytes=16777216\n")
    assert etcd_space.quota() == 16 * MB
    monkeypatch.setattr(etcd_space, "read", lambda _: "")
    assert etcd_space.quota() == 2 << 30
