import { dirname } from 'node:path';
import { setServerHostKey } from '../../../generators/source/edits.ts';
import { ok, type Result } from '../../../generators/result.ts';
import { agreement } from '../../runtime/agreement.ts';
import type { Failure } from '../../runtime/failures.ts';
import { surroundings } from '../../runtime/ssh/route.ts';
import type { World } from '../../runtime/world.ts';
import { load, type DefinitionFile } from '../definition/load.ts';
import { editDefinition } from '../definition/replace-file.ts';
import { showHostKey } from './show-host-key.ts';

/** An Ansible server that nothing knows yet is shown, and pinned in the definition once a person agrees. */
export async function pinServer(
  file: string,
  yes: boolean,
  world: World,
): Promise<Result<DefinitionFile, Failure>> {
  const loaded = await load(file, world);
  if (!loaded.ok) return loaded;
  const { ansibleServer } = loaded.value.cluster;
  if (ansibleServer.kind === 'local' || ansibleServer.hostKey !== '') return loaded;
  const shown = await showHostKey(ansibleServer, { ...surroundings(), folder: dirname(loaded.value.file) });
  if (!shown.ok) return shown;
  if (shown.value.isTrusted) return loaded;
  const { name, type, fingerprint, key } = shown.value;
  const agreed = await agreement(
    `The Ansible server ${name} shows the ${type} key ${fingerprint}. Compared it on its console? Write it into the definition?`,
    yes,
    world,
  );
  if (!agreed.ok) return agreed;
  const written = await editDefinition(loaded.value, setServerHostKey(loaded.value.text, `${type} ${key}`));
  if (!written.ok) return written;
  world.report({ type: 'note', text: `${name}: ${fingerprint} written as ansibleServer.hostKey` });
  const again = await load(file, world);
  return again.ok ? ok(again.value) : again;
}
