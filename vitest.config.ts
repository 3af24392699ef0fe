import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes longest begins first, so that the other of two lanes is not done long before. */
const longest = ['kubernetes', 'site', 'upgrade', 'storage', 'external-load-balancer'].map(
  (name) => `/lab/${name}.test.ts`,
);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const first = longest.flatMap((name) => sorted.filter(({ moduleId }) => moduleId.endsWith(name)));
    return [...first, ...sorted.filter((file) => !first.includes(file))];
  }
}

/**
 * unit: fast, no other program. server: real sshd and Ansible on loopback. lab: real hosts. long: what is too long for
 * `npm test`, in `npm run test:all`. scripts/test.mjs says which run beside which.
 */
export default defineConfig({
  test: {
    globalSetup: 'test/setup.ts',
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            ...['generators', 'library', 'tasks', 'agent', 'lab-unit'].map(
              (room) => `test/${room}/**/*.test.ts`,
            ),
            'test/*.test.ts',
          ],
          setupFiles: 'test/unit-setup.ts',
          testTimeout: 30_000,
          // One load of the modules for all files: a third less of the processor.
          isolate: false,
          // vitest leaves a processor free; of two that is half the speed.
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'server',
          include: ['test/server/**/*.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'lab',
          include: ['test/lab/**/*.test.ts'],
          testTimeout: 1_200_000,
          hookTimeout: 1_800_000,
          // Hosts mostly wait for each other; labs stand side by side, each with a name and a network of its own.
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'long',
          include: ['test/long/**/*.test.ts'],
          testTimeout: 1_200_000,
          hookTimeout: 2_400_000,
          fileParallelism: false,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
