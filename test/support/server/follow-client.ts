import process from 'node:process';
import { connect } from '../../../tasks/steps/server/connect.ts';
import { follow } from '../../../tasks/steps/run/follow.ts';

/** A client of its own: `node follow-client.js <server and surroundings as JSON> <run>` prints each event as a line. */
const [settings = '', run = ''] = process.argv.slice(2);
const { server, around } = JSON.parse(settings) as { server: never; around: never };
const reached = await connect(server, { around });
if (!reached.ok) throw new Error(reached.failure.message);
await follow(reached.value, {
  cluster: 'try',
  run,
  from: 0,
  total: 0,
  report: (event) => process.stdout.write(`${JSON.stringify(event)}\n`),
});
await reached.value.close();
