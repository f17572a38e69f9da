import type { NodeDifferences } from './difference.ts'

/** The nodes of Base and other chains of the OP Stack. */
export const BASE_DIFFERENCES = {
  name: 'Base, OP',
  sections: {
    base: [
      {
        about: 'names',
        here: '`newPartialBlockTransactions`, `newPartialBlocks`, `chain_transactionStatus`; those of Base are taken, too',
        there: '`newFlashblockTransactions`, `newFlashblocks`, `base_transactionStatus`',
      },
      {
        about: '`newPartialBlocks`',
        here: 'by default what is new in each (`"diff"`); with `"block"`, which `newFlashblocks` means, the whole block',
        there: 'the whole block',
      },
      {
        about: '`latest`',
        here: 'the newest sealed block; with `--latest preconfirmed`, reads of state have the live block',
        there: 'the newest sealed block',
      },
      { about: '`safe`, `finalized`', here: '32 and 64 blocks behind the head', there: 'what the L1 has' },
      {
        about: 'the first transaction of a block',
        here: 'anyone’s',
        there: 'a deposit (type 0x7e) with the facts of the L1',
      },
      { about: 'fees', here: 'of the L2 alone', there: 'also a part for the data on the L1' },
      { about: 'chain id', here: '31337, or `--chain-id`', there: '8453; OP Mainnet 10' },
    ],
  },
} as const satisfies NodeDifferences
