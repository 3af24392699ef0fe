/**
 * The prefix of each node's part of a pod network, as Playsmith tells the controller manager: a network that is narrow
 * still serves sixteen nodes, and one that is very wide is cut no finer than the 16 bits that it can count.
 */
export const nodeMask = (prefix: number, family: 4 | 6): number =>
  family === 6 ? maskOf6(prefix) : maskOf4(prefix);

const maskOf4 = (prefix: number): number => (prefix <= 20 ? 24 : Math.min(prefix + 4, 30));

const maskOf6 = (prefix: number): number => {
  if (prefix < 48) return prefix + 16;
  return prefix <= 60 ? 64 : Math.min(prefix + 4, 124);
};
