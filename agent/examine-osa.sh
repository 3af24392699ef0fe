# Says which OpenStack-Ansible a deploy host has, one `name=value` a line. $1: its checkout; $2: host, empty for this
# machine; $3: port; $4: user; $5: key file, may be empty; the rest: host keys. Changes nothing.
checkout=$1 host=$2 port=$3 user=$4 key=$5
look='
checkout=$1
version=$(sed -n "s/.*OSA_VERSION=\"\([^\"]*\)\".*/\1/p" /usr/local/bin/openstack-ansible 2>/dev/null | head -n 1)
echo "version=$version"
[ -e "$checkout/inventory/dynamic_inventory.py" ] && echo "checkout=$checkout"
[ -e "$checkout/inventory/env.d/k8s.yml" ] && echo "layout=integrated" || echo "layout=ops"
[ -r /etc/openstack_deploy/openstack_user_config.yml ] && echo "configured=yes"
true'
if [ -z "$host" ]; then
  echo reached=yes
  exec sh -c "$look" sh "$checkout"
fi
shift 5
known=$(mktemp) || exit 1
trap 'rm -f "$known"' EXIT
name=$host
[ "$port" = 22 ] || name="[$host]:$port"
for each; do printf '%s %s\n' "$name" "$each"; done > "$known"
set -- -o BatchMode=yes -o ConnectTimeout=10 -o StrictHostKeyChecking=yes -o "UserKnownHostsFile=$known" -o GlobalKnownHostsFile=/dev/null
case $key in '') ;; '~/'*) set -- "$@" -i "$HOME/${key#'~/'}" ;; *) set -- "$@" -i "$key" ;; esac
if said=$(printf '%s\n' "$look" | ssh "$@" -p "$port" -l "$user" "$host" sh -s "$checkout" 2>&1); then
  echo reached=yes
  printf '%s\n' "$said"
else
  printf 'refused=%s\n' "$(printf '%s' "$said" | tail -n 1)"
fi
