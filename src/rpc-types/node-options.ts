/** All options of a chain with what is to know of them, which stands in one place: hence its length. */

import type { Address, Hash } from '#primitives/hex.ts'
import { number, type OptionFactsOf, onOrOff, wordOf } from './option.ts'

/** A node whose ways a chain can take on. */
export type DialectName = 'anvil' | 'hardhat'

/** `manual`: only `devnet_tick` advances the chain. */
export type ClockMode = 'auto' | 'manual'

/**
 * What the node says of bundles of calls, and does with them (EIP-5792). `supported`: each is one transaction, and an account
 * is delegated with its first one (EIP-7702); `ready`: an account is delegated with the first bundle that asks for it;
 * `unsupported`: one transaction for each call.
 */
export type AtomicStatus = 'unsupported' | 'ready' | 'supported'

/** Where the time of a fork begins; a number is in seconds since the Unix epoch. */
export type ForkTime = 'block' | 'now' | number

/** Options for a new chain, from the page's address, the server's command line or a test. JSON, each with a default. */
export interface NodeOptions {
  /**
   * Takes on what programs count on that were written for another node: its defaults, and the ways in which it answers and
   * refuses. Options that are given win. Default `blinknet`.
   */
  readonly as?: 'blinknet' | DialectName
  /**
   * The answer of `web3_clientVersion`, 1 to 100 characters of ASCII; default `Blinknet/v…`. Some tools only help nodes
   * whose name they know.
   */
  readonly clientVersion?: string
  /**
   * A chain of the OP stack: transactions pay for an L1, receipts have its fields, and block 0 has L1Block, GasPriceOracle and
   * L2ToL1MessagePasser; default false. On a fork these are the other chain's.
   */
  readonly op?: boolean
  /** Default 31337. */
  readonly chainId?: number
  /** Default 1. */
  readonly seed?: number
  /** Default `auto`. */
  readonly mode?: ClockMode
  /** Milliseconds from tick to tick; default 200. */
  readonly partialMs?: number
  /** Default 10. */
  readonly partialsPerBlock?: number
  /** The engine that executes transactions and calls; default `wasm`. The results are the same. */
  readonly engine?: EngineName
  /** Chain time over real time; default 1. */
  readonly speed?: number
  /** Gas of a block; default 400,000,000. */
  readonly gasLimit?: number
  /** Wei per gas of block 0, not below `minBaseFee`; default 1,000,000,000, or `minBaseFee` where that is more. */
  readonly baseFee?: number
  /** Wei per gas, floor of the base fee; default 5,000,000, or `baseFee` where that is less. */
  readonly minBaseFee?: number
  /** Wei per gas, the tip in `eth_gasPrice`, `eth_maxPriorityFeePerGas` and what the node fills in; default 1,000,000,000. */
  readonly suggestedTip?: number
  /** A full or an empty block moves the base fee by about one part in this many; default 250. */
  readonly baseFeeDenominator?: number
  /** Gas limit over gas target; default 6. */
  readonly baseFeeElasticity?: number
  /**
   * Timestamp of block 0, in seconds since the Unix epoch; default the present second, or 1735689600 on a manual clock.
   * The chain's time continues from there on a manual clock, or where it lies in the future.
   */
  readonly genesisTimestamp?: number
  /**
   * Where the time of a fork begins. `block`: at the time of the fork's block; `now`: at the present, which it then follows;
   * or at that many seconds since the Unix epoch. Default `block`.
   */
  readonly forkTime?: ForkTime
  /** The account that gets the tips; default 0x4200000000000000000000000000000000000011. */
  readonly coinbase?: Address
  /** Milliseconds of execution after which a tick leaves the rest to the next one; default 120. */
  readonly tickBudgetMs?: number
  /** Blocks from the head back to `safe`; default 32, or `finalizedDistance` where that is less. */
  readonly safeDistance?: number
  /** Blocks from the head back to `finalized`, not below `safeDistance`; default 64, or `safeDistance` where that is more. */
  readonly finalizedDistance?: number
  /** Largest contract code in bytes; initcode may have twice as many. Default 24,576 (EIP-170). */
  readonly codeSizeLimit?: number
  /** Blocks may have the timestamp of the block before; default false: each is at least a second later. */
  readonly allowSameTimestamp?: boolean
  /** Accept legacy transactions without a chain id; default false. */
  readonly allowUnprotected?: boolean
  /** Sign typed data (EIP-712) whose domain names another chain id; default false. */
  readonly allowForeignTypedData?: boolean
  /**
   * Sign messages and typed data for impersonated accounts, so that contracts on this chain (`ecrecover`) accept it; default
   * false. Nobody else does.
   */
  readonly impersonatedSignatures?: boolean
  /** In automine, answer the send of a transaction that fails with an error, as Hardhat does; default false. */
  readonly throwOnTransactionFailures?: boolean
  /** What wallets say of bundles of calls (EIP-5792, the capability `atomic`); default `unsupported`. */
  readonly atomic?: AtomicStatus
  /** The development accounts; default the ten of `DEV_KEYS`, with 10,000 ETH each. */
  readonly accounts?: readonly AccountOption[]
  /** Accounts of block 0 by their address, merged over the development accounts and the preinstalled contracts. */
  readonly genesis?: Readonly<Record<string, GenesisAccountOption>>
  /**
   * What accounts have from the start besides, in wei by their address: a number, or a string in decimal or 0x hex. Of a chain
   * that begins with block 0 it goes before what the other options say; on a fork each account has it in the first block, and
   * keeps its code, nonce and storage. The node does not sign for them.
   */
  readonly fundAccounts?: Readonly<Record<string, string | number>>
}

