import type { Problems } from '../../source/problem.ts';
import { entry } from '../../source/foreign/look.ts';
import { wrongAt, type ForeignNode } from '../../source/foreign/node.ts';

/** What the request is about: its way on differs. */
export type RequestSubject = 'cluster' | 'cnf';

interface OtherRequest {
  readonly name: string;
  /** The key by which it is known; the first that a request has decides. */
  readonly key: string;
  readonly way: Readonly<Record<RequestSubject, string>>;
}

const manifests = 'change the manifests or values of the CNF below `cnfs`, then npx task cnf-update';
const both = (text: string): OtherRequest['way'] => ({ cluster: text, cnf: text });

/** Requests of Tacker that no command of ours does, and how one gets there all the same. */
const others: readonly OtherRequest[] = [
  {
    name: 'answer of Tacker instead of a request',
    key: 'id',
    way: both(
      'the instance among the sources; behind --operation the body of a request, or the record of an operation',
    ),
  },
  {
    name: 'InstantiateVnfRequest',
    key: 'flavourId',
    way: both('the request among the sources, without --operation: it becomes a definition'),
  },
  {
    name: 'ChangeVnfFlavourRequest',
    key: 'newFlavourId',
    way: {
      cluster: 'change the nodes in the definition, then npx task plan shows the steps',
      cnf: manifests,
    },
  },
  {
    name: 'OperateVnfRequest',
    key: 'changeStateTo',
    way: {
      cluster: 'start or stop the machines in OpenStack, then npx task verify',
      cnf: 'npx task cnf-scale with --level, where the CNF has `scaling`',
    },
  },
  {
    name: 'request to make or change what Tacker keeps of an instance',
    key: 'vnfInstanceName',
    way: both('nothing: the name of the cluster is that of the definition'),
  },
  {
    name: 'ChangeCurrentVnfPkgRequest',
    key: 'vnfdId',
    way: {
      cluster:
        'write the versions that the new package brings into the definition, then npx task plan shows the steps',
      cnf: manifests,
    },
  },
  {
    name: 'ChangeExtVnfConnectivityRequest',
    key: 'extVirtualLinks',
    way: {
      cluster:
        'let OpenStack change the ports, write addresses that are new into the definition, then npx task plan shows what follows from them',
      cnf: manifests,
    },
  },
  ...['vnfSnapshotInfoId', 'vnfSnapshotId'].map((key) => ({
    name: 'request about a snapshot',
    key,
    way: {
      cluster:
        'npx task backup keeps etcd, npx task restore goes back to it; images of machines stay with OpenStack',
      cnf: 'npx task backup keeps the objects of all CNFs with etcd; what is on their volumes it does not',
    },
  })),
];

/** A request that is known, and is none that can be translated: which it is, and how to go on. */
export function otherRequest(operation: ForeignNode, subject: RequestSubject): Problems[number] | undefined {
  for (const { name, key, way } of others) {
    const found = entry(operation, key);
    if (found === undefined) continue;
    const article = /^[AEIOaeio]/.test(name) ? 'an' : 'a';
    const what = `by its key ${JSON.stringify(key)} this is ${article} ${name}, which --operation does not translate`;
    return wrongAt(found.keyPlace, what, way[subject]);
  }
  return undefined;
}
