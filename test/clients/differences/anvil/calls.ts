import type { Difference } from '../difference.ts'

/** What a call says that fails. Both answer code 3 with the revert data in `data`. */
export const REVERTS: readonly Difference[] = [
  {
    about: 'a custom error',
    here: '`execution reverted` alone, as in geth',
    there: 'spelled out: `execution reverted: custom error 0x…`',
    as: { words: ['custom error '], tests: [['test/clients/as-anvil.test.ts', 'reverts in calls and estimates']] },
  },
  {
    about: '`Panic(uint256)`',
    here: "geth's words: `assert(false)`",
    there: '`panic: assertion failed (0x01)`',
    as: {
      words: ['panic: ', 'assertion failed'],
      tests: [['test/clients/as-anvil.test.ts', 'reverts in calls and estimates']],
    },
  },
  {
    about: 'an exception',
    here: "geth's words: `invalid opcode: INVALID`",
    there: '`EVM error InvalidFEOpcode`',
    as: {
      words: ['EVM error ', 'InvalidFEOpcode'],
      tests: [['test/clients/as-anvil.test.ts', 'exceptions in calls and estimates']],
    },
  },
]

/** `eth_estimateGas`. */
export const ESTIMATES: readonly Difference[] = [
  {
    about: 'a transfer that the sender cannot pay',
    here: 'an error, as on geth (`insufficient funds …`)',
    there: '21,000',
    as: { manners: ['eth_estimateGas'], tests: [['test/clients/as-anvil.test.ts', 'exact estimates']] },
  },
  {
    about: 'margin',
    here: 'up to 1.5 % too high, as in geth: 44,587 for a call that needs 44,209',
    there: 'none',
    as: { facts: ['exactEstimates'], tests: [['test/clients/as-anvil.test.ts', 'exact estimates']] },
  },
]
