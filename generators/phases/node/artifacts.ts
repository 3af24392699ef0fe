import { artifactsView, isOffline } from '../offline.ts';
import { renderedFile, type Phase } from '../phase.ts';
import { settingsBelow } from '../settings.ts';

/** Offline: every host gets the packages of its system as an apt source of its own. */
export const artifacts: Phase = {
  name: 'artifacts',
  what: 'Copy the packages of the artifacts to every host, as an apt source that needs no network',
  hosts: 'all',
  tags: [{ name: 'artifacts', what: 'everything' }],
  applies: isOffline,
  run: 'instantiate',
  parameters: [],
  render: (cluster, fill) => {
    const files = filesToSend.map(([path, template]) =>
      renderedFile(`files/artifacts/${path}`, fill(`artifacts/${template}`, {})),
    );
    const view = { artifacts: artifactsView(cluster), settings: settingsBelow('files/artifacts/apt', files) };
    return [renderedFile('artifacts.yml', fill('artifacts/artifacts.yml.hbs', view)), ...files];
  },
};

const filesToSend = [
  ['apt/preferences.d/playsmith.pref', 'playsmith.pref.hbs'],
  ['apt/sources.list.d/playsmith.list', 'playsmith.list.hbs'],
] as const;

/** Below `/etc`, on every host. */
export const artifactsSettings: readonly string[] = filesToSend.map(([path]) => path);
