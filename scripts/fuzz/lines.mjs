// Explains failed calls of generated contracts that look alike, compiled in all pipelines and read in all forms of a build,
// and compares each line and name with those of plain code. Prints what is wrong, and the share of lines that are told.
//
//   npm run fuzz:lines -- [--calls 2000] [--seed 1]
//
// A contract depends only on its seed: `--seed N --calls 1` repeats one.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
  },
})
const FILE = 'src/solidity/stack/look-alikes.property.test.ts'
const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'unit', FILE, '--disable-console-intercept'], {
  stdio: 'inherit',
  env: { ...process.env, LINES_CALLS: values.calls, LINES_SEED: values.seed },
})
process.exitCode = status ?? 1
