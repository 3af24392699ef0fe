"""The fence on the hosts: a number that grows with each run of the cluster. Where a newer run has begun, nothing of an older one goes on."""
import os
import shlex
import subprocess
import time

from playsmith.fault import server_fault, writing
from playsmith.places import private_folder, read_json, write_json

FILE = "fence.json"
# How long the hosts have to end what a run began there.
STOP_SECONDS = 25
# In front of every command on a host, at both ends of `become`. The file holds the newest number, and the newest one for which all
# older processes were ended: they carry their number in their environment or, before that, in their command line. Anybody on the host
# can write such a number there, so that only processes of root, and of the user whose processes led to this one, are waited for. No
# single quote and no backslash: it stands in the quotes of Ansible, and whatever shell the login has reads it.
GUARD = """
PLAYSMITH_FENCE={cluster}:{number}; export PLAYSMITH_FENCE;
playsmith_file=/run/playsmith-fence/{cluster}; playsmith_new=0; playsmith_clear=0;
{{ read -r playsmith_new playsmith_clear <$playsmith_file; }} 2>/dev/null;
if [ "${{playsmith_new:-0}}" -gt {number} ]; then
echo "A newer run of {cluster} has begun on this host: nothing of run number {number} is done any more" >&2; exit 75;
fi;
if [ "${{playsmith_clear:-0}}" -lt {number} ] && [ -w /run ]; then
mkdir -p /run/playsmith-fence && (
exec 9>>$playsmith_file.lock; flock 9 || exit 75;
playsmith_new=0; playsmith_clear=0; {{ read -r playsmith_new playsmith_clear <$playsmith_file; }} 2>/dev/null;
if [ "${{playsmith_new:-0}}" -gt {number} ]; then echo "A newer run of {cluster} has begun on this host" >&2; exit 75; fi;
if [ "${{playsmith_clear:-0}}" -ge {number} ]; then exit 0; fi;
echo {number} ${{playsmith_clear:-0}} >$playsmith_file.new && mv -f $playsmith_file.new $playsmith_file || exit 75;
playsmith_quiet=0; playsmith_tries=0; playsmith_users=" 0 "; playsmith_at=$$;
while [ "$playsmith_at" -gt 1 ]; do playsmith_above=0;
{{ while read -r name value rest; do case $name in (Uid:) playsmith_users="$playsmith_users$value ";; (PPid:) playsmith_above=$value;; esac;
done </proc/$playsmith_at/status; }} 2>/dev/null; playsmith_at=$playsmith_above; done;
while [ $playsmith_quiet -lt 2 ]; do
playsmith_older=$(grep -aosE "PLAYSMITH_FENCE={cluster}:[0-9]+" /proc/[0-9]*/environ /proc/[0-9]*/cmdline | while IFS=: read -r path name number; do
if [ "$number" -lt {number} ]; then path=${{path#/proc/}}; echo ${{path%%/*}}; fi; done);
playsmith_own=$(for pid in $playsmith_older; do while read -r name value rest; do if [ "$name" = Uid: ]; then
case $playsmith_users in (*" $value "*) echo $pid;; esac; fi; done </proc/$pid/status; done 2>/dev/null);
if [ -n "$playsmith_older" ]; then kill -9 $playsmith_older 2>/dev/null; fi;
if [ -z "$playsmith_own" ]; then playsmith_quiet=$((playsmith_quiet + 1)); continue; fi;
playsmith_quiet=0; playsmith_tries=$((playsmith_tries + 1));
if [ $playsmith_tries -gt 100 ]; then echo "On this host, processes of an older run of {cluster} do not end:" $playsmith_own >&2; exit 75; fi;
sleep 0.1; done;
echo {number} {number} >$playsmith_file.new && mv -f $playsmith_file.new $playsmith_file ) || exit 75;
fi;
"""
# Instead of ssh: everything but commands of Ansible is passed on as it is.
WRAPPER = """#!/bin/sh
# Lets a command begin on a host only while no newer run of this cluster has begun there.
for command; do :; done
guard={guard}
outer="/bin/sh -c '$guard "
case $command in
  "/bin/sh -c '"*) command=${{command#"/bin/sh -c '"}} ;;
  "/bin/sh -c "*) command="${{command#"/bin/sh -c "}}'" ;;
  *"echo BECOME-SUCCESS-"*) outer= ;;
  *) exec ssh "$@" ;;
esac
case $command in
  *"echo BECOME-SUCCESS-"*" ; "*)
    before=${{command%%"echo BECOME-SUCCESS-"*}}
    command=${{command#*"echo BECOME-SUCCESS-"}}
    command="${{before}}echo BECOME-SUCCESS-${{command%%" ; "*}} ; $guard ${{command#*" ; "}}"
    ;;
esac
count=$#
port=
while [ "$count" -gt 1 ]; do
  case $1 in Port=*) port=${{1#Port=}} ;; esac
  host=$1
  set -- "$@" "$1"
  shift
  count=$((count - 1))
done
shift
seen={folder}/$port.$host
{do}
"""
BEGIN = ': >"$seen"\nexec ssh "$@" "$outer$command"'
STOP = 'ssh "$@" "$outer$command" || exit\n: >"$seen"'


