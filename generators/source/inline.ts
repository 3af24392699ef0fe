/** One line of YAML. */
export const inline = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const pairs = Object.entries(value).map(([key, each]) => `${key}: ${inline(each)}`);
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
};
