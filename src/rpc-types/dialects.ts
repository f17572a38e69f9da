import type { DialectName, NodeOptions } from './node-options.ts'

/** What suites that were written for a node count on. */
export interface DialectFacts {
  /** The options of a new chain, where they are not given. */
  readonly options: Omit<NodeOptions, 'as'>
  /** How many of the development mnemonic's accounts a new chain has. */
  readonly accounts: 10 | 20
  /** What the send of a transaction that waits or fails answers while automine is on. */
  readonly failedSend: 'hash' | 'error'
  /** Whether automine leaves what waited before it until the next transaction, whose block then has all of it. */
  readonly minesAll: boolean
  /** What a transaction must pay to replace another one: 10 % more, or anything more. */
  readonly replacement: 'tenth' | 'any'
  /** Whether a block drops what waits in vain for a lower base fee, with its sender's later transactions. */
  readonly dropsUnpriced: boolean
  /** Whether a contract may be created without any code. */
  readonly createsEmpty: boolean
  /** Whether blocks by the clock are cut into partial ones; else what is sent waits for its block. */
  readonly hasPartialBlocks: boolean
  /** Whether block 1 of a chain of its own has the base fee of block 0, although that is empty. */
  readonly keepsFirstBaseFee: boolean
  /** Whether a transaction has at most the gas of EIP-7825, 16,777,216; else it may have a block's. */
  readonly capsTransactionGas: boolean
  /** Whether estimates of gas are exact; else they may be up to 1.5 % too high, as in geth. */
  readonly exactEstimates: boolean
}

/** The rules of the main net, with 1 gwei at first. */
const MAINNET_FEES = { baseFee: 1_000_000_000, minBaseFee: 0, baseFeeDenominator: 8, baseFeeElasticity: 2 } as const

/**
 * One entry for each node: `--as` puts on all of it. How it answers and refuses is in `src/node/rpc/dialects/`, which only such
 * a chain loads.
 */
export const DIALECTS = {
  anvil: {
    options: {
      ...MAINNET_FEES,
      clientVersion: 'anvil/v1.7.1',
      gasLimit: 30_000_000,
      coinbase: '0x0000000000000000000000000000000000000000',
      allowSameTimestamp: true,
      allowForeignTypedData: true,
    },
    accounts: 10,
    failedSend: 'hash',
    minesAll: false,
    replacement: 'any',
    dropsUnpriced: true,
    createsEmpty: true,
    hasPartialBlocks: false,
    keepsFirstBaseFee: true,
    capsTransactionGas: false,
    exactEstimates: true,
  },
  hardhat: {
    options: {
      ...MAINNET_FEES,
      // The network helpers of Hardhat call no node that names itself otherwise; they do not look at what follows.
      clientVersion: 'HardhatNetwork/blinknet',
      gasLimit: 60_000_000,
      coinbase: '0xc014ba5ec014ba5ec014ba5ec014ba5ec014ba5e',
      allowForeignTypedData: true,
      throwOnTransactionFailures: true,
    },
    accounts: 20,
    failedSend: 'error',
    minesAll: true,
    replacement: 'tenth',
    dropsUnpriced: false,
    createsEmpty: false,
    hasPartialBlocks: false,
    keepsFirstBaseFee: false,
    capsTransactionGas: false,
    exactEstimates: true,
  },
} as const satisfies Readonly<Record<DialectName, DialectFacts>>

/** The entry of the node that the options name. */
export function dialectOf({ as }: NodeOptions): DialectFacts | undefined {
  return as === 'anvil' || as === 'hardhat' ? DIALECTS[as] : undefined
}

/** Whether a chain begins with automine, as those nodes do: where the options say nothing of its time. */
export function beginsAutomine(options: NodeOptions): boolean {
  const { mode, partialMs, partialsPerBlock, speed } = options
  return (
    dialectOf(options) !== undefined && [mode, partialMs, partialsPerBlock, speed].every((value) => value === undefined)
  )
}
