import { scalars } from '../kubespray/free.ts';
import { release, user } from '../judges.ts';
import { list, map, text } from '../key.ts';
import { certificates, httpUrl, imageReference, registryHost, sha256 } from './kubernetes-judges.ts';
import { ownedByCri } from '../kubespray/owned.ts';
import { secret } from '../secret.ts';

const checksum = (what: string) =>
  text(sha256, {
    description: `The SHA-256 checksum of ${what}, as its project publishes it`,
    examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  });

const address = (what: string, usual: string) =>
  text(httpUrl, {
    description: `Where ${what} comes from`,
    examples: ['https://mirror.example.org/archives/file'],
    absent: usual,
  }).optional();

const archive = map(
  {
    version: text(release, { description: 'The version of containerd', examples: ['2.3.7'] }),
    url: address('the archive', 'the releases of containerd on GitHub'),
    sha256: checksum('the archive'),
    runc: map(
      {
        version: text(release, { description: 'The version of runc', examples: ['1.5.2'] }),
        url: address('the program', 'the releases of runc on GitHub'),
        sha256: checksum('the program'),
      },
      { description: 'What starts containers for containerd', examples: [{ version: '1.5.2', sha256: '…' }] },
    ),
  },
  {
    description: 'An archive of the containerd project, with its checksum',
    examples: [{ version: '2.3.7', sha256: '…', runc: { version: '1.5.2', sha256: '…' } }],
    absent: "the distribution's package",
  },
);

const registry = map(
  {
    host: text(registryHost, {
      description: 'The registry, as it appears in image names',
      examples: ['docker.io', 'registry.example.org:5000'],
    }),
    mirrors: list(text(httpUrl, { description: 'A URL', examples: ['https://mirror.example.org'] }), {
      description: 'URLs that are asked first, one after the other, before the registry itself',
      examples: [['https://mirror.example.org']],
      absent: 'the registry itself is asked',
    }).optional(),
    ca: text(certificates, {
      description: 'The certificate authority of the registry and its mirrors, in PEM form, as a block of lines (`ca: |`)',
      examples: ['…'],
      absent: 'those of the system',
    }).optional(),
    user: text(user, { description: 'Who asks there', examples: ['puller'], absent: 'nobody by name' }).optional(),
    password: secret('The password of that user', 'REGISTRY_PASSWORD').optional(),
  },
  { description: 'A registry', examples: [{ host: 'docker.io', mirrors: ['https://mirror.example.org'] }] },
);

export const containerd = map(
  {
    archive: archive.optional(),
    pauseImage: text(imageReference, {
      description: 'The image of the container that holds the namespaces of each pod',
      examples: ['registry.k8s.io/pause:3.10.2'],
      absent: 'the one that kubeadm of this version wants',
    }).optional(),
    registries: list(registry, {
      description: 'Mirrors, authorities and users of registries',
      examples: [[{ host: 'docker.io', mirrors: ['https://mirror.example.org'] }]],
      absent: 'every registry is asked by itself',
    }).optional(),
    cri: scalars(ownedByCri, {
      description: 'Single settings of its CRI plugin, word for word',
      examples: [{ disable_apparmor: true }],
      absent: 'none beside ours',
    }).optional(),
  },
  { description: 'The container runtime', examples: [{ pauseImage: 'registry.k8s.io/pause:3.10.2' }] },
);
