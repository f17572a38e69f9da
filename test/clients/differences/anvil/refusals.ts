import type { Difference } from '../difference.ts'

/** What one of the two refuses, or refuses in other words. */
export const REFUSALS: readonly Difference[] = [
  {
    about: 'a transaction that the pool refuses',
    here: '−32000, and the numbers in `data`',
    there: '−32003 or −32602, and partly other words',
    as: {
      words: [
        'transaction already imported',
        'Insufficient funds for gas * price + value',
        'max initcode size exceeded',
      ],
      tests: [
        ['test/clients/as-anvil.test.ts', 'raw transactions that are refused are so in the same words'],
        ['test/clients/as-anvil.test.ts', 'sends that are refused'],
      ],
    },
    instead: {
      from: 'words of errors (`-32003`, `-32602`)',
      to: "`--as anvil` has them. Else geth's, with −32000; viem, ethers and web3.js make the same typed errors of both",
    },
  },
  {
    about: 'a transaction that waits, and whose fee cap is below the base fee of the block that is mined',
    here: 'goes on waiting, as in geth',
    there: 'is dropped, with its sender’s later ones and without a word',
    as: {
      facts: ['dropsUnpriced'],
      tests: [
        [
          'test/clients/as-anvil.test.ts',
          'a block drops what waits below its base fee, with its sender’s later transactions',
        ],
        [
          'src/node/rpc/dialects/dialects.test.ts',
          'a block drops what waits below its base fee, with its sender’s later transactions; a look and an edit do not',
        ],
      ],
    },
  },
  {
    about: 'a fee cap below the base fee',
    here: 'accepted, waits',
    there: 'refused',
    as: {
      words: ['max fee per gas less than block base fee'],
      tests: [['test/clients/as-anvil.test.ts', 'sends that are refused']],
    },
  },
  {
    about: 'gas above 2²⁴ (EIP-7825)',
    here: "refused in geth's words, which viem does not know: `InvalidInputRpcError`",
    there: "taken into the pool; above the block's limit refused, viem's `IntrinsicGasTooHighError`",
    as: {
      facts: ['capsTransactionGas'],
      words: ['intrinsic gas too high -- tx.gas_limit > env.block.gas_limit'],
      tests: [['test/clients/as-anvil.test.ts', 'sends that are refused']],
    },
  },
  {
    about: 'a replacement',
    here: 'both fees 10 % higher, as in geth',
    there: 'any higher fee',
    as: {
      facts: ['replacement'],
      tests: [
        [
          'test/clients/as-anvil.test.ts',
          'while automine is off, any higher price replaces what waits, under the address in lower case',
        ],
      ],
    },
  },
  {
    about: 'less than the intrinsic gas, in a call',
    here: "`intrinsic gas too low`, viem's `IntrinsicGasTooLowError`",
    there: "`intrinsic gas too high`, viem's `IntrinsicGasTooHighError`",
    as: {
      words: ['intrinsic gas too high -- CallGasCostMoreThanGasLimit'],
      tests: [['test/clients/as-anvil.test.ts', 'calls that could be no transaction']],
    },
  },
  {
    about: 'a transaction in the place of one that is pre-confirmed',
    here: '`nonce too low`, as nothing is taken back before the seal. While the chain is paused, it replaces one that waits',
    there: 'replaces it until its block is there',
    as: {
      facts: ['hasPartialBlocks'],
      tests: [
        [
          'test/clients/as-anvil.test.ts',
          'a block by the clock has no partial blocks: what is sent has no receipt until then, and can be replaced',
        ],
      ],
    },
  },
  {
    about: 'an empty method name',
    here: '−32600, as in geth',
    there: '−32601',
    as: { words: ['Method not found'], tests: [['test/clients/as-anvil.test.ts', 'what is not there']] },
  },
  { about: 'an unknown method without parameters, over WebSocket', here: '−32601', there: '−32602' },
  { about: 'the same transaction again, right after its receipt', here: '`already known`', there: '`nonce too low`' },
  {
    about: '`eth_sendTransaction` without `gas` of what reverts',
    here: 'refused with the reason, since its gas is estimated',
    there: 'sent, and reverts',
    as: {
      manners: ['eth_sendTransaction'],
      tests: [
        [
          'src/node/rpc/dialects/dialects.test.ts',
          'a transaction that fails or waits is answered with its hash, and mined with the one it waited for',
        ],
      ],
    },
  },
  {
    about: '`eth_newFilter` with a `fromBlock` in the past',
    here: '`eth_getFilterChanges` has what comes from now on, as in geth; `eth_getFilterLogs` has the past',
    there: 'the first `eth_getFilterChanges` has the past',
    as: {
      manners: ['eth_newFilter', 'eth_getFilterChanges'],
      tests: [
        [
          'test/clients/as-anvil.test.ts',
          'the first poll of a filter from a block of the past has the logs since then, and the next poll none',
        ],
      ],
    },
  },
  {
    about: '`eth_getLogs`, `toBlock` above the live block',
    here: 'refused, as in geth: a missing block must not look like one without logs',
    there: '`[]`; so does Hardhat',
    as: { manners: ['eth_getLogs'], tests: [['test/clients/as-anvil.test.ts', 'ranges of logs']] },
  },
  {
    about: '`eth_getLogs`, `toBlock` below the head without `fromBlock`',
    here: 'refused: the range begins at `latest`, as in geth',
    there: '`[]`',
    as: { manners: ['eth_getLogs'], tests: [['test/clients/as-anvil.test.ts', 'ranges of logs']] },
  },
  {
    about: 'an estimate with `maxPriorityFeePerGas` alone',
    here: 'refused, as in geth: the fee cap is 0',
    there: 'taken',
    as: { manners: ['eth_estimateGas'], tests: [['test/clients/as-anvil.test.ts', 'exact estimates']] },
  },
  {
    about: 'an estimate of a call with a price, for a sender who can pay nothing',
    here: '`gas required exceeds allowance (0)`, as in geth; viem shows `ExecutionRevertedError`',
    there: '`insufficient funds`, of which viem makes `InsufficientFundsError`',
    as: {
      manners: ['eth_estimateGas'],
      words: ['Out of gas: gas required exceeds allowance'],
      tests: [['test/clients/as-anvil.test.ts', 'exact estimates']],
    },
  },
  {
    about: 'keys of `txpool_content`',
    here: 'checksummed, as in geth',
    there: 'lower case',
    as: {
      manners: ['txpool_content', 'txpool_inspect'],
      tests: [
        [
          'test/clients/as-anvil.test.ts',
          'while automine is off, any higher price replaces what waits, under the address in lower case',
        ],
      ],
    },
  },
  {
    about: '`eth_fillTransaction` and `eth_sendTransaction`, fees that the node fills in',
    here: 'tip `--suggested-tip`, fee cap twice the base fee and the tip',
    there: 'its own estimate',
    as: {
      manners: ['eth_fillTransaction', 'eth_sendTransaction'],
      tests: [['test/clients/as-anvil.test.ts', 'what the node fills in']],
    },
  },
  {
    about: '`eth_getCode` and other reads without a block',
    here: 'at `latest`',
    there: 'refused: two parameters are wanted',
  },
  {
    about: '`eth_signTransaction` without gas, fees and nonce',
    here: 'refused, as in geth: `eth_fillTransaction` fills them in',
    there: 'fills them in',
    as: { manners: ['eth_signTransaction'], tests: [['test/clients/as-anvil.test.ts', 'what the node fills in']] },
  },
  {
    about: '`eth_sendTransaction` without `from`',
    here: 'refused',
    there: 'sent by the first account',
    as: {
      manners: ['eth_sendTransaction'],
      tests: [['test/clients/as-anvil.test.ts', 'a send, its transaction and its receipt']],
    },
  },
  {
    about: '`eth_sendTransaction` and `eth_signTransaction` of a creation without any data',
    here: 'refused, as in geth',
    there: 'taken',
    as: { facts: ['createsEmpty'], tests: [['test/clients/as-anvil.test.ts', 'what the node fills in']] },
  },
  {
    about:
      '`eth_call` and `eth_createAccessList` with a fee cap below the base fee, with blobs, or with other `data` than `input`',
    here: 'refused, as in geth',
    there: 'answered',
    as: {
      manners: ['eth_call', 'eth_createAccessList'],
      tests: [['test/clients/as-anvil.test.ts', 'calls that could be no transaction']],
    },
  },
  {
    about: 'typed data for another chain',
    here: 'refused; `--allow-foreign-typed-data` has it signed',
    there: 'signed',
    as: { options: ['allowForeignTypedData'] },
  },
  {
    about: 'a block beyond the head',
    here: '`header not found`, as in geth; cast tries this again for some seconds',
    there: 'an error with code −32602',
    as: {
      words: ['BlockOutOfRangeError: block height is'],
      tests: [['test/clients/as-anvil.test.ts', 'what is not there']],
    },
  },
  {
    about: '`eth_sendRawTransactionSync`, `eth_sendTransactionSync` with a time limit (EIP-7966)',
    here: 'taken',
    there: 'refused',
  },
  {
    about: '`anvil_dealERC20`, `anvil_setERC20Allowance` of a token that computes its answer',
    here: 'refused: every slot is tried with two values, so that one that makes every balance 0 is not taken for it',
    there: 'the first slot that gives the answer is set',
  },
  { about: '`erigon_getHeaderByNumber`', here: 'a header, as in Erigon', there: 'a block; `null` for `pending`' },
  {
    about: '`wallet_*` (EIP-747, 2255, 3085, 3326, 5792)',
    here: 'as a wallet that has nobody to ask; bundles of calls are one transaction each with `--atomic`',
    there: 'most are unknown',
    as: {
      lacks: ['wallet_sendCalls', 'wallet_getCapabilities', 'wallet_switchEthereumChain'],
      tests: [['test/clients/as-anvil.test.ts', 'what is not there']],
    },
  },
]
