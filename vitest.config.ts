import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/**
 * unit: fast, no other program. server: real sshd and Ansible on loopback. lab: real hosts. long: what is too long for
 * `npm test`, in `npm run test:all`. scripts/test.mjs says which run beside which.
 */
export default defineConfig({
  test: {
    globalSetup: 'test/setup.ts',
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
          // A machine under load takes ten times as long.
          testTimeout: 120_000,
          hookTimeout: 120_000,
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
          // One lab at a time, beside a server: two at once slow each other down.
          fileParallelism: false,
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
