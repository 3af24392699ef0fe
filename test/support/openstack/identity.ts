/** A service of the catalogue, whose user has the role `admin` in the project `service`. */
export interface CatalogueEntry {
  readonly name: string;
  readonly type: string;
  readonly url: string;
}

/** A token of the administrator, for the project `admin`. */
export async function adminToken(keystone: string, password: string): Promise<string> {
  const domain = { id: 'default' };
  const answer = await fetch(`${keystone}/v3/auth/tokens`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      auth: {
        identity: { methods: ['password'], password: { user: { name: 'admin', domain, password } } },
        scope: { project: { name: 'admin', domain } },
      },
    }),
  });
  const token = answer.headers.get('X-Subject-Token');
  if (token === null) throw new Error(`Keystone gave no token: ${answer.status} ${await answer.text()}`);
  return token;
}

/** Makes users of services, and their entries in the catalogue. */
export async function register(
  ask: Asker,
  password: string,
  services: readonly CatalogueEntry[],
): Promise<void> {
  const project = await ask('projects', { project: { name: 'service', domain_id: 'default' } });
  const roles = await ask('roles?name=admin');
  for (const { name, type, url } of services) {
    const user = await ask('users', { user: { name, password, domain_id: 'default' } });
    await ask(`projects/${project}/users/${user}/roles/${roles}`, undefined, 'PUT');
    const service = await ask('services', { service: { name, type } });
    for (const each of ['public', 'internal', 'admin'])
      await ask('endpoints', {
        endpoint: { service_id: service, region_id: 'RegionOne', interface: each, url },
      });
  }
}

/** Asks Keystone; the id of what was made, or of the first that was found. */
export type Asker = (path: string, body?: object, method?: string) => Promise<string>;

/** Asks as its administrator. */
export async function asker(keystone: string, password: string): Promise<Asker> {
  const token = await adminToken(keystone, password);
  return async (path, body, method = body ? 'POST' : 'GET') => {
    const answer = await fetch(`${keystone}/v3/${path}`, {
      method,
      headers: { 'X-Auth-Token': token, 'Content-Type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`Keystone: ${method} ${path}: ${answer.status} ${text}`);
    return /"id": ?"([0-9a-f]{32})"/.exec(text)?.[1] ?? '';
  };
}
