import {
  hasCrioLogin,
  hasMirrorHeaders,
  hasMirrors,
  hasRegistryLogin,
} from '../../../catalog/kubespray/features.ts';
import { hasGap } from '../../gaps.ts';
import { defaults } from '../../defaults.ts';
import { problemAt, type Finding } from '../../../source/finding.ts';
import { notSaid, unknownVariables, type KubesprayFacts } from './kubespray-knows.ts';

/** Registries as far as the container manager of the version is told of them. */
export const registries = (told: KubesprayFacts): Finding[] => {
  const { draft } = told.facts;
  if (hasGap(told.written, 'containerManager')) return [];
  const manager = told.written.containerManager ?? defaults.kubespray.containerManager;
  const login = { containerd: hasLogin, crio: hasCrioLogin, docker: (): boolean => false }[manager];
  return (draft.containerd?.registries ?? []).flatMap((registry, index) => {
    const path = ['containerd', 'registries', index];
    return [
      ...(registry?.user === undefined
        ? []
        : unknownVariables(told, [...path, 'user'], login, `users of registries for ${manager}`)),
      ...(manager === 'containerd' && registry?.mirrors !== undefined
        ? unknownVariables(told, [...path, 'mirrors'], hasMirrors, 'mirrors of containerd')
        : []),
      ...(registry?.ca === undefined ? [] : [notSaid([...path, 'ca'], 'the authority of a registry')]),
      ...(manager === 'docker' && registry?.mirrors !== undefined && registry.host !== 'docker.io'
        ? [problemAt([...path, 'host'], 'docker has mirrors of docker.io alone', 'docker.io, or containerd')]
        : []),
    ];
  });
};

const hasLogin = (tag: number): boolean => hasRegistryLogin(tag) || hasMirrorHeaders(tag);
