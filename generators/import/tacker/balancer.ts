import { joinParts, part, type ImportPart } from '../part.ts';
import { field, textAt } from '../../source/foreign/look.ts';
import type { ForeignNode } from '../../source/foreign/node.ts';
import { besideMachine, unknownHost, type BesideMembers } from './beside.ts';
import { sectionOf, type TackerCloud } from './member.ts';
import { membersOf } from './members.ts';

/** Tacker's script gives the API port 8383 there, and leads to Services by node ports of CNFs that come later. */
export function balancerOf(parameters: ForeignNode, around: TackerCloud): BesideMembers {
  const balancer = field(parameters, 'external_lb_param');
  if (!balancer) return { machines: [], told: part({}) };
  const member = membersOf(sectionOf(balancer), around)[0];
  const data = { hosts: ['elb01'], api: { port: 8383 } };
  if (!member?.address)
    return {
      machines: [],
      told: joinParts([
        unknownHost(balancer, 'external load balancer', false),
        part({ kept: [{ title: unknownAddress, data: { externalLoadBalancer: data } }] }),
        scriptPart(balancer),
      ]),
    };
  const pieces = [{ path: ['externalLoadBalancer'], value: data, place: balancer.place }];
  return {
    machines: [besideMachine('elb01', balancer, { member, owner: 'ELB' })],
    told: joinParts([part({ pieces, assumptions: [port], problems: member.doubts }), scriptPart(balancer)]),
  };
}

const unknownAddress = 'The external load balancer, whose address is not known:';
const port = 'the external load balancer leads to the API at port 8383, as the script of Tacker has it';

function scriptPart(balancer: ForeignNode): ImportPart {
  const path = textAt(balancer, 'script_path');
  const title = "Tacker's script of the external load balancer, which is not needed:";
  return part(path === undefined ? {} : { kept: [{ title, data: { script_path: path } }] });
}
