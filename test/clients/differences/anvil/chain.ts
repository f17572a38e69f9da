import type { Difference } from '../difference.ts'

/** Blocks, time, state, forks, and the methods that change them. */
export const CHAIN: readonly Difference[] = [
  {
    about: 'blocks',
    here: 'a partial block every 200 ms, a block every 2 s; or automine (`--automine`, `evm_setAutomine`); `evm_setAutomine(false)` pauses',
    there: 'one for each transaction (automine), or by interval',
    as: {
      facts: ['hasPartialBlocks'],
      tests: [
        [
          'test/clients/as-anvil.test.ts',
          'a block by the clock has no partial blocks: what is sent has no receipt until then, and can be replaced',
        ],
        ['test/clients/as-anvil.test.ts', 'the first block by the clock after a send has it'],
      ],
    },
    instead: {
      from: '`anvil --block-time 2`',
      to: '`--as anvil --block-time 2`; without `--as`, receipts come within 200 ms, before the block is sealed',
    },
  },
  {
    about: 'a send with automine',
    here: 'an error, if the transaction waits behind a gap for more than a second, or has ended in an exception, which takes all of its gas: then it is mined and `data` is `0x`, as in Hardhat; with `--throw-on-transaction-failures` also if it reverts',
    there: 'a hash',
    as: {
      facts: ['failedSend'],
      manners: ['eth_sendTransaction', 'eth_sendTransactionSync'],
      tests: [
        [
          'src/node/rpc/dialects/dialects.test.ts',
          'a transaction that fails or waits is answered with its hash, and mined with the one it waited for',
        ],
      ],
    },
  },
  {
    about: 'timestamps with automine, and with blocks more often than once a second',
    here: "the second of the send or of the seal, at least one after the parent's, as in Hardhat; with `--allow-same-timestamp` blocks share a second",
    there: 'blocks share a second',
    as: { options: ['allowSameTimestamp'] },
  },
  {
    about: '`anvil_setBlockTimestampInterval 0`',
    here: "each block has its parent's timestamp; blocks may share a second from then on, also when the interval is removed",
    there: "each block has its parent's timestamp",
  },
  {
    about: '`evm_setIntervalMining`',
    here: "seconds below 100, milliseconds from there on (Hardhat's unit); counted from the start of the live block; Hardhat's `[min, max]` is refused",
    there: 'seconds, counted from the call',
  },
  {
    about:
      'a moment in milliseconds (`evm_setTime`, `evm_setNextBlockTimestamp`, `evm_mine`, `time` in block overrides, `--timestamp`)',
    here: 'understood above 2^40',
    there: 'seconds',
  },
  { about: 'a block named by a JSON number', here: 'taken, as in Hardhat', there: 'refused where EIP-1898 holds' },
  {
    about: 'base fee',
    here: '1 gwei at first, floor 5,000,000 wei, denominator 250, elasticity 6: that of an idle chain stays near 1 gwei for hundreds of blocks',
    there: '1 gwei at first, 8 and 2',
    as: {
      options: ['baseFee', 'minBaseFee', 'baseFeeDenominator', 'baseFeeElasticity'],
      facts: ['keepsFirstBaseFee'],
      manners: ['devnet_reset', 'anvil_reset', 'hardhat_reset'],
      tests: [
        [
          'src/node/rpc/dialects/dialects.test.ts',
          'leave block 1 of anvil the base fee of block 0, also one that is given, and a higher floor',
        ],
        ['src/node/rpc/dialects/dialects.test.ts', 'stand after a reset as at the start'],
      ],
    },
    instead: {
      from: 'base fees of exactly 1 gwei, or rules of the main net',
      to: '`--as anvil` has them; else the base fee of an idle chain falls slowly from 1 gwei to 0.005',
    },
  },
  {
    about: 'the zero address',
    here: 'cold, unless it is the fee recipient (`--coinbase`)',
    there: 'the fee recipient, so warm: gas of what touches it differs',
    as: { options: ['coinbase'], tests: [['test/clients/as-anvil.test.ts', 'its name and its prices']] },
  },
  { about: 'gas limit of a block', here: '400,000,000', there: '30,000,000', as: { options: ['gasLimit'] } },
  {
    about: '`web3_clientVersion`',
    here: '`Blinknet/v…`',
    there: '`anvil/v…`',
    as: { options: ['clientVersion'], tests: [['test/clients/as-anvil.test.ts', 'its name and its prices']] },
  },
  { about: '`extraData`', here: 'the 17 bytes of the base-fee parameters', there: 'empty' },
  { about: '`mixHash`, `parentBeaconBlockRoot`', here: 'from the seed and the number', there: 'random; zero' },
  {
    about: '`stateRoot`',
    here: 'of all state, system contracts (EIP-2935, EIP-4788) included',
    there: 'of its own set of contracts',
  },
  {
    about: '`totalDifficulty`',
    here: 'not there, as in execution-apis',
    there: '`0x0`',
    as: {
      manners: ['eth_getBlockByNumber', 'eth_getBlockByHash'],
      tests: [['test/clients/as-anvil.test.ts', 'its name and its prices']],
    },
  },
  {
    about: 'receipts',
    here: 'as in execution-apis',
    there: 'also `blobGasPrice`, and `blockTimestamp` as a number',
    as: {
      manners: [
        'eth_getTransactionReceipt',
        'eth_getBlockReceipts',
        'eth_sendRawTransactionSync',
        'eth_sendTransactionSync',
      ],
      tests: [['test/clients/as-anvil.test.ts', 'a send, its transaction and its receipt']],
    },
  },
  { about: 'CREATE2 deployer', here: 'nonce 1, as where it was deployed', there: 'nonce 0' },
  {
    about: 'an edit of the state (`anvil_setBalance` …)',
    here: 'seals a block, so that every header has the root of its state',
    there: 'changes the state beneath the head',
  },
  {
    about: '`anvil_reorg`',
    here: 'what waits in the pool goes into the first of the new blocks',
    there: 'the new blocks have only what is given',
  },
  {
    about: '`anvil_reorg` with a transaction that the pool refuses',
    here: 'the new blocks are made without it, and the answer is the refusal',
    there: 'the same, but the answer is `null`',
  },
  {
    about: 'a fork',
    here: "the development accounts that have less get their balance in the block after the fork's, sealed at once",
    there: "beneath the fork's block, which stays the head",
  },
  {
    about: 'development accounts that are delegated there (EIP-7702)',
    here: 'are not on the fork, as in Hardhat 3',
    there: 'stay delegated',
  },
  {
    about: 'the time of a fork',
    here: "goes on from that of the fork's block; `--timestamp` begins it later, `--fork-time now` at the present",
    there: 'the same, whatever `--timestamp` says',
  },
  {
    about: "what the forked chain did after the fork's block, by its hash",
    here: 'does not exist',
    there: 'blocks, transactions and traces are answered',
  },
  {
    about: '`anvil_reset` without `forking`, on a fork',
    here: 'a chain with the options of the start',
    there: 'the same, with the chain id of the fork',
  },
  {
    about: '`anvil_nodeInfo`, `forkUrl`',
    here: "the endpoint's host: the address may hold a key",
    there: 'the address',
  },
  {
    about: 'the storage root of `eth_getProof`',
    here: 'of the slots that are not 0',
    there: 'after a slot was cleared, of the slot that is 0 as well',
  },
  { about: 'a short slot key in `eth_getProof` (`0x1`)', here: 'taken', there: 'refused: odd number of digits' },
  {
    about: "`evm_setTime`, `anvil_setTime` to a moment before the chain's time",
    here: 'refused, `--timestamp` begins in the past',
    there: "taken; the blocks' timestamps go backwards",
  },
  {
    about: '`evm_setAutomine(true)` while transactions wait',
    here: 'seals them at once',
    there: 'the same; Hardhat seals them with the next transaction',
  },
  {
    about: 'the order of members',
    here: 'another: a block begins with `number`, a transaction with `blockHash`',
    there: '`hash`, `type`',
    as: {
      manners: [
        'eth_getBlockByNumber',
        'eth_getBlockByHash',
        'eth_getTransactionByHash',
        'eth_getTransactionByBlockHashAndIndex',
        'eth_getTransactionByBlockNumberAndIndex',
      ],
      tests: [['src/node/rpc/dialects/dialects.test.ts', 'blocks and transactions have their members in its order']],
    },
  },
  {
    about: '`eth_getRawTransactionByHash` of an unknown transaction',
    here: "`0x`, as in geth; viem's `getRawTransaction` answers it",
    there: '`null`, of which viem makes `TransactionNotFoundError`',
    as: { manners: ['eth_getRawTransactionByHash'], tests: [['test/clients/as-anvil.test.ts', 'what is not there']] },
  },
  {
    about: '`evm_increaseTime`, `anvil_increaseTime`',
    here: 'the total of all seconds travelled, in hex',
    there: 'a number, of another meaning after `evm_setNextBlockTimestamp`',
  },
  {
    about: '`anvil_mine` and `hardhat_mine` of more than 100,000 blocks',
    here: 'refused: several calls do it',
    there: 'taken, as in Hardhat',
  },
  {
    about: '`anvil_mine` and `hardhat_mine` of several blocks with an interval',
    here: 'it lies between those blocks, as in Hardhat',
    there: 'also before the first',
  },
  { about: '`hardhat_*`', here: 'answer `true`, as in Hardhat', there: 'answer `null`' },
  {
    about: '`evm_setAutomine`, `evm_setIntervalMining`',
    here: 'answer `true`, as in Hardhat',
    there: 'answer `null`',
    as: {
      manners: ['evm_setAutomine', 'evm_setIntervalMining'],
      tests: [
        [
          'test/clients/as-anvil.test.ts',
          'while automine is off, any higher price replaces what waits, under the address in lower case',
        ],
      ],
    },
  },
  { about: 'blob transactions (type 3)', here: 'refused: `transaction type not supported`', there: 'taken' },
  {
    about: '`anvil_dumpState`, `anvil_loadState`',
    here: "the JSON in hex; a dump of anvil's, which is packed, is refused: unpack it, or start with `--load-state`",
    there: 'JSON packed with gzip, of its own form',
  },
  {
    about: '`anvil_dumpState` of a fork',
    here: 'refused: a dump would lack what was not fetched. `--state` and `--dump-state` keep the chain with its fork',
    there: 'what was fetched',
  },
  {
    about: '`anvil_setChainId`',
    here: 'refused: a chain keeps the id of `--chain-id`, with which its blocks are executed again to be traced and to be opened; several chains: `--chains`',
    there: 'changes it; blocks and transactions from before stay as they were signed',
    instead: {
      from: '`anvil_setChainId`',
      to: 'refused: `--chain-id N`, or `--chains 1,10` for several chains in one process',
    },
  },
  {
    about: '`eth_protocolVersion`, `debug_dbGet`',
    here: 'not there: the node speaks no protocol to others, and has no database of keys',
    there: '`1`; a value',
  },
  {
    about: '`anvil_getGenesisTime` of a fork',
    here: "the timestamp of the fork's block, the first that is here",
    there: 'the moment of its start',
  },
  {
    about: '`eth_getAccount`, `eth_getAccountInfo`, `evm_mine_detailed`, without their last parameter',
    here: 'at `latest`; one block',
    there: 'the first two refused',
  },
  {
    about: '`evm_mine_detailed`, `anvil_mine_detailed`',
    here: '`revertReason` has the reason of `Error(string)` or `Panic(uint256)`; of several blocks each is a second later; at most 256, and `{ blocks }` alone is taken',
    there:
      'also what other data may spell as text; blocks of one call share a timestamp; `{ blocks }` needs a `timestamp`',
  },
  {
    about:
      '`eth_resend`, `anvil_setNextBlockPrevRandao`, `debug_traceBlock`, `debug_executionWitness`, `trace_transactionOpcodeGas`, `trace_blockOpcodeGas`, `eth_pendingTransactions`',
    here: 'there',
    there: 'in newer versions',
  },
  {
    about: '`eth_resend`',
    here: 'as in geth the transaction in the pool has to be the one that is described, as far as it is; a new price stands for both of a type 2, where geth leaves them',
    there: 'in newer versions: whatever has the nonce is replaced',
  },
  {
    about: '`debug_executionWitness`',
    here: 'what the block needs, found by executing it on that alone, as in reth. Refused on a fork, and of blocks in which the state was edited or an impersonated account has sent: nobody can execute those by their RLP',
    there: 'in newer versions: the whole state',
  },
  {
    about: 'gas of opcodes (`trace_*OpcodeGas`)',
    here: 'as in reth; what an exception takes belongs to no opcode; the dearest first',
    there: 'in newer versions: as in reth, in any order',
  },
]
