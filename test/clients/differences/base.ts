import type { NodeDifferences } from './difference.ts'

/** The nodes of Base, as far as they differ from others of the OP Stack. */
export const BASE_DIFFERENCES = {
  name: 'Base',
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
        about: '`newHeads`',
        here: 'sealed blocks; of each partial block at `ws://127.0.0.1:8545/?newHeads=partial`',
        there: 'sealed blocks by Base’s code, each Flashblock by its documents',
      },
      {
        about: 'the raw stream',
        here: 'with `--flashblocks /ws`: text, or Brotli at `/ws?brotli`',
        there: '`wss://mainnet.flashblocks.base.org/ws`: Brotli',
      },
      {
        about: '`latest`',
        here: 'the newest sealed block; with `--latest preconfirmed`, reads of state have the live block',
        there: 'the newest sealed block',
      },
      { about: 'chain id', here: '31337, or `--chain-id`', there: '8453' },
    ],
  },
} as const satisfies NodeDifferences
