export type ConfigurationValues = Readonly<Record<string, unknown>>;

/** What is not of the shape that OpenStack-Ansible reads; what is empty says nothing, and is no fault. */
export function configurationShape(path: string, read: unknown): readonly string[] {
  const whole = fault(`the file ${path}`, read, 'groups, networks and overrides by their names');
  if (!isMap(read)) return whole;
  return Object.entries(read).flatMap(([key, value]) => {
    const right = rightOf(key);
    if (right === undefined) return [];
    const hosts = key.endsWith('hosts') && isMap(value) ? Object.entries(value) : [];
    return [
      ...fault(`${key} in ${path}`, value, right),
      ...hosts.flatMap(([host, about]) => fault(`${key}.${host} in ${path}`, about, '`ip: …`')),
    ];
  });
}

/** Every key that ends in `hosts` is a group there. */
function rightOf(key: string): string | undefined {
  if (key.endsWith('hosts')) return 'hosts by their names';
  if (key === 'cidr_networks') return 'networks by their names';
  return key === 'global_overrides' ? 'settings by their names' : undefined;
}

const fault = (what: string, value: unknown, right: string): readonly string[] =>
  value === null || value === undefined || isMap(value)
    ? []
    : [`${what} is a ${Array.isArray(value) ? 'list' : wordOf(value)}, not ${right}`];

const wordOf = (value: unknown): string =>
  typeof value === 'string' ? 'text' : typeof value === 'boolean' ? 'truth value' : 'number';

export const isMap = (value: unknown): value is ConfigurationValues =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
