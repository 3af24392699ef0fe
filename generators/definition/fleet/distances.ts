/** A node of a mesh, as far as connections are concerned. */
export interface ConnectedNode {
  readonly name: string;
  readonly role: string;
  /** Names of nodes that it opens connections to. */
  readonly peers: readonly string[];
}

/**
 * How many connections a node is away from the control node, by name, the nearest first. Traffic goes both ways over a
 * connection, and no way leads over an execution node; a node without a way is left out.
 */
export function distances(nodes: readonly ConnectedNode[]): ReadonlyMap<string, number> {
  const neighbours = new Map(nodes.map(({ name, peers }) => [name, [...peers]]));
  for (const { name, peers } of nodes) for (const peer of peers) neighbours.get(peer)?.push(name);
  const leaves = new Set(nodes.filter(({ role }) => role === 'execution').map(({ name }) => name));
  const away = new Map(nodes.filter(({ role }) => role === 'control').map(({ name }) => [name, 0]));
  // What is added meanwhile is looked at, too.
  for (const [name, distance] of away)
    for (const other of leaves.has(name) ? [] : (neighbours.get(name) ?? []))
      if (!away.has(other)) away.set(other, distance + 1);
  return away;
}
