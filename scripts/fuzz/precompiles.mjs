// Runs precompiles on random and hostile inputs, and compares each answer with that of the library in JavaScript.
//
//   npm run fuzz:precompiles -- [--count 100000] [--seed 1]
//
// The inputs depend only on the seed.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
  },
})
const FILE = 'src/node/evm/precompiles/hostile-inputs.property.test.ts'
const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'unit', FILE, '--disable-console-intercept'], {
  stdio: 'inherit',
  env: { ...process.env, PRECOMPILES_COUNT: values.count, PRECOMPILES_SEED: values.seed },
})
process.exitCode = status ?? 1
