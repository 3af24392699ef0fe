import type { Report } from '../../../generators/report/report.ts';

/** Follows a run: each event of the stream is the whole report anew, the last one is called `end`. */
export function listen(first: Report, draw: (report: Report, connection: string) => void): void {
  let latest = first;
  const stream = new EventSource('events');
  const take = (event: MessageEvent<string>, connection: string): void => {
    latest = JSON.parse(event.data) as Report;
    draw(latest, connection);
  };
  stream.addEventListener('report', (event: MessageEvent<string>) => {
    take(event, 'following');
  });
  stream.addEventListener('end', (event: MessageEvent<string>) => {
    take(event, 'the run is over');
    stream.close();
  });
  stream.addEventListener('error', () => {
    draw(latest, 'not connected: this is what was last heard');
  });
}
