import { type ForkedChain, parseFork } from '#client/session/remote-endpoint.ts'
import { invariant } from '#primitives/invariant.ts'

/** A chain to fork without a key, and something on it to look at. */
export interface ForkExample {
  readonly chain: string
  readonly fork: ForkedChain
  /** What to look at, in a few words. */
  readonly what: string
  /** The screen that shows it. */
  readonly screen: string
}

/**
 * Public endpoints that need no key, as viem names them for these chains. Nothing is sent there before a person presses
 * their button.
 *
 * @see {@link https://viem.sh/docs/chains/introduction | viem: chains}
 */
export const FORK_EXAMPLES: readonly ForkExample[] = [
  {
    chain: 'Ethereum',
    fork: at('https://ethereum.reth.rs/rpc'),
    what: 'USD Coin: read the contract behind its proxy, and give yourself a million.',
    screen: '/address/0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48/contract',
  },
  {
    chain: 'Base',
    fork: at('https://mainnet.base.org'),
    what: 'A pool of Uniswap V3 for ETH and USDC: its price, its liquidity, its events.',
    screen: '/address/0xd0b53d9277642d899df5c87a3966a349a798f224/contract',
  },
  {
    chain: 'OP Mainnet',
    fork: at('https://mainnet.optimism.io'),
    what: 'The contract by which the rollup knows Ethereum’s newest block (L1Block).',
    screen: '/address/0x4200000000000000000000000000000000000015/contract',
  },
]

function at(url: string): ForkedChain {
  const fork = parseFork(url)
  invariant(fork.ok, 'the address of an example is one')
  return fork
}