def number(places, cluster):
    """The next one, by whoever holds the lock. Not below the clock: another server that takes the cluster over goes on above."""
    private_folder(places.kept(cluster))
    path = os.path.join(places.kept(cluster), FILE)
    last = read_json(path)
    known = last.get("number") if isinstance(last, dict) else None
    found = max(int(time.time()), (known if isinstance(known, int) else 0) + 1)
    write_json(path, {"number": found})
    return found


class Fence:
    """Of one run: the programs to be called in place of ssh, and the hosts that were reached by them."""

    def __init__(self, places, cluster, folder, scratch, known=0):
        self.places, self.cluster, self.scratch = places, cluster, scratch
        self.programs = folder_for_programs(scratch, os.path.join(folder, "env"))
        self.number = known or number(places, cluster)
        self.reached = self.folder("reached")
        os.environ["ANSIBLE_SSH_EXECUTABLE"] = os.environ["PLAYSMITH_SSH"] = self.wrapper("ssh", self.number, self.reached, BEGIN)

    def folder(self, name):
        path = os.path.join(self.scratch, name)
        with writing(path):
            os.makedirs(path, 0o700, exist_ok=True)
        return path

    def wrapper(self, name, number, folder, do):
        path = os.path.join(self.programs, name)
        guard = " ".join(GUARD.format(cluster=self.cluster, number=number).split("\n")).strip()
        text = WRAPPER.format(guard=shlex.quote(guard), folder=shlex.quote(folder), do=do)
        with writing(path), open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o700), "w", encoding="utf-8") as file:
            file.write(text)
        return path


def stop(fence, words, cwd, seen, handles):
    """Ends on every host that was reached what the run began there, by a newer number; says where that cannot be known."""
    if not os.listdir(fence.reached):
        return []
    stopped = fence.folder("stopped")
    fence.wrapper("ssh-stop", number(fence.places, fence.cluster), stopped, STOP)
    until = time.monotonic() + STOP_SECONDS
    names = sorted(each for each in seen if each)
    # Others are reached by delegation alone.
    for pattern in (",".join(names), ":!".join(["all"] + names)):
        left = set(os.listdir(fence.reached)) - set(os.listdir(stopped))
        if left and pattern:
            module = ["--become", "--module-name=ansible.builtin.raw", "--args=executable=/bin/sh true"]
            asked(fence, words + module + ["--forks=50", pattern], cwd, until, handles)
    left = set(os.listdir(fence.reached)) - set(os.listdir(stopped))
    return sorted("on %s, which does not answer: the next run ends it there" % each.split(".", 1)[1] for each in left)


def asked(fence, words, cwd, until, handles):
    own = dict(os.environ, ANSIBLE_SSH_EXECUTABLE=os.path.join(fence.programs, "ssh-stop"))
    with open(os.devnull, "r+b") as null:
        child = subprocess.Popen(words, cwd=cwd, env=own, stdin=null, stdout=null, stderr=null, start_new_session=True, pass_fds=handles)
        try:
            child.wait(max(0, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            child.kill()


def forgotten(found):
    """Of a run whose process was killed with its keeper: nobody asked the hosts."""
    scratch = found.get("scratch") or ""
    if "unstopped" in found or not os.path.isdir(os.path.join(scratch, "reached")):
        return []
    hosts = sorted(each.split(".", 1)[1] for each in os.listdir(os.path.join(scratch, "reached")))
    return ["on %s: the next run ends it there" % each for each in hosts]


def folder_for_programs(*folders):
    """The first one from which programs may be called."""
    for folder in folders:
        probe = os.path.join(folder, ".probe")
        try:
            os.close(os.open(probe, os.O_WRONLY | os.O_CREAT, 0o700))
            if os.access(probe, os.X_OK):
                return folder
        except OSError:
            continue
        finally:
            if os.path.exists(probe):
                os.unlink(probe)
    raise server_fault("No program may be called from where runs lie on the Ansible server", ", ".join(folders), "Mount one of them without noexec")
