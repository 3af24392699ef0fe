import { certificates, registryHost } from '../../definition/schema/kubernetes/kubernetes-judges.ts';
import { joinParts, part, type ImportPart } from '../part.ts';
import { field, itemsOf, textAt } from '../../source/foreign/look.ts';
import { doubtAt, type ForeignNode, type Text } from '../../source/foreign/node.ts';

/** Private registries, with their passwords as references and their authorities from the package, where it is at hand. */
export const registriesPart = (parameters: ForeignNode, package_: readonly Text[]): ImportPart =>
  joinParts(
    itemsOf(field(parameters, 'private_registry_connection_info')).map((node, index) =>
      registryPart(node, index, package_),
    ),
  );

function registryPart(node: ForeignNode, index: number, package_: readonly Text[]): ImportPart {
  const host = textAt(node, 'server') ?? '';
  const isUsual = textAt(node, 'username') === 'tacker' && textAt(node, 'password') === 'tacker';
  const user = isUsual ? undefined : textAt(node, 'username');
  const variable = `REGISTRY_PASSWORD_${host.toUpperCase().replaceAll(/\W/g, '_')}`;
  const ca = authority(node, package_);
  const value = {
    host,
    ...(textAt(node, 'connection_type') === '0' ? { mirrors: [`http://${host}`] } : {}),
    ...(ca === undefined ? {} : { ca }),
    ...(user === undefined ? {} : { user, password: { env: variable } }),
  };
  return joinParts([
    part({
      pieces: [{ path: ['containerd', 'registries', index], value, place: node.place }],
      secrets: user === undefined ? [] : [{ variable, what: `the password of ${user} at ${host}` }],
      assumptions: isUsual ? [`${host} is asked by nobody's name: ${usual}`] : [],
      problems: registryHost(host) === undefined ? [] : [noHost(node, host)],
    }),
    keptOf(node, host, ca),
  ]);
}

const usual = 'tacker with the password tacker is what Tacker says when nobody says anything';

const noHost = ({ place }: ForeignNode, host: string): ImportPart['problems'][number] =>
  doubtAt(place, `${JSON.stringify(host)} is not the host of a registry`, 'registry.example.org:5000');

/** The file that `certificate_path` names, if it was handed in. */
function authority(node: ForeignNode, package_: readonly Text[]): string | undefined {
  const path = textAt(node, 'certificate_path')?.replace(/^\.?\//, '');
  const text =
    path === undefined ? undefined : package_.find(({ file }) => `/${file}`.endsWith(`/${path}`))?.text;
  const plain = text?.replaceAll('\r\n', '\n').trim();
  return plain !== undefined && certificates(`${plain}\n`) === undefined ? `${plain}\n` : undefined;
}

function keptOf(node: ForeignNode, host: string, ca: string | undefined): ImportPart {
  const path = textAt(node, 'certificate_path');
  const hosts = textAt(node, 'hosts_string');
  return part({
    kept: [
      ...(path === undefined || ca !== undefined
        ? []
        : [
            {
              title: `The certificate of ${host} was not at hand; put it into \`containerd.registries[].ca\`:`,
              data: { certificate_path: path },
            },
          ]),
      ...(hosts === undefined
        ? []
        : [
            {
              title: `A line of /etc/hosts for ${host}; the machines' DNS has to know it:`,
              data: { hosts_string: hosts },
            },
          ]),
    ],
  });
}
