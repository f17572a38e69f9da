import type { NodeDifferences } from '../difference.ts'
import { ESTIMATES, REVERTS } from './calls.ts'
import { CHAIN } from './chain.ts'
import { COMMAND_LINE, REFUSED_FLAGS } from './command-line.ts'
import { REFUSALS } from './refusals.ts'
import { TRACES } from './traces.ts'

/** Anvil 1.7.1. */
export const ANVIL_DIFFERENCES = {
  name: 'anvil',
  // In the order in which docs/moving.md has what to write instead.
  sections: {
    'anvil-command-line': COMMAND_LINE,
    'anvil-chain': CHAIN,
    'anvil-traces': TRACES,
    'anvil-refusals': REFUSALS,
    'anvil-reverts': REVERTS,
    'anvil-estimates': ESTIMATES,
  },
  moves: [
    {
      from: 'reads at `latest` after a receipt (`cast`, `forge create`, web3.js, scripts)',
      to: '`http://127.0.0.1:8545/?latest=preconfirmed`, or `--latest preconfirmed`, or `--automine`',
    },
    {
      from: '`anvil_impersonateSignature`',
      to: '`--impersonated-signatures`, then `personal_sign` and typed data for an account that is impersonated: `ecrecover` returns that account',
    },
    ...REFUSED_FLAGS.flatMap(({ instead }) => instead ?? []),
  ],
} as const satisfies NodeDifferences
