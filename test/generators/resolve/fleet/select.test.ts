import { describe, expect, test } from 'vitest';
import { chosenClusters, type FleetChoice } from '../../../../generators/resolve/fleet/select.ts';
import { definition, fleetOf } from '../../fleet/support.ts';

const fleet = fleetOf(definition());
const all: FleetChoice = { names: [], sites: [], labels: [] };

const namesOf = (choice: Partial<FleetChoice>): readonly string[] => {
  const found = chosenClusters(fleet, { ...all, ...choice });
  return found.ok ? found.value.map(({ name }) => name) : found.failure;
};

describe('the clusters that are meant, in the order of the definition', () => {
  test('all, when nothing is said', () => {
    expect(namesOf({})).toEqual(['edge-b', 'edge-a']);
  });
  test('by name, by site and by labels together', () => {
    expect(namesOf({ names: ['edge-a', 'edge-b'] })).toEqual(['edge-b', 'edge-a']);
    expect(namesOf({ sites: ['paris'], labels: ['tier=last', 'size=small'] })).toEqual(['edge-b']);
  });
});

describe('why nobody is meant', () => {
  test('each word that is none', () => {
    expect(namesOf({ names: ['edge-c'], sites: ['pariss'], labels: ['tier=first'] })).toEqual([
      expect.stringContaining('edge-c is no cluster of the fleet'),
      'pariss is no site of the fleet; is it paris?',
      expect.stringContaining('tier=first is no label of the fleet'),
    ]);
  });
  test('words that exclude one another', () => {
    expect(namesOf({ names: ['edge-a'], labels: ['tier=last'] })).toEqual([
      'no cluster of the fleet is all of that',
    ]);
  });
});
