import type { Difference, Instead } from '../difference.ts'

/** Flags that are refused. */
interface RefusedFlags {
  readonly flags: string
  readonly why: string
  readonly instead?: Instead
}

/** Flags that both have. */
export const COMMAND_LINE: readonly Difference[] = [
  {
    about: 'without flags',
    here: 'blocks by the clock, with partial blocks; `--automine` seals each transaction',
    there: 'automine',
    instead: {
      from: '`anvil`',
      to: '`npx blinknet --as anvil`. Without a flag the chain has what anvil has not: partial blocks every 200 ms, blocks every 2 s; with `--automine` alone each transaction is sealed at once, before its send is answered',
    },
  },
  {
    about: '`--host`',
    here: 'also `--allow-host`, against DNS rebinding; `ANVIL_IP_ADDR` is not read',
    there: 'any name',
  },
  {
    about: '`--allow-origin`',
    here: 'default: pages on localhost; repeatable',
    there: 'default: `*`',
    instead: {
      from: 'pages of any origin',
      to: '`--allow-origin https://app.example`; pages on localhost may call without it',
    },
  },
  {
    about: '`--no-cors`',
    here: 'pages of other origins get status 403',
    there: 'they get an answer that they cannot read',
  },
  {
    about: '`--no-mining`',
    here: 'the chain is paused, its time as well',
    there: 'time goes on',
    instead: {
      from: '`anvil --no-mining`, `evm_setAutomine(false)`',
      to: 'the same. `pending` has what waits, `evm_mine` seals it',
    },
  },
  { about: '`--disable-block-gas-limit`', here: 'the limit is 2⁴⁰', there: '2⁶⁴ − 1' },
  {
    about: '`--dump-state`, `--state`',
    here: 'a chain file, never over a file of another kind; in a directory `state.blinknet`',
    there: 'JSON; in a directory `state.json`',
    instead: {
      from: '`anvil --state FILE`, `--dump-state`, `--load-state`',
      to: "the same flags; the file is a chain with its history, and anvil's JSON is read as accounts",
    },
  },
  { about: "`--load-state` of anvil's JSON", here: 'accounts, in a new chain', there: 'also blocks and transactions' },
  {
    about: '`--disable-min-priority-fee`',
    here: 'no tip in `eth_gasPrice`, `eth_maxPriorityFeePerGas` and what the node fills in (`--suggested-tip 0`)',
    there: '`eth_maxPriorityFeePerGas` stays 1 gwei',
  },
  {
    about: '`--chain-id`, `--gas-limit`, `--accounts`',
    here: 'up to 2³² − 1; from 5,000; from 1 to 100',
    there: 'any',
  },
  {
    about: '`--fork-url`',
    here: 'one endpoint, `http:` or `https:`',
    there: 'several, also `ws:` and IPC',
    instead: {
      from: '`anvil --fork-url URL --fork-block-number N`',
      to: 'the same. `--fork-transaction-hash` is refused: fork before its block, and send the transactions before it',
    },
  },
  {
    about: '`--mixed-mining`, two blocks of one second',
    here: 'the second one has the next second',
    there: 'both have the same',
  },
  { about: '`--state-interval` without a file', here: 'refused', there: 'no effect' },
  {
    about: '`--fund-accounts`',
    here: "parts of an ETH, separated by commas as well; a fork's accounts have it in its first block; a chain that goes on keeps what it began with, and a chain file is loaded with the amounts that it was started with",
    there: 'newer versions: whole ETH, separated by spaces, set again at each start',
    instead: { from: '`anvil --fund-accounts 0x…:1000`', to: 'the same, and `fundAccounts` for tests' },
  },
  {
    about: '`--init`',
    here: 'accounts and chain id; the banner names what else the file has',
    there: 'also timestamp, gas limit and others',
  },
]

/** Flags of anvil that are refused, and why. */
export const REFUSED_FLAGS: readonly RefusedFlags[] = [
  {
    flags: '`--fork-transaction-hash`',
    why: 'a fork begins after a whole block: `--fork-block-number`, then send the transactions before that one',
  },
  {
    flags: '`--no-rate-limit`, `--compute-units-per-second`',
    why: "the endpoint's own limit is waited for, and no other is set",
  },
  {
    flags: '`--hardfork` of another name than `osaka`, `--network optimism`, `--celo`, `--order fifo`',
    why: 'there are no others',
    instead: { from: '`anvil --hardfork cancun`', to: "left out: every block runs by Osaka's rules" },
  },
  {
    flags: '`--max-persisted-states`, `--cache-path`, `--transaction-block-keeper`',
    why: 'the states of the newest 256 blocks are in memory, and all transactions',
  },
  {
    flags: '`--max-transactions`, `--memory-limit`',
    why: 'gas and `--tick-budget-ms` limit a block, gas limits memory',
  },
  { flags: '`--disable-pool-balance-checks`', why: 'the pool checks balances' },
  { flags: '`--print-traces`, `--json`, `--md`, `--color always`', why: 'the log is plain text without traces' },
  { flags: '`--number`', why: 'every chain begins with block 0' },
  { flags: '`--no-request-size-limit`', why: 'a request has at most 5 MiB' },
]
