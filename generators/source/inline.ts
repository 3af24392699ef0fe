/** One line of YAML. */
export const inline = (value: unknown): string =>
  Array.isArray(value)
    ? `[${value.map(inline).join(', ')}]`
    : typeof value === 'object' && value !== null
      ? `{ ${Object.entries(value)
          .map(([key, each]) => `${key}: ${inline(each)}`)
          .join(', ')} }`
      : String(value);
