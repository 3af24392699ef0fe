/** Into how many parts Ansible divides that many hosts for `serial`: a number, a percentage, or a list of them. */
export function batchesOf(hosts: number, serial: unknown): number {
  if (hosts === 0) return 0;
  const sizes = (Array.isArray(serial) ? (serial as readonly unknown[]) : [serial ?? 0]).map((size) =>
    sizeOf(hosts, size),
  );
  let left = hosts;
  let batches = 0;
  while (left > 0) {
    // The last size holds for all that remain.
    left -= sizes[Math.min(batches, sizes.length - 1)] ?? hosts;
    batches += 1;
  }
  return batches;
}

function sizeOf(hosts: number, size: unknown): number {
  const text = String(size);
  const number = Number.parseInt(text, 10);
  if (text.endsWith('%')) return Math.max(1, Math.trunc((hosts * number) / 100));
  return number > 0 ? number : hosts;
}
