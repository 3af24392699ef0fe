# Says what this Ansible server has of kubespray, one `name=value` a line. $1: its checkout, $2: its virtual environment,
# $3: the Python that the environment is made with, $4: what the files of the checkout have to be. Changes nothing.
at_home() {
  case $1 in '~/'*) printf '%s' "$HOME/${1#'~/'}" ;; *) printf '%s' "$1" ;; esac
}
tree=$(at_home "$1")
venv=$(at_home "$2")
say() { printf '%s=%s\n' "$1" "$2"; }
say tree "$([ -r "$tree/cluster.yml" ] && echo "$tree")"
for entry in cluster scale remove-node recover-control-plane upgrade-cluster reset; do
  [ -r "$tree/$entry.yml" ] || say missing "$entry.yml"
done
[ -r "$tree/facts.yml" ] || [ -r "$tree/playbooks/facts.yml" ] || say missing facts.yml
say writable "$(find "$tree/ansible.cfg" "$tree" -maxdepth 0 -perm -o+w 2>/dev/null | head -n 1)"
if [ -x "$venv/bin/ansible-playbook" ]; then
  say python "$("$venv/bin/python" -I -c 'import platform; print(platform.python_version())' 2>/dev/null)"
  say ansible "$("$venv/bin/python" -I -c 'import ansible.release; print(ansible.release.__version__)' 2>/dev/null)"
  "$venv/bin/python" -I -c 'import netaddr' 2>/dev/null || say lacking netaddr
  "$venv/bin/python" -I -c 'import jmespath' 2>/dev/null || say lacking jmespath
else
  say base "$("$3" -I -c 'import platform; print(platform.python_version())' 2>/dev/null)"
fi
[ ! -r "$tree/cluster.yml" ] || python3 -I - "$tree" "$4" <<'PYTHON'
