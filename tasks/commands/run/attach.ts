import { join } from 'node:path';
import { failed, ok, type Result } from '../../../generators/result.ts';
import { livePage, type LivePage } from '../../report/live.ts';
import { isLoopback, listenAddress } from '../../report/listen-address.ts';
import { pageTls } from '../../report/page-tls.ts';
import type { RunBrief } from '../../runtime/agent/run-records.ts';
import type { Failure } from '../../runtime/failures.ts';
import type { World } from '../../runtime/world.ts';
import { renderBundle } from '../../steps/bundle/bundle.ts';
import { localRecords } from '../../steps/run/record.ts';
import { runStatus } from '../../steps/run/runs.ts';
import { withServer, type Session } from '../../steps/server/session.ts';
import { keepsake, watch } from '../../steps/run/watch.ts';
import { fileOption, outputOption, task, wholeFrom } from '../../task.ts';

interface AttachRequest {
  readonly run: string;
  readonly from: number;
  readonly page: (record: RunBrief) => Promise<Result<LivePage | undefined, Failure>>;
}

export const attach = task({
  name: 'attach',
  positionals: '[run]',
  example: 'attach --web',
  options: {
    file: fileOption,
    output: outputOption,
    run: { type: 'string', default: '', describe: 'Id of the run (default: the latest)' },
    from: {
      type: 'number',
      coerce: wholeFrom(0, 'from'),
      default: 0,
      describe: 'Number of the first event to show',
    },
    web: {
      type: 'boolean',
      default: false,
      describe: 'Serve a live page for the browser as well, on loopback',
    },
    'web-listen': {
      type: 'string',
      requiresArg: true,
      default: '127.0.0.1:0',
      coerce: listenAddress,
      describe: 'Address and port of that page, port 0 for any; TLS is required beyond loopback',
    },
    'web-cert': { type: 'string', requiresArg: true, describe: 'TLS certificate of that page, a PEM file' },
    'web-key': { type: 'string', requiresArg: true, describe: 'Its private key, a PEM file' },
  },
  run: ({ file, output, run, from, web, 'web-listen': place, 'web-cert': cert, 'web-key': key }, world) => {
    if (web && from > 0) return Promise.resolve(failed(whole));
    const isPlaced = place.host !== '127.0.0.1' || place.port !== 0;
    if (!web && (isPlaced || cert !== undefined || key !== undefined))
      return Promise.resolve(failed(withoutPage));
    const page = async (record: RunBrief): Promise<Result<LivePage | undefined, Failure>> => {
      if (!web) return ok(undefined);
      const tls = await pageTls({ cert, key }, world.cwd);
      if (!tls.ok) return tls;
      const rendered = await renderBundle({ file, output }, world);
      if (!rendered.ok) return rendered;
      const records = await localRecords(join(world.cwd, keepsake), rendered.value.cluster.name);
      const parts = { record, rendered: rendered.value, records, plan: undefined };
      const served = await livePage(parts, { ...place, tls: tls.value });
      if (served.ok && !isLoopback(place.host))
        world.report({ type: 'note', text: announcement(place.host) });
      return served;
    };
    return withServer(file, world, (session) => follow(session, { run, from, page }, world));
  },
});

const announcement = (host: string): string =>
  `the page is served beyond this machine, on ${host} over TLS: whoever opens its address first sees the run`;

const whole: Failure = {
  kind: 'usage',
  message: 'a page shows a run from its first event on, so --from and --web do not go together',
};

const withoutPage: Failure = {
  kind: 'usage',
  message:
    '--web-listen, --web-cert and --web-key say how the page of --web is served, which is not asked for',
  next: 'add --web, or leave them out',
};

async function follow(
  session: Session,
  { run, from, page }: AttachRequest,
  world: World,
): Promise<Result<void, Failure>> {
  const found = await runStatus(session.server, { cluster: session.cluster.name, run });
  if (!found.ok) return found;
  const live = await page(found.value);
  if (!live.ok) return live;
  if (live.value) world.report({ type: 'note', text: `page: ${live.value.url} (works once)` });
  const report = (event: Parameters<World['report']>[0]): void => {
    live.value?.hear(event);
    world.report(event);
  };
  const { playbook, options, meta } = found.value;
  const { plays, tasks } = meta;
  report({
    type: 'run-started',
    run: found.value.run,
    playbook,
    plays,
    tasks,
    check: options.check ?? false,
  });
  try {
    return await watch(
      { loaded: session, server: session.server, run: found.value.run, from, total: tasks },
      { ...world, report },
    );
  } finally {
    await live.value?.close();
  }
}
