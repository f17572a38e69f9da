import type { NodeOptions } from '#rpc-types/node-options.ts'
import type { FlagName } from './flags.ts'
import type { GivenFlags } from './read-arguments.ts'
import { UsageError } from './usage-error.ts'

/** Why a room has no chain with impersonated signatures. */
const FORGERY = 'guests could sign for one another'

const KEPT_APART = 'a file has one chain; --data keeps all, each in a directory of its own'
/** Why no chain of a pool goes on where another has stopped. */
export const NEW_CHAINS = 'the chains of a pool are in memory, and begin anew or with a file (--load-state)'

/** Groups of flags that exclude each other, and why. */
const CONFLICTS: readonly (readonly [one: FlagName, other: FlagName, why: string])[] = [
  ['mixed-mining', 'automine', 'the one is the other and --block-time'],
  ['automine', 'block-time', 'with automine each transaction is sealed at once, in a block of its own'],
  ['automine', 'no-mining', 'the one seals each transaction at once, the other none'],
  ['mixed-mining', 'no-mining', 'the one seals each transaction at once, the other none'],
  ['mixed-mining', 'clock', 'its blocks come by real time'],
  ['mixed-mining', 'speed', 'its blocks come by real time'],
  ['suggested-tip', 'disable-min-priority-fee', 'the one sets what the other does'],
  ['block-time', 'no-mining', 'without mining only calls seal a block'],
  ['timestamp', 'genesis-timestamp', 'both name the timestamp of block 0'],
  ['disable-block-gas-limit', 'gas-limit', 'the one sets what the other does'],
  ['disable-code-size-limit', 'code-size-limit', 'the one sets what the other does'],
  ['slots-in-an-epoch', 'safe', 'the one sets what the other does'],
  ['slots-in-an-epoch', 'finalized', 'the one sets what the other does'],
  ['mnemonic-seed-unsafe', 'mnemonic', 'the accounts have one mnemonic'],
  ['mnemonic-seed-unsafe', 'mnemonic-random', 'the accounts have one mnemonic'],
  ['mnemonic-random', 'mnemonic', 'the accounts have one mnemonic'],
  ['mnemonic-random', 'data', 'a chain that goes on keeps its accounts: choose a mnemonic with --mnemonic'],
  ['state', 'load-state', 'the one is the other and --dump-state'],
  ['state', 'dump-state', 'the one is the other and --load-state'],
  ['state', 'data', 'the chain lives in the directory'],
  ['load-state', 'data', 'the chain lives in the directory'],
  ['mnemonic-random', 'state', 'a chain that goes on keeps its accounts: choose a mnemonic with --mnemonic'],
  ['fork', 'fork-url', 'the file takes the place of the endpoint'],
  ['fork', 'data', 'a fork in a directory keeps itself what it has fetched: use --fork-url'],
  ['fork', 'load-state', 'a chain file has what its fork has fetched'],
  ['fork', 'state', 'a chain file has what its fork has fetched: use --dump-state'],
  ['fork', 'genesis', 'a fork has its accounts from the other chain'],
  ['fork', 'genesis-timestamp', 'a fork has no block 0 of its own'],
  ['fork', 'base-fee', 'the base fee of a fork follows from the block before'],
  ['fork', 'disable-default-create2-deployer', 'a fork has its contracts from the other chain'],
  ['fork-url', 'genesis', 'a fork has its accounts from the other chain'],
  ['fork-url', 'genesis-timestamp', 'a fork has no block 0 of its own'],
  ['fork-time', 'timestamp', 'both say where the time of a fork begins'],
  ['fork-url', 'base-fee', 'the base fee of a fork follows from the block before'],
  ['fork-url', 'disable-default-create2-deployer', 'a fork has its contracts from the other chain'],
  ['chains', 'chain-id', 'each chain has its own, as in 1,base=8453'],
  ['chains', 'fork-url', 'the list names the fork of each chain, as NAME=URL, or the file does'],
  ['chains', 'fork', 'one chain continues what the file has'],
  ['chains', 'state', KEPT_APART],
  ['chains', 'load-state', 'a file for --chains says what each chain loads'],
  ['chains', 'dump-state', KEPT_APART],
  ['chains', 'config-out', 'its file has the accounts of one chain'],
  ['chains', 'room', 'a room has one chain'],
  ['pool', 'room', 'guests could make chains'],
  ['pool', 'data', NEW_CHAINS],
  ['room', 'flashblocks', 'each guest would have every partial block: they subscribe to what they need'],
  ['room', 'no-ui', 'guests need the page'],
  ['room', 'impersonated-signatures', FORGERY],
  ['no-cors', 'allow-origin', 'without CORS pages of no other origin may call'],
]

/** The first contradiction of a command line as a sentence; `undefined` if there is none. */
export function findConflict(given: GivenFlags): string | undefined {
  for (const [one, other, why] of CONFLICTS) {
    const [first, second] = [given.get(one)?.[0], given.get(other)?.[0]]
    if (first && second) return `${first.as} and ${second.as} contradict each other: ${why}.`
  }
  return undefined
}

/**
 * Refuses a room on a stored or loaded chain, which has its options without a flag.
 *
 * @throws {UsageError} If guests must not have a chain with these options.
 */
export function checkForGuests({ impersonatedSignatures }: NodeOptions = {}): void {
  if (!impersonatedSignatures) return
  throw new UsageError(
    `--room and a chain that was started with --impersonated-signatures contradict each other: ${FORGERY}.`,
  )
}
