/**
 * What stands in for OpenStack-Ansible on a deploy host of the lab: its wrapper checks where it is called and in which
 * order, and records what it was asked; its generator makes the groups that our own files ask for.
 */
export const standIn: Readonly<Record<string, string>> = {
  '/usr/local/bin/openstack-ansible': `#!/bin/bash
export OSA_VERSION="32.0.1"
called=\${0##*/}
asked="$called $*"
echo "$asked" >> /root/asked
echo
echo "PLAY [$2$1] ****"
echo
echo "TASK [check : $called] ****"
say() { echo "fatal: [infra1]: FAILED! => {\\"msg\\": \\"$1\\"}"; echo; echo "EXIT NOTICE [Playbook execution failure] ****"; exit 2; }
[ "$PWD" = /opt/openstack-ansible ] || say "called in $PWD"
[ "$(id -u)" = 0 ] || say "called by another user than root"
[ -f /etc/openstack_deploy/conf.d/k8s.yml ] || say "nobody placed the files"
case $asked in
  *openstack.osa.setup_openstack) grep -q mcapi_control_plane_k8s /root/asked || say "Magnum finds no control plane" ;;
  *mcapi_proxy) grep -q 'mcapi_vexxhost_proxy_hosts.*compute_hosts' /etc/openstack_deploy/user_variables_mcapi.yml || say "the proxy would go to network_hosts" ;;
  *openstack.osa.magnum) grep -q mcapi_magnum_integration /root/asked || say "the driver finds no credentials" ;;
  *containers_lxc_create*) python3 /opt/openstack-ansible/inventory/dynamic_inventory.py --config /etc/openstack_deploy --list > /etc/openstack_deploy/openstack_inventory.json ;;
esac
while [ -e /root/hold ]; do sleep 0.2; done
[ ! -e /root/broken ] || say "$(cat /root/broken)"
echo "ok: [infra1]"
echo
echo "PLAY RECAP ****"
echo "infra1                     : ok=1    changed=0    unreachable=0    failed=0"
echo
echo "EXIT NOTICE [Playbook execution success] ****"
`,
  '/opt/ansible-runtime/bin/pip': '#!/bin/sh\necho "pip $*" >> /root/asked\n',
  '/opt/ansible-runtime/bin/openstack-ansible-inventory-manage': `#!/usr/bin/python3
import json, sys
open("/root/asked", "a").write("inventory-manage %s\\n" % " ".join(sys.argv[3:]))
file = sys.argv[sys.argv.index("--file") + 1]
inventory = json.load(open(file))
for at, word in enumerate(sys.argv):
    if word == "--remove-item":
        for group in inventory.values():
            group["hosts"] = [each for each in group.get("hosts", []) if each != sys.argv[at + 1]]
json.dump(inventory, open(file, "w"))
`,
  '/opt/openstack-ansible/inventory/dynamic_inventory.py': `import json, re, sys
config = sys.argv[sys.argv.index("--config") + 1]
if "--check" in sys.argv:
    print("Configuration ok!")
    sys.exit()
hosts = re.findall(r'^  "?([a-z0-9]+)"?:$', open(config + "/conf.d/k8s.yml").read(), re.M)
containers = {"%s-k8s-container-0000000%d" % (host, at): host for at, host in enumerate(hosts)}
print(json.dumps({
    "k8s_all": {"children": ["k8s_capi"]},
    "k8s_capi": {"hosts": list(containers)},
    "k8s_container": {"hosts": list(containers)},
    "magnum_all": {"hosts": ["infra1"]},
    "octavia_all": {"hosts": ["infra1"]},
    "compute_hosts": {"hosts": ["compute1"]},
    "_meta": {"hostvars": {name: {"physical_host": host} for name, host in containers.items()}},
}))
`,
  '/etc/openstack_deploy/openstack_user_config.yml':
    'shared-infra_hosts: { infra1: { ip: 172.29.236.11 } }\n',
};
