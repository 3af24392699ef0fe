import { describe, expect, test } from 'vitest';
import { importTacker } from '../../../../generators/import/tacker/index.ts';
import { readDocuments } from '../../../../generators/import/tacker/documents.ts';
import { readJson } from '../../../../generators/source/foreign/json.ts';
import { commandsFor } from '../../../../generators/import/tacker/operation.ts';
import { clusterOf, fixtures, wishing } from '../../../support/definitions/imports.ts';

const kubespray = clusterOf(
  importTacker(
    fixtures('tacker/kubespray/request.json', 'tacker/kubespray/heat.json'),
    wishing({ name: 'edge' }),
  ),
);

function asked(cluster: typeof kubespray, request: string, ...others: readonly string[]) {
  const [source] = fixtures(`tacker/${request}.json`);
  const operation = source && readJson(source);
  const documents = readDocuments(fixtures(...others.map((file) => `tacker/${file}.json`)));
  if (!operation?.ok || !documents.ok) throw new Error(`${request} cannot be read`);
  return commandsFor(operation.value, documents.value, cluster);
}

const commands = (operation: string, ...more: readonly string[]) => {
  const found = asked(kubespray, `kubespray/${operation}`, ...more);
  return found.ok ? found.value.commands : found.failure.map(({ message }) => message);
};

describe('an operation of Tacker', () => {
  test.each([
    ['heal-worker', 'npx task heal-node worker75'],
    ['heal-text', 'npx task heal-node worker75'],
    ['heal-all', 'npx task heal-cluster --confirm edge'],
    ['scale-in', 'npx task scale-in worker55 --confirm worker55'],
    ['scale-out', 'npx task apply'],
    ['terminate', 'npx task terminate --confirm edge'],
  ])('%s is the command that does it', (operation, command) => {
    expect(commands(operation, 'kubespray/instance', 'kubespray/heat')).toEqual([command]);
  });

  test('finds its machine by ports as well', () => {
    expect(commands('heal-worker', 'kubespray/instance', 'kubespray/ports')).toEqual([
      'npx task heal-node worker75',
    ]);
  });

  test('of the second version names VDU and server', () => {
    const cluster = clusterOf(
      importTacker(
        fixtures('tacker/v2/request.json', 'tacker/v2/instance.json', 'tacker/v2/ports.json'),
        wishing(),
      ),
    );
    const found = asked(cluster, 'v2/heal-master', 'v2/instance', 'v2/ports');
    expect(found.ok && found.value.commands).toEqual(['npx task heal-node master15']);
    const all = asked(cluster, 'v2/heal-all', 'v2/instance', 'v2/ports');
    expect(all.ok && all.value.commands).toEqual(['npx task heal-cluster --confirm imported']);
  });

  test('about a machine that nobody knows is refused', () => {
    expect(commands('heal-worker')).toEqual([
      expect.stringMatching(/^no machine of the definition is the VNFC [\da-f-]+$/),
    ]);
  });

  test('that takes the oldest is refused where nobody knows which it is', () => {
    expect(commands('scale-in', 'kubespray/instance', 'kubespray/ports')).toEqual([
      'nothing tells how old these machines are, by which Tacker chooses',
    ]);
  });

  test('names machines that are new', () => {
    const fewer = { ...kubespray, machines: kubespray.machines.filter(({ name }) => name !== 'worker75') };
    const found = asked(fewer, 'kubespray/scale-out', 'kubespray/instance', 'kubespray/heat');
    expect(found.ok && found.value.commands).toEqual(['npx task scale-out worker75']);
    expect(found.ok && found.value.notes.join('\n')).toContain(
      '- { name: worker75, roles: [worker], address: 10.10.0.75 }',
    );
  });
});

