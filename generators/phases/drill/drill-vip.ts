import { drillPhase } from './drill.ts';

/** Takes the virtual address from its holder, in the two ways in which a load balancer fails by itself. */
export const drillVip = drillPhase({
  drill: 'vip',
  what: 'Drill: stop HAProxy, then Keepalived, on the holder of the virtual address; measure, and revert',
  hosts: 'load_balancers',
  applies: ({ kubernetes, endpoint }) => kubernetes.installer === 'kubeadm' && endpoint.balancers.length > 1,
  parameters: [],
  services: ['haproxy', 'keepalived'],
  least: 15,
  rounds: [
    {
      fault: 'haproxy',
      what: 'HAProxy stopped on the holder of the address',
      seeing: 'See who holds the virtual address before HAProxy is stopped',
      requiring: 'Require one holder before HAProxy is stopped',
      title: 'Stop HAProxy on the holder',
    },
    {
      fault: 'keepalived',
      what: 'Keepalived stopped on the holder of the address',
      seeing: 'See who holds the virtual address before Keepalived is stopped',
      requiring: 'Require one holder before Keepalived is stopped',
      title: 'Stop Keepalived on the holder',
    },
  ],
});
