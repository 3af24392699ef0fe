# Says what this Ansible server has, one `name=value` a line. $1: the directory of Playsmith. Changes nothing.
directory=$1
case $directory in '~' | '~/'*) directory=$HOME${directory#'~'} ;; esac
python=$directory/venv/bin/python
others=$(find "$directory/." "$directory/venv/." "$directory/venv/bin/." -prune -perm /022 2>&1)
first=
if ! { [ -O "$directory" ] && [ -x "$python" ] && [ -z "$others" ]; }; then
  python=$(command -v python3) || python=
  playbook=$(command -v ansible-playbook) && IFS= read -r first <"$playbook"
fi
case $first in
  "#!"*/env*) ;;
  "#!"*/python*) python=${first#"#!"} && python=${python# } && python=${python%% *} ;;
esac
say() { printf '%s=%s\n' "$1" "$2"; }
say system "$(. /etc/os-release 2>/dev/null && printf '%s' "$PRETTY_NAME")"
say clock "$(date +%s)"
say ssh "$(command -v ssh)"
say sshpass "$(command -v sshpass)"
say tar "$(command -v tar)"
if [ -n "$python" ]; then
  say python "$("$python" -I -c 'import platform; print(platform.python_version())' 2>/dev/null)"
  say ansible "$("$python" -I -c 'import ansible.release; print(ansible.release.__version__)' 2>/dev/null)"
  say runner "$("$python" -I -c 'import importlib.metadata; print(importlib.metadata.version("ansible-runner"))' 2>/dev/null)"
fi
nearest=$directory
while [ ! -e "$nearest" ]; do nearest=$(dirname "$nearest"); done
say directory "$directory"
say writable "$([ -w "$nearest" ] && [ -d "$nearest" ] && echo yes)"
say others "$(find "$directory/." "$directory/venv/." "$directory/venv/bin/." -prune -perm /022 2>/dev/null | sed -n '1s:/\.$::p')"
say free "$(df -Pk "$nearest" | awk 'NR == 2 { print $4 }')"
say kill "$(cat /etc/systemd/logind.conf /etc/systemd/logind.conf.d/*.conf 2>/dev/null | sed -n 's/^KillUserProcesses=//p' | tail -n 1)"
say linger "$([ -e "/var/lib/systemd/linger/$(id -un)" ] && echo yes)"