describe('what is no request that we know', () => {
  const answer = (request: unknown) => {
    const operation = readJson({ file: 'operation.json', text: JSON.stringify(request) });
    const documents = readDocuments(fixtures('tacker/kubespray/instance.json'));
    if (!operation.ok || !documents.ok) throw new Error('unreadable');
    return commandsFor(operation.value, documents.value, kubespray);
  };

  test.each([
    ['a misspelt key', { vnfcInstanceIds: ['f8829938'] }, 'vnfcInstanceIds'],
    ['another request', { flavourId: 'simple', instantiationLevelId: 'x' }, 'flavourId'],
    ['an instance', { id: 'x', instantiatedVnfInfo: {} }, 'id'],
    ['a list', [], 'no operation can be told from it'],
    ['a text', 'heal', 'no operation can be told from it'],
    ['nothing named', { vnfcInstanceId: null }, 'names nothing'],
    ['an empty name', { vnfcInstanceId: [''] }, 'names nothing'],
    ['a list of none', { vnfcInstanceId: [] }, 'names nothing'],
    ['a mapping of none, with all', { vnfcInstanceId: {}, additionalParams: { all: true } }, 'names nothing'],
    [
      'steps that are a command',
      { type: 'SCALE_OUT', aspectId: 'a', numberOfSteps: 'x; reboot' },
      'no number of steps',
    ],
    ['no steps', { type: 'SCALE_OUT', aspectId: 'a', numberOfSteps: 0 }, 'no number of steps'],
  ])('%s heals nothing', (_, request, said) => {
    const found = answer(request);
    expect(found.ok ? found.value.commands : found.failure.map(({ message }) => message).join()).toContain(
      said,
    );
    expect(found.ok).toBe(false);
  });

  test.each([
    ['InstantiateVnfRequest', { flavourId: 'simple', extVirtualLinks: [] }, 'without --operation'],
    ['ChangeExtVnfConnectivityRequest', { extVirtualLinks: [], vimConnectionInfo: [] }, 'npx task plan'],
    ['ChangeCurrentVnfPkgRequest', { vnfdId: 'x', extVirtualLinks: [] }, 'versions that the new package'],
    ['ChangeCurrentVnfPkgRequest', { vnfdId: 'x', additionalParams: {} }, 'versions that the new package'],
    ['ChangeVnfFlavourRequest', { newFlavourId: 'x' }, 'npx task plan'],
    ['OperateVnfRequest', { changeStateTo: 'STOPPED' }, 'in OpenStack'],
    ['request about a snapshot', { vnfSnapshotInfoId: 'x' }, 'npx task backup'],
    ['what Tacker keeps of an instance', { vnfInstanceName: 'x', vnfdId: 'y' }, 'nothing:'],
    ['an answer of Tacker', { id: 'x', vnfInstanceName: 'y' }, 'among the sources'],
  ])('%s is told, with what to do instead: %j', (name, request, way) => {
    const found = answer(request);
    expect(found.ok).toBe(false);
    const [problem] = found.ok ? [] : found.failure;
    expect(problem?.message).toContain(name);
    expect(problem?.remedy).toContain(way);
  });

  test.each([[{}], [{ cause: 'fire' }]])('%j heals the whole, as in the API', (request) => {
    const found = answer(request);
    expect(found.ok && found.value.commands).toEqual(['npx task heal-cluster --confirm edge']);
  });
});

describe('a request that is not meant so', () => {
  const [instance, heat] = ['kubespray/instance', 'kubespray/heat'].flatMap((file) =>
    fixtures(`tacker/${file}.json`),
  );
  const told = (body: object) => {
    const operation = readJson({ file: 'operation.json', text: JSON.stringify(body) });
    const documents = readDocuments([instance, heat].flatMap((each) => each ?? []));
    if (!operation.ok || !documents.ok) throw new Error('a fixture cannot be read');
    return commandsFor(operation.value, documents.value, kubespray);
  };

  test.each([
    ['a termination that is none', { terminationType: 'foo' }, 'forceful or graceful'],
    [
      'more workers than there are',
      { type: 'SCALE_IN', aspectId: 'worker_instance', numberOfSteps: 9 },
      'there are 2 workers, of which 9 cannot go',
    ],
  ])('%s is refused', (_, body, message) => {
    const found = told(body);
    expect(found.ok ? '' : found.failure[0]?.message).toContain(message);
  });

  test('heals the machines that it names, each once, and with `all` no others', () => {
    const found = asked(kubespray, 'kubespray/heal-worker', 'kubespray/instance', 'kubespray/heat');
    const [source] = fixtures('tacker/kubespray/heal-worker.json');
    const body = JSON.parse(source?.text ?? '{}') as { vnfcInstanceId: string | string[] };
    const ids = [body.vnfcInstanceId].flat();
    const withAll = told({ ...body, additionalParams: { all: true } });
    expect(withAll.ok && withAll.value.commands).toEqual(found.ok && found.value.commands);
    expect(withAll.ok && withAll.value.notes.join()).toContain('heals no other VNFC');
    const twice = told({ ...body, vnfcInstanceId: [...ids, ...ids] });
    expect(twice.ok && twice.value.commands).toEqual(found.ok && found.value.commands);
  });
});

