import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP proxy on loopback that can stop passing anything on while all connections stay open. Close it. */
export interface FrozenProxy {
  readonly port: number;
  readonly freeze: () => void;
  readonly close: () => Promise<void>;
}

/** Port 0: a server that accepts and never says a word. */
export async function frozenProxy(targetPort: number): Promise<FrozenProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    sockets.add(client.on('error', () => undefined));
    if (targetPort === 0) return;
    const target = connect(targetPort, '127.0.0.1');
    sockets.add(target.on('error', () => undefined));
    client.pipe(target).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    freeze: () => {
      for (const socket of sockets) socket.unpipe().pause();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
