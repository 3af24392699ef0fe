import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface DelayProxy {
  readonly port: number;
  /** How often the direction of the talk turned towards the server since the last reset: round trips, as the client waits for them. */
  roundTrips(): number;
  reset(): void;
  close(): Promise<void>;
}

/** A TCP proxy on loopback that holds every byte back for `milliseconds` each way: latency without netem. */
export async function delayProxy(targetPort: number, milliseconds: number): Promise<DelayProxy> {
  const turns = { count: 0, last: 'in' as 'in' | 'out' };
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (client) => {
    const target = connect({ port: targetPort, host: '127.0.0.1', noDelay: true });
    for (const socket of [client, target]) sockets.add(socket);
    relay(client, target, milliseconds, () => {
      if (turns.last === 'in') turns.count += 1;
      turns.last = 'out';
    });
    relay(target, client, milliseconds, () => {
      turns.last = 'in';
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    roundTrips: () => turns.count,
    reset: () => Object.assign(turns, { count: 0, last: 'in' }),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function relay(from: Socket, to: Socket, milliseconds: number, passed: () => void): void {
  const later = (act: () => void): void => {
    if (milliseconds === 0) act();
    else setTimeout(act, milliseconds);
  };
  from.on('data', (chunk) => {
    passed();
    later(() => to.writable && to.write(chunk));
  });
  from.on('end', () => {
    later(() => to.end());
  });
  for (const event of ['error', 'close'] as const)
    from.on(event, () => {
      later(() => to.destroy());
    });
}
