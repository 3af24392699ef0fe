import { describe, expect, test } from 'vitest';
import { changed, saidBesides } from '../../support.ts';

describe('networks of a cluster of kubeadm', () => {
  const networks = (from: string, to: string): string[] =>
    saidBesides(
      changed(
        ['network:\n', 'installer: { kubeadm: { version: 1.37.2 } }\nnetwork:\n  plugin: static-routes\n'],
        [from, to],
      ),
    );

  test.each([
    ['10.96.0.0/16', '10.96.0.0/29', 'fewer than the ten addresses that kubeadm wants'],
    ['10.244.0.0/16', '32.0.0.0/7', 'a prefix from 8 to 24'],
    ['10.244.0.0/16', '127.0.0.0/16', 'holds loopback addresses (127.0.0.0/8)'],
    ['10.96.0.0/16', '224.0.0.0/16', 'holds multicast addresses (224.0.0.0/4)'],
    ['10.244.0.0/16', '169.254.0.0/16', 'holds link-local addresses (169.254.0.0/16)'],
  ])('%s cannot become %s', (from, to, expected) => {
    expect(networks(from, to)).toContainEqual(expect.stringContaining(expected));
  });

  test.each([
    ['10.96.0.0/16', '10.96.0.0/28'],
    ['10.244.0.0/16', '11.0.0.0/8'],
  ])('%s can become %s', (from, to) => {
    expect(networks(from, to)).toEqual([]);
  });
});
