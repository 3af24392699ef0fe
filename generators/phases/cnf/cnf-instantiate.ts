import { cnfPhase, namesParameter } from './cnf.ts';

/** The first of the playbooks about CNFs; it also carries what all of them are told. */
export const cnfInstantiate = cnfPhase({
  name: 'cnf-instantiate',
  what: 'Instantiate CNFs in their namespaces, each as its own tenant, and wait until they are ready',
  parameters: [namesParameter('cnf-instantiate', { required: false })],
});
