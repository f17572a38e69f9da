import type { NodeDifferences } from './difference.ts'

/** Geth 1.16. What is not here is as in geth: docs/protocol.md. */
export const GETH_DIFFERENCES = {
  name: 'geth',
  sections: {
    geth: [
      {
        about: 'blocks',
        here: 'of one node that seals alone, by the clock; a partial block every 200 ms',
        there: 'of a consensus client, or every N seconds with `--dev`',
      },
      {
        about: 'a receipt',
        here: 'as soon as the transaction is pre-confirmed, with `blockHash` 0x00…00',
        there: 'with the block',
      },
      {
        about: 'the block `pending`',
        here: 'the live block, with its `hash`, `nonce` and `miner`',
        there: 'these three are `null`',
      },
      {
        about: '`safe`, `finalized`',
        here: '32 and 64 blocks behind the head',
        there: 'what the consensus client says',
      },
      { about: '`eth_estimateGas` without a block', here: 'at `pending`', there: 'at `latest`' },
      {
        about: '`eth_getLogs` with `toBlock: pending`',
        here: 'also pre-confirmed logs',
        there: 'refused: `pending logs are not supported`',
      },
      {
        about: '`data` of a refused transaction',
        here: 'the numbers: `{"nextNonce":"0x5","txNonce":"0x3"}`',
        there: 'none',
      },
      {
        about: 'a failed call of a contract whose build is known',
        here: '`stackTrace` beside `data`',
        there: '`data` alone',
      },
      { about: 'blob transactions (type 3)', here: 'refused: `transaction type not supported`', there: 'taken' },
      {
        about: 'the transaction of the CREATE2 deployer, which has no chain id',
        here: 'taken',
        there: 'refused without `--rpc.allow-unprotected-txs`',
      },
      {
        about: 'base fee',
        here: 'floor 5,000,000 wei, denominator 250, elasticity 6, in `extraData`',
        there: '8 and 2, no floor',
      },
      { about: '`eth_resend`', here: 'a new price stands for both of a type 2', there: 'leaves them' },
      { about: '`muxTracer` within another', here: 'refused', there: 'taken' },
      {
        about: '`erc7562Tracer`',
        here: 'without what a step would have hashed that runs out of gas',
        there: 'with it',
      },
      {
        about: 'tracers in JavaScript',
        here: 'with `--js-tracers`, on the reference engine; errors name no line',
        there: 'always',
      },
      {
        about: 'states of old blocks',
        here: 'of the newest 256 blocks',
        there: 'of the newest 128, or of all with `--gcmode archive`',
      },
      {
        about: '`debug_dbGet`, `admin_*`',
        here: 'not there: the node has no database of keys and no peers',
        there: 'there',
      },
      { about: '`trace_*`, `ots_*`, `anvil_*`, `hardhat_*`, `evm_*`, `devnet_*`', here: 'there', there: 'not there' },
    ],
  },
} as const satisfies NodeDifferences