/** Blinknet's own in WebAssembly, or @ethereumjs/evm. */
export type EngineName = 'wasm' | 'reference'

/** A development account. */
export interface AccountOption {
  readonly address: Address
  /** With it the node signs for the account; without it the account is only funded. */
  readonly privateKey?: Hash
  /** Wei, in decimal or as 0x hex. */
  readonly balance: string
}

/**
 * An account of block 0 as in geth's genesis files, whose `balance` may be left out here. What is left out keeps its
 * default: that of the development account or of the preinstalled contract, or nothing.
 */
export interface GenesisAccountOption {
  /** Wei: a number, or a string in decimal or 0x hex. */
  readonly balance?: string | number
  /** A number, or a string in decimal or 0x hex. */
  readonly nonce?: string | number
  /** 0x hex. */
  readonly code?: string
  /** Slot → word, each up to 32 bytes of hex. */
  readonly storage?: Readonly<Record<string, string>>
}

/**
 * All that is to know of each option besides its meaning. Tables that are worked out at build (`*.derived.ts`) have from here
 * what the command line, the page's address, the node and the check of a remote chain need. Does not compile while an
 * option is missing.
 */
export const OPTIONS = {
  as: {
    kind: wordOf(['blinknet', 'anvil', 'hardhat']),
    flag: {
      name: 'as',
      group: 'Chain',
      takes: 'NODE',
      help: 'what suites written for anvil or hardhat count on',
      details:
        'Its defaults (automine, accounts, base fee and its rules, fee recipient, gas limit, name) and its ways of answering and refusing: [moving](moving.md). Other flags win',
    },
    eachStart: true,
  },
  op: {
    kind: onOrOff,
    flag: {
      name: 'op',
      group: 'Chain',
      help: 'as a chain of the OP stack: L1 fees, their fields in receipts, predeploys',
      details: 'The fees of Fjord and Isthmus, of an L1 that is not there: [what that means](#an-op-chain---op)',
    },
    parameter: 'op',
    inBlocks: true,
  },
  chainId: {
    kind: number({ min: 1, max: 2 ** 32 - 1, default: 31337 }),
    flag: { name: 'chain-id', group: 'Chain', help: 'chain id (default {default}, or that of the forked chain)' },
    parameter: 'chainId',
    inBlocks: true,
  },
  seed: {
    kind: number({ min: 0, max: 2 ** 32 - 1, default: 1 }),
    flag: { name: 'seed', group: 'Chain', help: "source of the chain's fixed random fields" },
    parameter: 'seed',
    inBlocks: true,
  },
  gasLimit: {
    kind: number({ min: 5_000, max: 2 ** 40, default: 400_000_000 }),
    flag: { name: 'gas-limit', group: 'Chain', help: 'gas of a block' },
    parameter: 'gasLimit',
    inBlocks: true,
  },
  coinbase: {
    kind: { is: 'address', default: '0x4200000000000000000000000000000000000011' },
    flag: { name: 'coinbase', group: 'Chain', takes: 'ADDRESS', help: 'who gets the tips' },
    inBlocks: true,
  },
  engine: {
    kind: wordOf(['wasm', 'reference']),
    flag: {
      name: 'engine',
      group: 'Chain',
      takes: 'NAME',
      help: 'what executes code: wasm or reference (@ethereumjs/evm)',
      inFilm: true,
      details: 'Both have the same results',
    },
    parameter: 'engine',
    eachStart: true,
  },
  safeDistance: {
    kind: number({ min: 0, max: 1_000_000, default: 32 }),
    flag: { name: 'safe', group: 'Chain', help: 'blocks from the head back to "safe"' },
  },
  finalizedDistance: {
    kind: number({ min: 0, max: 1_000_000, default: 64 }),
    flag: { name: 'finalized', group: 'Chain', help: 'blocks from the head back to "finalized"' },
  },
  clientVersion: {
    kind: { is: 'name' },
    flag: {
      name: 'client-version',
      group: 'Chain',
      takes: 'TEXT',
      help: 'what web3_clientVersion answers (default Blinknet/v…)',
      details: "Hardhat's network helpers require one that starts with `anvil`",
    },
    eachStart: true,
  },
  allowForeignTypedData: {
    kind: onOrOff,
    flag: {
      name: 'allow-foreign-typed-data',
      group: 'Chain',
      help: 'sign typed data of other chain ids, such as a permit for mainnet',
    },
    eachStart: true,
  },
  impersonatedSignatures: {
    kind: onOrOff,
    flag: {
      name: 'impersonated-signatures',
      group: 'Chain',
      help: 'sign for impersonated accounts what this chain’s contracts accept',
      details:
        'Anyone can compute such a signature, for any account: [how](protocol.md#9-devnet_-and-the-dev-node-conventions)',
    },
    parameter: 'impersonatedSignatures',
    inBlocks: true,
  },
  codeSizeLimit: {
    kind: number({ min: 1, max: 2 ** 24, default: 24_576 }),
    flag: {
      name: 'code-size-limit',
      group: 'Chain',
      help: 'bytes of a contract’s code (default {default}, EIP-170)',
      details: 'Initcode may have twice as many, a transaction 131,072 in all',
    },
    parameter: 'codeSizeLimit',
    inBlocks: true,
  },
  allowUnprotected: {
    kind: onOrOff,
    flag: { name: 'allow-unprotected', group: 'Chain', help: 'accept legacy transactions without a chain id' },
  },
  partialMs: {
    kind: number({ min: 10, max: 60_000, default: 200 }),
    flag: {
      name: 'partial-ms',
      group: 'Time',
      help: 'milliseconds from one partial block to the next',
      details: 'A block is sealed every `partial-ms` · `partials`',
    },
    parameter: 'partialMs',
    inBlocks: true,
  },
  partialsPerBlock: {
    kind: number({ min: 1, max: 100, default: 10 }),
    flag: {
      name: 'partials',
      group: 'Time',
      help: 'partial blocks to a block; block-time = partial-ms × partials',
    },
    parameter: 'partials',
    inBlocks: true,
  },
  throwOnTransactionFailures: {
    kind: onOrOff,
    flag: {
      name: 'throw-on-transaction-failures',
      group: 'Time',
      help: 'with automine, a send of what fails is an error, as in Hardhat',
      details:
        'It is mined all the same, and the error has its revert data. Without this the answer is a hash, as in anvil',
    },
    eachStart: true,
  },
  mode: {
    kind: wordOf(['auto', 'manual']),
    flag: {
      name: 'clock',
      group: 'Time',
      takes: 'MODE',
      help: 'auto, or manual: only devnet_tick advances the chain',
      details: 'So do `evm_mine` and similar calls',
    },
    parameter: 'clock',
    inBlocks: true,
  },
  allowSameTimestamp: {
    kind: onOrOff,
    flag: {
      name: 'allow-same-timestamp',
      group: 'Time',
      help: 'blocks may share a second, as those of a block time below 1 do in anvil',
      details:
        'Without this each block is at least a second later than the one before, so that timestamps run ahead of the clock with a block time below 1, with automine and sends in quick succession, and with many edits: deadlines, permits and vestings then expire early. Hardhat has it as `allowBlocksWithSameTimestamp`; a running chain is switched by `anvil_setBlockTimestampInterval 0`, and then `anvil_removeBlockTimestampInterval`',
    },
    parameter: 'sameTimestamp',
    inBlocks: true,
  },
  speed: {
    kind: number({ min: 0, max: 100, default: 1, fractional: true }),
    flag: {
      name: 'speed',
      group: 'Time',
      takes: 'FACTOR',
      help: 'chain time over real time, above 0 up to 100',
    },
    parameter: 'speed',
    eachStart: true,
  },
  tickBudgetMs: {
    kind: number({ min: 1, max: 60_000, default: 120 }),
    flag: {
      name: 'tick-budget-ms',
      group: 'Time',
      help: 'milliseconds of execution in a tick; the rest waits',
      details:
        'A first transaction always starts; a manual clock has no such limit. One that runs for longer than a block keeps everything else waiting, and the log says what took its time: of the slowest precompiles, 16 million gas take some seconds',
    },
  },
  baseFee: {
    kind: number({ min: 0, max: 2 ** 50, default: 1_000_000_000 }),
    flag: {
      name: 'base-fee',
      group: 'Fees',
      takes: 'WEI',
      also: ['block-base-fee-per-gas'],
      help: 'base fee of block 0',
      details: '0 makes gas free',
    },
    inBlocks: true,
  },
  minBaseFee: {
    kind: number({ min: 0, max: 2 ** 50, default: 5_000_000 }),
    flag: { name: 'min-base-fee', group: 'Fees', takes: 'WEI', help: 'floor of the base fee' },
    parameter: 'minBaseFee',
    inBlocks: true,
  },
  suggestedTip: {
    kind: number({ min: 0, max: 2 ** 50, default: 1_000_000_000 }),
    flag: {
      name: 'suggested-tip',
      group: 'Fees',
      takes: 'WEI',
      help: 'tip that eth_gasPrice has in it and the node fills in',
    },
    inBlocks: true,
  },
  baseFeeDenominator: {
    kind: number({ min: 1, max: 2 ** 32 - 1, default: 250 }),
    flag: { name: 'base-fee-denominator', group: 'Fees', help: 'how slowly the base fee moves' },
    inBlocks: true,
  },
  baseFeeElasticity: {
    kind: number({ min: 1, max: 1_000, default: 6 }),
    flag: { name: 'base-fee-elasticity', group: 'Fees', help: 'gas limit over gas target' },
    inBlocks: true,
  },
  genesisTimestamp: {
    // On a manual clock: 2025-01-01 00:00:00 UTC, so that its hashes repeat.
    kind: number({ min: 0, max: 2 ** 32 - 1, default: 1_735_689_600, isMoment: true }),
    flag: {
      name: 'genesis-timestamp',
      group: 'Accounts and block 0',
      takes: 'SECONDS',
      help: 'timestamp of block 0 (default now; {default} on a manual clock)',
      details: 'Milliseconds are understood, too',
    },
    inBlocks: true,
  },
  forkTime: {
    kind: { ...wordOf(['block', 'now']), orMoment: true },
    flag: {
      name: 'fork-time',
      group: 'Fork: continue a real chain, fetched and proven, in memory',
      takes: 'WHEN',
      help: 'where its time begins: at that "block", or "now"',
      details: 'With `now` it follows the present from there. `--timestamp` names any later second',
    },
    parameter: 'forkTime',
    inBlocks: true,
  },
  atomic: {
    kind: wordOf(['unsupported', 'ready', 'supported']),
    flag: {
      name: 'atomic',
      group: 'Chain',
      takes: 'STATUS',
      help: 'bundled calls (EIP-5792): unsupported, ready, supported',
      details:
        'The capability `atomic`. `supported` makes each bundle one transaction; the account is delegated (EIP-7702) to the [wallet’s contract](#bundles-of-calls). `ready` does so once a bundle asks for it',
    },
    parameter: 'atomic',
    eachStart: true,
  },
  accounts: { kind: { is: 'accounts' } },
  genesis: { kind: { is: 'genesis' } },
  fundAccounts: {
    kind: { is: 'balances' },
    flag: {
      name: 'fund-accounts',
      group: 'Accounts and block 0',
      takes: 'ADDRESS:ETH',
      several: true,
      help: 'what other accounts have, also a fork’s; several, by commas or spaces',
      details:
        'As `--fund-accounts 0x…:1000,0x…:0.5`. An account keeps its code, nonce and storage, and the node does not sign for it: [impersonate it](testing.md#anyones-account). It goes before the balances of `--genesis` and of a state in JSON (`--load-state`); a chain that goes on keeps what it began with',
    },
  },
} as const satisfies OptionFactsOf<NodeOptions>
