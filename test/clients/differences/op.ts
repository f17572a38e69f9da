import type { NodeDifferences } from './difference.ts'

const FEES = 'src/node/op/l1-fees.test.ts'
const CLIENT = 'test/clients/op.test.ts'

/** The chains of the OP Stack. Rows that `--op` makes equal name it. */
export const OP_DIFFERENCES = {
  name: 'OP Stack',
  sections: {
    op: [
      {
        about: 'fees',
        here: 'of the L2 alone. With `--op` also for the data on L1 (Fjord) and for the operator (Isthmus), by what L1Block says',
        there: 'the same two besides',
        as: {
          options: ['op'],
          tests: [[FEES, 'what L1Block says is what is paid from then on; earlier receipts stay']],
        },
      },
      {
        about: 'the base fee',
        here: 'burned. With `--op` BaseFeeVault has it',
        there: 'BaseFeeVault has it',
        as: { options: ['op'], tests: [[FEES, 'a receipt tells what the sender paid, engine %s']] },
      },
      {
        about: 'receipts',
        here: 'as Ethereum’s. With `--op` also `l1Fee`, `l1GasUsed`, `l1GasPrice`, `l1BlobBaseFee`, both scalars, and the operator’s fee where there is one',
        there: 'the same; since Jovian also `daFootprintGasScalar`',
        as: { options: ['op'], tests: [[FEES, 'a receipt tells what the sender paid, engine %s']] },
      },
      {
        about: 'what a sender has to have',
        here: 'gas and value. With `--op` also the fee for L1',
        there: 'the same',
        as: { options: ['op'], tests: [[FEES, 'who has enough for gas and value, but not for L1, is refused']] },
      },
      {
        about: 'L1Block, GasPriceOracle, L2ToL1MessagePasser',
        here: 'none. With `--op` at their addresses, with the functions of Isthmus and a storage laid out alike; `version()` is `blinknet`',
        there: 'proxies',
        as: {
          options: ['op'],
          tests: [
            [CLIENT, 'viem estimates what a transfer then costs, for L1, the operator and in all'],
            [CLIENT, 'a withdrawal that is built for L1 is initiated on this chain, and found in its receipt'],
          ],
        },
      },
      {
        about: 'other predeploys (WETH at 0x4200…0006, bridges, messengers, vaults)',
        here: 'accounts without code: deploy them, set their code in `--genesis`, or fork a chain that has them',
        there: 'there',
      },
      {
        about: 'the first transaction of a block',
        here: 'anyone’s: the node itself writes what L1Block knows',
        there: 'a deposit (type 0x7e) with the facts of the L1',
      },
      { about: 'deposits from L1', here: 'refused: `transaction type not supported`', there: 'from the portal on L1' },
      {
        about: 'the L1',
        here: 'none. With `--op` L1Block tells of a block each 12 seconds of this chain’s time, with fees that stay until somebody sets them; on a fork it stays as it was',
        there: 'Ethereum',
      },
      {
        about: 'withdrawals',
        here: 'initiated with `--op`; there is nothing to prove them on',
        there: 'proven and finalized on L1',
      },
      {
        about: '`withdrawalsRoot` of headers',
        here: 'of no withdrawals',
        there: 'the storage root of L2ToL1MessagePasser, since Isthmus',
      },
      {
        about: 'Jovian',
        here: '`isJovian()` is false: an operator’s fee by Isthmus, no limit by the size of data. `extraData` has the base fee’s floor all the same',
        there: 'since December 2025',
      },
      { about: '`safe`, `finalized`', here: '32 and 64 blocks behind the head', there: 'what the L1 has' },
      { about: '`optimism_*`, `engine_*`', here: 'not there', there: 'there' },
      { about: 'chain id', here: '31337, or `--chain-id`', there: 'OP Mainnet 10' },
    ],
  },
} as const satisfies NodeDifferences
