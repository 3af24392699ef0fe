import type { OsaTls } from '../../cluster/openstack-ansible.ts';

/**
 * Who signed the certificate of one side. `osa-pki`: OpenStack-Ansible's own authority; `public`: one that every system
 * trusts; `http`: there is none; else the path of a file with the authority, on the hosts of Magnum.
 */
export type Signer = 'osa-pki' | 'public' | 'http' | { readonly file: string };

export interface TlsChoice {
  readonly external: Signer;
  readonly internal: Signer;
  readonly endpoint: 'internal' | 'public';
}

/** Where OpenStack-Ansible puts its own root on every host and container, by family of the system. */
export const osaRoot = {
  debian: '/usr/local/share/ca-certificates/ExampleCorpRoot.crt',
  redhat: '/etc/pki/ca-trust/source/anchors/ExampleCorpRoot.crt',
} as const;

/** The files that follow from who signed what. Nodes of workload clusters always use the external endpoint. */
export function tlsOf({ external, internal, endpoint }: TlsChoice, system: 'debian' | 'redhat'): OsaTls {
  const fileOf = (signer: Signer): string =>
    signer === 'osa-pki' ? osaRoot[system] : typeof signer === 'object' ? signer.file : '';
  const controlFile = fileOf(endpoint === 'internal' ? internal : external);
  const workloadFile = fileOf(external);
  return {
    endpointType: endpoint === 'internal' ? 'internalURL' : 'publicURL',
    controlFile,
    workloadFile,
    consequences: [
      endpoint === 'internal'
        ? 'the provider of Cluster API uses the internal endpoints: its pods need a way to the internal address'
        : 'the provider of Cluster API uses the public endpoints: its pods need a way to the external address',
      controlFile === ''
        ? 'it trusts the authorities that come with the driver'
        : `it trusts ${controlFile} and nothing else`,
      workloadFile === ''
        ? 'nodes of workload clusters trust what their image trusts'
        : `nodes of workload clusters trust ${workloadFile} and nothing else for OpenStack`,
      ...(controlFile === '' && workloadFile === ''
        ? []
        : ['the driver reads these files when a cluster is made or upgraded, as the user magnum']),
    ],
  };
}