test('files among which is neither a request nor an instance are refused with what is missing', () => {
  const refused = importTacker(fixtures('tacker/kubespray/servers.json'), wishing());
  expect(refused.ok ? [] : refused.failure.problems.map(({ message }) => message)).toEqual([
    expect.stringContaining('neither a request nor an instance of Tacker is among these files'),
  ]);
});

describe('a request to scale', () => {
  const told = (request: string, ...others: readonly string[]) => {
    const operation = readJson({ file: 'op.json', text: request });
    const documents = readDocuments(fixtures(...others.map((file) => `tacker/${file}.json`)));
    if (!operation.ok || !documents.ok) throw new Error('this can be read');
    return commandsFor(operation.value, documents.value, kubespray);
  };
  const files = ['kubespray/request', 'kubespray/instance', 'kubespray/heat'];
  const refused = (request: string): string => {
    const found = told(request, ...files);
    return found.ok ? found.value.commands.join() : found.failure.map(({ message }) => message).join();
  };

  test.each([
    ['{"type":"SCALE_IN","aspectId":"master_instance"}', 'this is the aspect of the control planes'],
    ['{"type":"SCALE_OUT","aspectId":"worker_instanc"}', 'this is not the aspect of the workers'],
    ['{"type":"SCALE_OUT"}', 'this ScaleVnfRequest names no aspect'],
    ['{"type":"SCALE_OUT","aspectId":"worker_instance","steps":2}', 'a request to scale has no key "steps"'],
    ['{"type":"SCALE_UP","aspectId":"worker_instance"}', 'the type of a ScaleVnfRequest is wrong: SCALE_UP'],
    [
      '{"type":"SCALE_IN","aspectId":"worker_instance","numberOfSteps":9}',
      'there are 2 workers, of which 9 cannot go',
    ],
    ['{"terminationType":"FORCEFUL","force":true}', 'a request to terminate has no key "force"'],
  ])('%s is refused', (request, message) => {
    expect(refused(request)).toContain(message);
  });

  test('takes the newest where the instance is of the second version of the API', () => {
    const [instance, heat] = fixtures('tacker/kubespray/instance.json', 'tacker/kubespray/heat.json');
    const second = {
      file: 'v2.json',
      text: (instance?.text ?? '').replace(/"vimConnectionInfo": \[[^\]]*\]/, '"vimConnectionInfo": {}'),
    };
    const operation = readJson({ file: 'op.json', text: '{"type":"SCALE_IN","aspectId":"worker_instance"}' });
    const documents = readDocuments([second, heat ?? second]);
    if (!operation.ok || !documents.ok) throw new Error('this can be read');
    const found = commandsFor(operation.value, documents.value, kubespray);
    expect(found.ok && found.value.commands).toEqual(['npx task scale-in worker75 --confirm worker75']);
  });

  test('out is shown as the nodes to write, each with its way and its VNFC', () => {
    const importing = fixtures(...files.map((file) => `tacker/${file}.json`));
    const labelled = clusterOf(
      importTacker(importing, wishing({ kubernetes: '1.37.2', name: 'edge', fix: true })),
    );
    const machines = labelled.machines.filter(({ name }) => name !== 'worker75');
    const operation = readJson({
      file: 'op.json',
      text: '{"type":"SCALE_OUT","aspectId":"worker_instance"}',
    });
    const documents = readDocuments(importing);
    if (!operation.ok || !documents.ok) throw new Error('this can be read');
    const found = commandsFor(operation.value, documents.value, { ...labelled, machines });
    expect(found.ok && found.value.commands).toEqual(['npx task scale-out worker75']);
    expect(found.ok && found.value.notes).toEqual([
      'first write into the definition, below `nodes`:',
      '  - { name: worker75, roles: [worker], address: 10.10.0.75, ssh: { host: 203.0.113.75 }, labels: { vnfc: 4bad102a-f91b-530b-a617-31d843421e9e } }',
    ]);
  });
});
