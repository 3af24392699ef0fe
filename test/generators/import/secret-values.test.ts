import { describe, expect, test } from 'vitest';
import { importKubespray } from '../../../generators/import/inventory/index.ts';
import { withoutSecrets } from '../../../generators/import/masked.ts';
import { wishing } from '../../support/definitions/imports.ts';

const leftOut = (value: string): string => `(left out; ${value.length} characters)`;
const copied = (name: string, value: unknown): unknown =>
  (withoutSecrets({ [name]: value }) as Record<string, unknown>)[name];

const pem = '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkq\n-----END PRIVATE KEY-----\n';
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjYW5hcnkifQ.c2lnbmF0dXJl';

describe('an import copies nothing that may be a secret', () => {
  test.each([
    ['ldap_bind_pw', 'canary1'],
    ['harbor_admin_pwd', 'canary2'],
    ['vsphere_apikey', 'canary3'],
    ['s3_key', 'canary4'],
    ['license_key', 'canary5'],
    ['smtp_auth', 'user:canary6'],
    ['kube_api_pwd', 'canary7'],
    ['cilium_ipsec_key', 'canary8'],
    ['external_oracle_auth_key', 'canary9'],
    ['rh_subscription_activation_key', 'canary10'],
    ['external_huaweicloud_access_key', 'canary11'],
    ['vrrp_psk', 'canary12'],
    ['api_key', 'canary13'],
    ['s3_access_key_id', 'canary14'],
    ['something_of_ours', 'canary15'],
    ['database', 'host=db user=app pwd=canary16'],
    ['tls', pem],
    ['kube_proxy_mode', jwt],
    ['kube_log_level', 'Zm9vYmFyMTIzNDU2Nzg5QUJDREVGR0hJSktM'],
    ['kubelet_custom_flags', '--password canary17'],
    ['upstream_dns_servers', 'curl -u admin:canary18 https://x.example'],
    ['kube_feature_gates', 'Bearer canary19'],
    ['etcd_data_dir', 'd2f4a6c8e0b1d3f5a7c9e1b3d5f7a9c1'],
    ['http_hook', 'https://hooks.example.org/services/T00000000/B00000000/aB3dE5fG7hI9jK1lM3nO5pQ7'],
    ['ansible_ssh_common_args', '-o ProxyCommand="sshpass -p canary21 ssh -W %h:%p jump"'],
    ['ansible_ssh_extra_args', '-o ProxyCommand="sshpass -v -pcanary22 ssh -W %h:%p jump"'],
    ['ansible_ssh_common_args', '-o ProxyCommand="ncat --proxy-auth u:canary23 --proxy p:3128 %h %p"'],
    ['kubelet_custom_flags', 'curl --proxy-user=u:canary24 https://x.example'],
    ['root_password_hash', '$6$salt$canary20canary20'],
    ['tls_cipher_suites', 'TLS_Zm9vYmFyMTIzNDU2Nzg5QUJDREVGR0hJSktM'],
  ])('%s', (name, value) => {
    expect(copied(name, value)).toBe(leftOut(value));
    expect(copied(name, [{ of: { [name]: value } }])).toEqual([{ of: { [name]: leftOut(value) } }]);
  });

  test('a number where a password belongs', () => {
    expect(copied('admin_password', 12345678)).toBe('(left out; 8 characters)');
  });

  test('into the definition, nor into its comments', () => {
    const text = `[kube_control_plane]\nn1 ansible_host=10.0.0.1 ip=10.0.0.1\n[kube_node]\nn1\n[etcd]\nn1\n[all:vars]\nansible_user=ops\nldap_bind_pw=canary1\nsomething_of_ours=canary2\n`;
    const result = importKubespray([{ file: 'hosts.ini', text }], wishing({}));
    expect(result.ok && result.value.text).not.toContain('canary');
    expect(result.ok && result.value.text).toContain(
      'ldap_bind_pw (hosts.ini:9:1): "(left out; 7 characters)"',
    );
  });
});

describe('an import copies what is known to be no secret, whatever it is called', () => {
  test.each([
    ['kube_encrypt_secret_data', true],
    ['kube_encryption_algorithm', 'secretbox'],
    ['kube_webhook_token_auth', false],
    ['kube_webhook_token_auth_url', 'https://auth.example.org:8443/authenticate'],
    ['kube_token_auth', 'true'],
    ['kube_token_dir', '/etc/kubernetes/tokens'],
    ['kubelet_secure_addresses', '10.0.0.0/24 10.1.0.0/24'],
    ['token_ttl_seconds', 3600],
    ['kube_proxy_mode', 'iptables'],
    ['something_of_ours', '10.0.0.0/24'],
    ['another_of_ours', 'v1.2.3'],
    ['a_url_of_ours', 'https://mirror.example.org/debian'],
    ['containerd_extra_path', './files/registry'],
    ['tls_cipher_suites', 'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256'],
    ['tls_cipher_suites', 'TLS_AES_128_GCM_SHA256,TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256'],
    ['etcd_tls_cipher_suites', 'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384'],
    ['kube_pod_security_default_enforce', 'restricted'],
    ['kubeadm_ignore_preflight_errors', 'SystemVerification'],
    ['etcd_log_level', 'warn'],
  ])('%s: %j', (name, value) => {
    expect(copied(name, value)).toBe(value);
  });

  test('a URL without the login in it', () => {
    expect(copied('files_repo', 'https://me:canary@files.example.org/k8s')).toBe(
      'https://files.example.org/k8s',
    );
  });
});
