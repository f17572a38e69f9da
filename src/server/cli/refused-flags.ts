/** An option of anvil that does not exist here. */
export interface RefusedFlag {
  /** Whether it takes an argument in anvil, and whether that is optional. */
  readonly takes?: 'always' | 'maybe'
  readonly short?: string
  readonly also?: readonly string[]
  /** Why it is refused and what to use instead: a sentence. */
  readonly why: string
}

const NO_RATE = 'the endpoint’s own limit is waited for, and no other is set.'
const NO_STATES_ON_DISK = 'no states are written to disk: those of the newest 256 blocks are in memory.'

/** The options of anvil that are refused by name. Options in neither this table nor the flags are unknown. */
export const REFUSED_FLAGS: Readonly<Record<string, RefusedFlag>> = {
  'max-persisted-states': { takes: 'always', why: NO_STATES_ON_DISK },
  'cache-path': { takes: 'always', why: NO_STATES_ON_DISK },
  'transaction-block-keeper': {
    takes: 'always',
    why: 'every block keeps its transactions for as long as the node runs.',
  },
  'max-transactions': {
    takes: 'always',
    why: 'a block is limited by its gas, and a partial block by its time as well: use --gas-limit or --tick-budget-ms.',
  },
  number: { takes: 'always', why: 'every chain begins with block 0.' },
  'disable-pool-balance-checks': {
    why: 'the pool always checks balances: raise one with --balance or anvil_setBalance.',
  },
  'memory-limit': { takes: 'always', why: 'memory is limited by the gas that it costs.' },
  'print-traces': {
    also: ['enable-trace-printing'],
    why: 'traces are not printed: ask for one with debug_traceTransaction, or see it in the page.',
  },
  'no-request-size-limit': { why: 'a request has at most 5 MiB, so that nobody fills the memory.' },
  json: { why: 'the log is text; --config-out FILE has the accounts as JSON.' },
  md: { why: 'the log is text.' },
  celo: { why: 'the chain is Ethereum, without the features of Celo.' },
  optimism: { why: 'there are neither deposit transactions nor fees of a layer 1.' },
  'fork-transaction-hash': {
    takes: 'always',
    why: 'a fork begins after a whole block: use --fork-block-number, and send the transactions before that one.',
  },
  'compute-units-per-second': { takes: 'always', why: NO_RATE },
  'no-rate-limit': { also: ['no-rpc-rate-limit'], why: NO_RATE },
}
