// tsc copies only TypeScript: the programs in other languages that the benchmark uses travel beside it.
import { cp } from 'node:fs/promises';

await cp('test/support', 'dist-bench/test/support', {
  recursive: true,
  filter: (name) => !name.endsWith('.ts'),
});
