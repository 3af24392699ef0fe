import { renderedFile, type Phase } from '../phase.ts';

/** Certificates that kubeadm made live for a year; each upgrade renews them, this does so in between. */
export const certificates: Phase = {
  name: 'certificates',
  what: 'Show when the certificates of the control plane expire, and renew those that soon will',
  hosts: 'kube_control_plane',
  tags: [
    { name: 'certificates', what: 'everything below' },
    { name: 'verify', what: 'no certificate is due, and every API server and etcd member answers' },
  ],
  applies: ({ kubernetes }) => kubernetes.installer === 'kubeadm',
  run: 'asked',
  parameters: [
    {
      variable: 'certificates_days',
      what: 'renew a control plane when one of its certificates expires in fewer days than this, 30 when not given',
      required: false,
      pattern: '[1-9][0-9]{0,5}',
      example: '90',
    },
  ],
  render: (_cluster, fill) => [
    renderedFile('certificates.yml', fill('certificates/certificates.yml.hbs', {})),
  ],
};
