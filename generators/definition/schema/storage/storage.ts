import { defaults } from '../../defaults.ts';
import { labels } from '../kubespray/free.ts';
import { localPath, machineName } from '../judges.ts';
import { choice, list, map, oneOf, oneOrMore, text, whole } from '../key.ts';
import {
  accessModes,
  reclaimPolicies,
  cinderVolume,
  devicePath,
  exportOption,
  fileMode,
  mountOption,
  nfsClient,
  objectName,
  plainFolder,
  quantity,
  serialNumber,
  signature,
} from './storage-judges.ts';

const { storage: own } = defaults;

const forceFormat = map(
  {
    device: text(devicePath, { description: 'The device that may be formatted', examples: ['/dev/vdb'] }),
    signature: text(signature, {
      description: 'What it holds now, word for word as the refusal says it',
      examples: ['xfs 8c3e0c1d-5f4e-4a64-9d60-2a8f7c1b9e11'],
    }),
  },
  {
    description: '**Destroys what the device holds.** Good for one time, since the device holds something else afterwards',
    examples: [{ device: '/dev/vdb', signature: 'xfs 8c3e0c1d-5f4e-4a64-9d60-2a8f7c1b9e11' }],
    absent: 'only a device that holds nothing at all is formatted',
  },
);

const volume = oneOf(
  {
    device: text(devicePath, {
      description: 'The device, by its path',
      examples: ['/dev/vdb', '/dev/disk/by-id/virtio-3f2c1a7e-0b40-4c1d-9'],
    }).optional(),
    serial: text(serialNumber, { description: 'The device, by its serial number', examples: ['S3Z2NB0K123456'] }).optional(),
    cinderVolume: text(cinderVolume, {
      description: 'The device, by the id of the Cinder volume that it is',
      examples: ['3f2c1a7e-0b40-4c1d-9e5f-5d2b8a7c6e10'],
    }).optional(),
    mountTo: text(plainFolder, { description: 'Where it is mounted', examples: ['/volume'] }),
    fileSystem: choice(['ext4', 'xfs'], {
      description: 'The file system that an empty device gets, and that any other must have',
      examples: ['ext4'],
      default: own.fileSystem,
    }).optional(),
    forceFormat: forceFormat.optional(),
  },
  { description: 'A volume', examples: [{ device: '/dev/vdb', mountTo: '/volume' }] },
  ['device', 'serial', 'cinderVolume'],
);

const owner = map(
  {
    user: whole(0, 4_294_967_294, { description: 'Number of the user', examples: [1000], default: own.owner.user }).optional(),
    group: whole(0, 4_294_967_294, { description: 'Number of the group', examples: [1000], default: own.owner.group }).optional(),
    mode: text(fileMode, { description: 'Its mode', examples: ['0770'], default: own.owner.mode }).optional(),
  },
  {
    description: 'Owner of the folder. If given, it is enforced; otherwise only a new folder gets one',
    examples: [{ user: 1000, group: 1000, mode: '0770' }],
    absent: '`nobody`, to which root of a client is mapped',
  },
);

const exportShape = map(
  {
    path: text(plainFolder, {
      description: 'The folder, in a volume; made when it is not there',
      examples: ['/volume/nfs/pv1'],
    }),
    to: oneOrMore(text(nfsClient, { description: 'A network, an address or a name of a host', examples: ['10.10.0.0/24'] }), {
      description: 'Who may mount it: networks, addresses and names of hosts',
      examples: ['10.10.0.0/24'],
    }),
    options: list(text(exportOption, { description: 'A word of exports(5)', examples: ['ro'] }), {
      description: 'Options of exports(5) that differ from the default ones',
      examples: [['insecure', 'all_squash']],
      absent: '`rw`, `sync`, `root_squash`, `secure`, `no_subtree_check`',
    }).optional(),
    owner: owner.optional(),
  },
  { description: 'A folder for clients', examples: [{ path: '/volume/nfs/pv1', to: '10.10.0.0/24' }] },
);

const persistentVolume = map(
  {
    name: text(objectName, { description: 'Its name in Kubernetes', examples: ['pv1'] }),
    export: text(plainFolder, { description: 'The `path` of an export of this server', examples: ['/volume/nfs/pv1'] }),
    capacity: text(quantity, { description: 'What claims may ask of it', examples: ['5Gi'] }),
    accessModes: list(
      choice(accessModes, {
        description: 'An access mode',
        examples: ['ReadWriteMany'],
      }),
      { description: 'How claims may use it', examples: [['ReadWriteMany']] },
    ),
    reclaimPolicy: choice(reclaimPolicies, {
      description: 'What happens to it when its claim is deleted',
      examples: ['Retain'],
      default: own.reclaimPolicy,
    }).optional(),
    storageClass: text(objectName, {
      description: 'The class that claims name',
      examples: ['nfs'],
      absent: 'none: for claims with `storageClassName: ""`',
    }).optional(),
    mountOptions: list(text(mountOption, { description: 'An option', examples: ['nfsvers=4.1'] }), {
      description: 'Options of mount on the nodes',
      examples: [['nfsvers=4.1', 'hard']],
      absent: 'none',
    }).optional(),
    labels: labels({ description: 'Its labels', examples: [{ tier: 'gold' }], absent: 'none' }).optional(),
  },
  {
    description: 'A PersistentVolume',
    examples: [{ name: 'pv1', export: '/volume/nfs/pv1', capacity: '5Gi', accessModes: ['ReadWriteMany'] }],
  },
);

const server = map(
  {
    host: text(machineName, { description: 'The machine from `hosts` that serves', examples: ['storage01'] }),
    server: choice(['kernel', 'ganesha'], {
      description: '`kernel`: the NFS server of Linux. `ganesha`: NFS-Ganesha, where the kernel has none',
      examples: ['kernel'],
      default: own.server,
    }).optional(),
    volumes: list(volume, {
      description: 'Devices, and where they are mounted',
      examples: [[{ device: '/dev/vdb', mountTo: '/volume' }]],
    }),
    exports: list(exportShape, {
      description: 'Folders that clients mount',
      examples: [[{ path: '/volume/nfs/pv1', to: '10.10.0.0/24' }]],
    }),
    persistentVolumes: list(persistentVolume, {
      description: 'PersistentVolumes for the exports',
      examples: [[{ name: 'pv1', export: '/volume/nfs/pv1', capacity: '5Gi', accessModes: ['ReadWriteMany'] }]],
      absent: 'none',
    }).optional(),
    manifests: list(text(localPath, { description: 'A path beside the definition', examples: ['manifests/pv1.yaml'] }), {
      description: 'Files with PersistentVolumes of your own. The address of their NFS server becomes that of `host`',
      examples: [['manifests/pv1.yaml']],
      absent: 'none',
    }).optional(),
  },
  {
    description: 'An NFS server',
    examples: [{ host: 'storage01', volumes: [{ device: '/dev/vdb', mountTo: '/volume' }], exports: [] }],
  },
);

export const storage = oneOrMore(server, {
  description: 'NFS servers beside the cluster, one or a list of them, and the PersistentVolumes on them',
  examples: [{ host: 'storage01', volumes: [{ device: '/dev/vdb', mountTo: '/volume' }] }],
  absent: 'none',
}).optional();
