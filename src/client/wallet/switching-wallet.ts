import { type BlinknetProvider, isRefusal, ProviderListeners, ProviderRpcError } from '#client/session/provider.ts'
import type { Address, Quantity } from '#primitives/hex.ts'
import { isObject } from '#primitives/json-object.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import type { Eip1193Provider } from './eip6963.ts'
import { createDappWallet, type DappWallet, type WalletProvider } from './wallet-provider.ts'
import type { WalletRequests } from './wallet-requests.ts'

/** A chain besides the page's own, connected. */
export interface OtherChain {
  readonly name: string
  readonly chainId: Quantity
  readonly provider: BlinknetProvider
  /** For a chain that is open only while a wallet is on it: this one has left. */
  readonly release?: () => void
}

/** A chain besides the page's own that a wallet can be on. */
export interface FoundChain {
  readonly name: string
  /** Connects to it. @throws {ProviderRpcError} If it does not answer. */
  readonly open: () => Promise<OtherChain>
}

/** Finds the chains with an id besides the page's own. */
export type FindChains = (chainId: Quantity) => Promise<readonly FoundChain[]>

/** The wallet of one dapp on one chain. */
interface OnChain {
  readonly wallet: DappWallet
  readonly chain: BlinknetProvider
  readonly release?: (() => void) | undefined
}

/** A chain that the person may choose. */
interface Choice {
  readonly name: string
  readonly open: () => Promise<OnChain>
}

/**
 * A dapp's wallet that is on one of several chains at a time: that chain itself answers for it. It begins on the page's own.
 * The person is asked before it changes, and before the first signature on each chain.
 *
 * @param home - The page's own chain.
 * @param dapp - Its name in the page.
 * @param ownWallet - The dapp's wallet on the page's own chain, if it has one already.
 */
export function createSwitchingWallet(
  home: BlinknetProvider,
  requests: WalletRequests,
  dapp: string,
  findChains: FindChains,
  ownWallet = createDappWallet(home, requests, dapp),
): DappWallet {
  const listeners = new ProviderListeners()
  const closed = new AbortController()
  const others = new Map<BlinknetProvider, OnChain>()
  const own = follow({ wallet: ownWallet, chain: home })
  let on = own
  let unhear = hear(own)
  let shared = ownWallet.shared()
  /** One change at a time. */
  let changing: Promise<unknown> = Promise.resolve()

  /** The dapp hears of a chain while it is on it; of the accounts, only if they are others than it knows. */
  function hear({ wallet }: OnChain): () => void {
    return listeners.follow(wallet.provider, ['message', 'connect', 'disconnect', 'chainChanged'])
  }

  function follow(followed: OnChain): OnChain {
    const { provider } = followed.wallet
    provider.on('accountsChanged', (accounts) => followed === on && tellAccounts(accounts))
    return followed
  }

  function tellAccounts(accounts: readonly Address[]): void {
    if (accounts.join() === shared.join()) return
    shared = accounts
    listeners.emit('accountsChanged', accounts)
  }

  /** The chains to go to. */
  async function find(chainId: Quantity): Promise<readonly Choice[]> {
    const found = (await findChains(chainId)).map((chain) => ({ name: chain.name, open: () => enter(chain) }))
    const isOwn = on !== own && (await home.request({ method: 'eth_chainId' })) === chainId
    return isOwn ? [{ name: 'the chain of this page', open: async () => own }, ...found] : found
  }

  async function enter(found: FoundChain): Promise<OnChain> {
    const { name, chainId, provider: chain, release } = await found.open()
    const known = others.get(chain)
    if (known) {
      // This wallet holds the chain already.
      release?.()
      return known
    }
    const wallet = createDappWallet(chain, requests, `${dapp}, on the chain ${name} (${Number(chainId)})`)
    const entered = follow({ wallet, chain, release })
    others.set(chain, entered)
    return entered
  }

  /** A chain that is open only while a wallet is on it ends for this one; others keep its subscriptions. */
  function leave({ wallet, chain, release }: OnChain): void {
    if (!release || !others.delete(chain)) return
    wallet.close()
    release()
  }

  /** `wallet_switchEthereumChain`, or `wallet_addEthereumChain` for a chain that is there already. */
  async function change(method: string, params: unknown): Promise<unknown> {
    const refuse = () => on.wallet.provider.request({ method, params })
    const chainId = chainIdOf(params)
    if (chainId === undefined) return refuse()
    if ((await idOf(on.chain)) === chainId) return null
    const choices = await find(chainId)
    // The chain that it is on says that it knows no other.
    if (choices.length === 0) return refuse()
    const names = choices.map(({ name }) => name)
    const said = await requests.ask(dapp, { kind: 'switch-chain', chainId, names }, closed.signal)
    const choice = said.approved ? choices[said.chosen ?? 0] : undefined
    if (!choice) throw refused()
    const previous = on
    const next = await choice.open()
    try {
      const accounts = await next.chain.request({ method: 'eth_accounts' })
      if (closed.signal.aborted) throw refused()
      const carried = shared.filter((account) => accounts.includes(account))
      // Before it is on that chain, so that the dapp hears of the chain first.
      next.wallet.share(carried)
      unhear()
      on = next
      unhear = hear(next)
      listeners.emit('chainChanged', chainId)
      tellAccounts(carried)
      return null
    } finally {
      for (const each of [previous, next]) if (each !== on) leave(each)
    }
  }

  const provider: WalletProvider = listeners.providerWith<Eip1193Provider>({
    async request(call) {
      const { method } = call
      if (!isChange(method)) return on.wallet.provider.request(call)
      const changed = changing.then(() => change(method, call.params))
      changing = changed.catch(() => {})
      return changed
    },
  })

  return {
    provider,
    share(accounts) {
      on.wallet.share(accounts)
    },
    shared: () => on.wallet.shared(),
    close() {
      closed.abort()
      for (const { wallet, release } of [own, ...others.values()]) {
        wallet.close()
        release?.()
      }
      others.clear()
    },
  }
}

/** Whether a call asks that the wallet be on another chain. */
function isChange(method: string): boolean {
  return method === 'wallet_switchEthereumChain' || method === 'wallet_addEthereumChain'
}

function refused(): ProviderRpcError {
  return new ProviderRpcError(ERROR_CODES['user-rejected'], 'the person refused to change the chain')
}

/** The id of the chain that a wallet is on; `undefined` if that chain is gone, which keeps no wallet there. */
async function idOf(chain: BlinknetProvider): Promise<Quantity | undefined> {
  try {
    return await chain.request({ method: 'eth_chainId' })
  } catch (error) {
    if (isRefusal(error)) throw error
    return undefined
  }
}

/** The id that a call names, in its one spelling; `undefined` if it names none, which the chain then refuses. */
function chainIdOf(params: unknown): Quantity | undefined {
  const first: unknown = Array.isArray(params) ? params[0] : undefined
  const chainId = isObject(first) ? first['chainId'] : undefined
  if (typeof chainId !== 'string' || !/^0x[\da-f]{1,16}$/i.test(chainId)) return undefined
  return `0x${BigInt(chainId).toString(16)}`
}
