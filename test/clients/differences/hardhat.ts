import type { NodeDifferences } from './difference.ts'

/** The nodes of Hardhat 2.28 and 3.12. */
export const HARDHAT_DIFFERENCES = {
  name: "Hardhat's node",
  sections: {
    hardhat: [
      {
        about: 'blocks',
        here: 'a partial block every 200 ms, a block every 2 s; or automine',
        there: 'one for each transaction (automine), or by interval',
        as: { facts: ['hasPartialBlocks'] },
        instead: [
          { from: '`npx hardhat node`', to: '`npx blinknet --as hardhat`' },
          {
            from: '`npx hardhat test` in the process',
            to: "the same, with `require('blinknet/hardhat').blinknet()` in the configuration ([how](testing.md#with-hardhat-and-foundry)); or `npx hardhat test --network localhost` beside the row above",
          },
        ],
      },
      {
        about: '`web3_clientVersion`',
        here: '`Blinknet/v…`',
        there: "`HardhatNetwork/…`, which Hardhat's network helpers want",
        as: {
          options: ['clientVersion'],
          tests: [['src/node/rpc/dialects/dialects.test.ts', 'are that node’s where they are not given']],
        },
        instead: {
          from: '`hardhat-network-helpers`, `loadFixture`',
          to: 'as they are: with `--as hardhat` the node has a name that they accept',
        },
      },
      {
        about: 'development accounts',
        here: '10',
        there: '20, of the same mnemonic',
        as: {
          facts: ['accounts'],
          tests: [['src/node/rpc/dialects/dialects.test.ts', 'are that node’s where they are not given']],
        },
      },
      {
        about: 'rules of the EVM',
        here: 'Osaka in every block: the floor of EIP-7623, so that a transfer with a byte of data needs 21,040 gas',
        there: 'the newest that the release knows, or `hardfork` of the network in the configuration',
        instead: {
          from: '`hardfork` of the network in the configuration',
          to: "left out: every block runs by Osaka's rules",
        },
      },
      {
        about: '`eth_accounts` after `hardhat_impersonateAccount`',
        here: 'names the account, also with `--as hardhat`: the wallets of the page and of the fixtures read it; not with `blinknet/hardhat`',
        there: 'only accounts with keys',
      },
      {
        about: 'the form of an error over HTTP',
        here: 'code 3 and the revert data as a string, as geth, anvil and Hardhat 3',
        there: 'of Hardhat 2: code −32603 and an object `{ message, txHash, data }`',
      },
      {
        about: 'base fee',
        here: '1 gwei at first, floor 5,000,000 wei, denominator 250, elasticity 6',
        there: '1 gwei at first, 8 and 2, no floor',
        as: {
          options: ['baseFee', 'minBaseFee', 'baseFeeDenominator', 'baseFeeElasticity'],
          tests: [['src/node/rpc/dialects/dialects.test.ts', 'are that node’s where they are not given']],
        },
        instead: {
          from: '`initialBaseFeePerGas`, gas prices of 1 gwei in tests',
          to: "`--base-fee`; the rules are Hardhat's",
        },
      },
      { about: 'gas limit of a block', here: '400,000,000', there: '60,000,000', as: { options: ['gasLimit'] } },
      {
        about: 'fee recipient',
        here: '`0x4200000000000000000000000000000000000011`',
        there: '`0xc014ba5ec014ba5ec014ba5ec014ba5ec014ba5e`',
        as: { options: ['coinbase'] },
      },
      {
        about: 'with automine, a send of what reverts',
        here: 'a hash',
        there: 'an error with the reason; the transaction is mined',
        as: {
          options: ['throwOnTransactionFailures'],
          tests: [
            [
              'src/node/rpc/dialects/dialects.test.ts',
              'a call that reverts with %s is told in its words, and so is a send',
            ],
          ],
        },
      },
      {
        about: '`evm_setAutomine(true)` while transactions wait',
        here: 'seals them at once, as anvil',
        there: 'they are in the block of the next transaction',
        as: {
          facts: ['minesAll'],
          tests: [
            [
              'src/node/rpc/dialects/dialects.test.ts',
              'what waited when automine begins is in the block of the next transaction',
            ],
          ],
        },
        instead: {
          from: '`evm_setAutomine(true)` after transactions were sent',
          to: 'with `--as hardhat` they are in the block of the next transaction, as in Hardhat; without it they are sealed at once, as in anvil',
        },
      },
      { about: '`evm_setIntervalMining` with `[min, max]`', here: 'refused', there: 'an interval at random' },
      {
        about: '`hardhat_mine` of more than 100,000 blocks',
        here: 'refused, also with `--as hardhat`: several calls do it; each block is executed, with real roots and the hash of its parent',
        there: 'taken at once: blocks in between are made up when they are read',
      },
      { about: 'the blocks of `hardhat_mine`', here: 'are all made', there: 'those in between are skipped' },
      {
        about: '`eth_sendTransaction` without `from`',
        here: 'refused',
        there: 'sent by the first account',
        as: {
          manners: ['eth_sendTransaction', 'eth_sendTransactionSync'],
          tests: [
            [
              'src/node/rpc/dialects/dialects.test.ts',
              'a call may send what its sender does not have, and a send names no sender',
            ],
          ],
        },
      },
      {
        about: '`eth_sendTransaction` without `gas`',
        here: 'its gas is estimated',
        there: 'as much as a transaction may have',
        as: {
          manners: ['eth_sendTransaction', 'eth_sendTransactionSync'],
          tests: [
            [
              'src/node/rpc/dialects/dialects.test.ts',
              'a call may send what its sender does not have, and a send names no sender',
            ],
          ],
        },
      },
      {
        about: 'gas above 2²⁴ (EIP-7825)',
        here: 'refused',
        there: 'taken, up to that of a block',
        as: {
          facts: ['capsTransactionGas'],
          tests: [['src/node/rpc/dialects/dialects.test.ts', 'a transaction may have more gas than EIP-7825 allows']],
        },
      },
      {
        about: '`eth_call` that sends what its sender does not have',
        here: 'refused, as in geth',
        there: 'answered',
        as: {
          manners: ['eth_call'],
          tests: [
            [
              'src/node/rpc/dialects/dialects.test.ts',
              'a call may send what its sender does not have, and a send names no sender',
            ],
          ],
        },
      },
      {
        about: 'an estimate of a transfer',
        here: '21,000; of one that the sender cannot pay an error, as on geth',
        there: '21,001, also if the sender cannot pay',
        as: {
          manners: ['eth_estimateGas'],
          tests: [
            [
              'src/node/rpc/dialects/dialects.test.ts',
              'an estimate is exact, but for a transfer, which is a unit more than it needs, whoever pays',
            ],
          ],
        },
      },
      {
        about: 'the margin of estimates',
        here: 'up to 1.5 % too high, as in geth',
        there: 'none',
        as: {
          facts: ['exactEstimates'],
          tests: [
            [
              'src/node/rpc/dialects/dialects.test.ts',
              'an estimate is exact, but for a transfer, which is a unit more than it needs, whoever pays',
            ],
          ],
        },
      },
      {
        about: '`eth_getLogs`, `toBlock` above the live block, or below `fromBlock`',
        here: 'refused, as in geth',
        there: '`[]`',
        as: {
          manners: ['eth_getLogs'],
          tests: [
            [
              'src/node/rpc/dialects/dialects.test.ts',
              'ranges of logs above the head, and those that are empty, have none; other blocks are named',
            ],
          ],
        },
      },
      {
        about: 'a revert',
        here: "geth's words: `execution reverted: no way`",
        there:
          "`VM Exception while processing transaction: reverted with reason string 'no way'`; custom errors and panics likewise. Hardhat 2 puts `Error: ` before it over HTTP, which `--as hardhat` leaves out, as Hardhat 3 does",
        as: {
          words: [
            'VM Exception while processing transaction: ',
            'reverted with reason string ',
            'reverted with an unrecognized custom error',
          ],
          tests: [
            [
              'src/node/rpc/dialects/dialects.test.ts',
              'a call that reverts with %s is told in its words, and so is a send',
            ],
          ],
        },
      },
      {
        about: 'names of custom errors, stack traces of Solidity',
        here: 'with `--artifacts`, or `hardhat_addCompilationResult`; an enum is told by its name, where Hardhat has its number',
        there: 'known in the process that compiled, and in `hardhat node` of the same project',
        instead: { from: 'stack traces of Solidity', to: '`--artifacts artifacts/`' },
      },
      {
        about: 'a transaction that is refused',
        here: "geth's words, with the numbers in `data`",
        there: 'its own, with the numbers in decimal',
        as: {
          words: ["Sender doesn't have enough funds to send tx. ", 'Transaction requires at least '],
          tests: [
            ['src/node/rpc/dialects/dialects.test.ts', 'a send that lacks %s is refused in its words'],
            [
              'src/node/rpc/dialects/dialects.test.ts',
              'a call that could not begin with its gas says how much it needs',
            ],
          ],
        },
      },
      {
        about: 'with automine, a fee cap below the base fee',
        here: 'accepted, waits',
        there: 'refused',
        as: {
          words: ['is too low for the next block, which has a baseFeePerGas of '],
          tests: [['src/node/rpc/dialects/dialects.test.ts', 'a send that lacks %s is refused in its words']],
        },
      },
      {
        about: '`gasPrice` beside `maxFeePerGas` or `maxPriorityFeePerGas`',
        here: "refused in geth's words",
        there: '`Cannot send both gasPrice and …`',
        as: {
          words: ['Cannot send both gasPrice and '],
          tests: [['src/node/rpc/dialects/dialects.test.ts', 'a gas price does not go with %s']],
        },
      },
      {
        about: 'a time before the newest block',
        here: '`Timestamp error: …`, as anvil',
        there: "`Timestamp … is lower than the previous block's timestamp …`",
        as: {
          words: ["is lower than the previous block's timestamp "],
          tests: [
            [
              'src/node/rpc/dialects/dialects.test.ts',
              'a time before the newest block, or the same, is refused in its words',
            ],
          ],
        },
      },
      {
        about: 'a block beyond the head',
        here: '`header not found`, as in geth',
        there: '`Received invalid block tag …`',
        as: {
          words: ['Received invalid block tag '],
          tests: [
            [
              'src/node/rpc/dialects/dialects.test.ts',
              'ranges of logs above the head, and those that are empty, have none; other blocks are named',
            ],
          ],
        },
      },
      {
        about: 'an unknown method',
        here: '−32601',
        there: '−32004',
        as: {
          words: ['is not supported'],
          tests: [['src/node/rpc/dialects/dialects.test.ts', 'a method that does not exist has the code of EIP-1474']],
        },
      },
      {
        about: 'typed data for another chain',
        here: 'refused; `--allow-foreign-typed-data` has it signed',
        there: 'signed',
        as: { options: ['allowForeignTypedData'] },
      },
      {
        about: '`wallet_*`',
        here: 'as a wallet that has nobody to ask',
        there: 'unknown',
        as: { lacks: ['wallet_sendCalls', 'wallet_getCapabilities'] },
      },
      {
        about: 'the CREATE2 deployer',
        here: 'there from the start',
        there: 'suites deploy it themselves',
        instead: {
          from: 'a suite that deploys the CREATE2 factory itself',
          to: '`--disable-default-create2-deployer`',
        },
      },
      {
        about: 'contracts of more than 24,576 bytes',
        here: 'refused',
        there: 'refused, unless the network says `allowUnlimitedContractSize`',
        instead: { from: '`allowUnlimitedContractSize: true`', to: '`--disable-code-size-limit`' },
      },
    ],
  },
  moves: [
    {
      from: '`blockGasLimit` of the network in the configuration, which tests then give each transaction (Safe: 100,000,000)',
      to: '`--gas-limit` with the same number',
    },
    {
      from: 'Ignition, which waits for five confirmations',
      to: '`requiredConfirmations: 1`, or `--automine`: by the clock five blocks take ten seconds for each batch',
    },
  ],
} as const satisfies NodeDifferences
