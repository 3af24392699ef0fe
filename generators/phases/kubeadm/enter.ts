import type { Cluster } from '../../cluster/cluster.ts';
import type { Fill } from '../../engine.ts';
import type { RenderedFile } from '../../rendered-file.ts';
import { isOffline } from '../offline.ts';
import { renderedFile } from '../phase.ts';
import { configurationFolder } from './api-server.ts';

/** The program that runs kubeadm on a control plane or a worker: one file for both phases. */
export const enterProgram = (cluster: Cluster, fill: Fill): RenderedFile =>
  renderedFile(
    'files/kubeadm/enter.sh',
    fill('kubeadm/enter.sh.hbs', { offline: isOffline(cluster), folder: configurationFolder }),
  );
