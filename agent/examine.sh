# Says what this Ansible server has, one `name=value` a line. $1: the directory of Playsmith. Changes nothing.
directory=$1
case $directory in '~' | '~/'*) directory=$HOME${directory#'~'} ;; esac
python=$directory/venv/bin/python
{ [ -O "$directory" ] && [ -x "$python" ]; } || python=$(command -v python3) || python=
if [ -n "$python" ] && ! "$python" -c 'import ansible_runner' 2>/dev/null && [ -x /usr/bin/python3 ]; then
  python=/usr/bin/python3
fi
say() { printf '%s=%s\n' "$1" "$2"; }
say system "$(. /etc/os-release 2>/dev/null && printf '%s' "$PRETTY_NAME")"
say clock "$(date +%s)"
say ssh "$(command -v ssh)"
say sshpass "$(command -v sshpass)"
say tar "$(command -v tar)"
if [ -n "$python" ]; then
  say python "$("$python" -c 'import platform; print(platform.python_version())' 2>/dev/null)"
  say ansible "$("$python" -c 'import ansible.release; print(ansible.release.__version__)' 2>/dev/null)"
  say runner "$("$python" -c 'import importlib.metadata; print(importlib.metadata.version("ansible-runner"))' 2>/dev/null)"
fi
nearest=$directory
while [ ! -e "$nearest" ]; do nearest=$(dirname "$nearest"); done
say directory "$directory"
say writable "$([ -w "$nearest" ] && [ -d "$nearest" ] && echo yes)"
say free "$(df -Pk "$nearest" | awk 'NR == 2 { print $4 }')"
say kill "$(cat /etc/systemd/logind.conf /etc/systemd/logind.conf.d/*.conf 2>/dev/null | sed -n 's/^KillUserProcesses=//p' | tail -n 1)"
say linger "$([ -e "/var/lib/systemd/linger/$(id -un)" ] && echo yes)"
