import time

from ansible_collections.playsmith.host.plugins.modules import kubeadm_certificates as module

NOW = time.time()


def expiring(days):
    return time.strftime("%b %d, %Y %H:%M UTC", time.gmtime(NOW + (days + 0.5) * 86400))


def report(days, external="no"):
    """As kubeadm prints it."""
    return """
CERTIFICATE                EXPIRES                  RESIDUAL TIME   CERTIFICATE AUTHORITY   EXTERNALLY MANAGED
admin.conf                 %s   %dd                                    %s
apiserver-etcd-client      %s   400d            etcd-ca                 no
!MISSING! super-admin.conf

CERTIFICATE AUTHORITY   EXPIRES                  RESIDUAL TIME   EXTERNALLY MANAGED
ca                      %s   5d              no
""" % (expiring(days), days, external, expiring(400), expiring(5))


def kinds(*given):
    return {name: (kind, left) for name, (kind, left, _) in module.certificates(report(*given), 30, NOW).items()}


def test_is_due_when_fewer_days_are_left_than_asked_for_and_an_authority_never_is():
    assert kinds(10) == {"admin.conf": ("due", 10), "apiserver-etcd-client": ("good", 400), "ca": ("authority", 5)}
    assert kinds(30)["admin.conf"] == ("good", 30)


def test_what_has_expired_counts_below_zero():
    assert kinds(-3)["admin.conf"] == ("due", -3)


def test_what_somebody_else_signs_is_never_due():
    assert kinds(1, "yes")["admin.conf"] == ("external", 1)
