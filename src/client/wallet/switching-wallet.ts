import { type BlinknetProvider, ProviderListeners, ProviderRpcError } from '#client/session/provider.ts'
import type { Address, Quantity } from '#primitives/hex.ts'
import { isObject } from '#primitives/json-object.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import type { Eip1193Provider } from './eip6963.ts'
import { createDappWallet, type DappWallet, type WalletProvider } from './wallet-provider.ts'
import type { WalletRequests } from './wallet-requests.ts'

/** A chain besides the page's own that a wallet can be on. */
export interface OtherChain {
  readonly name: string
  readonly chainId: Quantity
  readonly provider: BlinknetProvider
}

/** The chain with an id, connected; `undefined` if there is none. @throws {ProviderRpcError} If it does not answer. */
export type OpenOtherChain = (chainId: Quantity) => Promise<OtherChain | undefined>

/** The wallet of one dapp on one chain. */
interface OnChain {
  readonly wallet: DappWallet
  readonly chain: BlinknetProvider
}

/**
 * A dapp's wallet that is on one of several chains at a time: that chain itself answers for it. It begins on the page's own.
 * The person is asked before it changes, and before the first signature on each chain.
 *
 * @param home - The page's own chain.
 * @param dapp - Its name in the page.
 */
export function createSwitchingWallet(
  home: BlinknetProvider,
  requests: WalletRequests,
  dapp: string,
  openOther: OpenOtherChain,
): DappWallet {
  const listeners = new ProviderListeners()
  const closed = new AbortController()
  const others = new Map<BlinknetProvider, OnChain>()
  const own = follow(home, dapp)
  let on = own
  let shared: readonly Address[] = []
  /** One change at a time. */
  let changing: Promise<unknown> = Promise.resolve()

  /** A dapp's wallet on a chain, whose events the dapp hears while it is on it. */
  function follow(chain: BlinknetProvider, name: string): OnChain {
    const wallet = createDappWallet(chain, requests, name)
    const followed = { wallet, chain }
    const { provider } = wallet
    provider.on('message', (payload) => followed === on && listeners.emit('message', payload))
    provider.on('connect', (payload) => followed === on && listeners.emit('connect', payload))
    provider.on('disconnect', (payload) => followed === on && listeners.emit('disconnect', payload))
    provider.on('chainChanged', (payload) => followed === on && listeners.emit('chainChanged', payload))
    provider.on('accountsChanged', (accounts) => followed === on && tellAccounts(accounts))
    return followed
  }

  function tellAccounts(accounts: readonly Address[]): void {
    if (accounts.join() === shared.join()) return
    shared = accounts
    listeners.emit('accountsChanged', accounts)
  }

  /** @returns The chain to go to; `undefined` if it is no chain of this wallet's. */
  async function find(chainId: Quantity): Promise<(OnChain & { readonly name: string }) | undefined> {
    if ((await home.request({ method: 'eth_chainId' })) === chainId) return { ...own, name: 'the chain of this page' }
    const other = await openOther(chainId)
    if (!other) return undefined
    const name = `${dapp}, on the chain ${other.name} (${Number(chainId)})`
    const known = others.get(other.provider) ?? follow(other.provider, name)
    others.set(other.provider, known)
    return { ...known, name: other.name }
  }

  /** `wallet_switchEthereumChain`. */
  async function change(params: unknown): Promise<unknown> {
    const refuse = () => on.wallet.provider.request({ method: 'wallet_switchEthereumChain', params })
    const chainId = chainIdOf(params)
    if (chainId === undefined) return refuse()
    if ((await on.chain.request({ method: 'eth_chainId' })) === chainId) return null
    const found = await find(chainId)
    // The chain that it is on says that it knows no other.
    if (!found) return refuse()
    const { approved } = await requests.ask(dapp, { kind: 'switch-chain', chainId, name: found.name }, closed.signal)
    if (!approved) throw new ProviderRpcError(ERROR_CODES['user-rejected'], 'the person refused to change the chain')
    const next = [own, ...others.values()].find(({ wallet }) => wallet === found.wallet) ?? own
    const accounts = await next.chain.request({ method: 'eth_accounts' })
    const carried = shared.filter((account) => accounts.includes(account))
    // Before it is on that chain, so that the dapp hears of the chain first.
    next.wallet.share(carried)
    on = next
    listeners.emit('chainChanged', chainId)
    tellAccounts(carried)
    return null
  }

  async function add(params: unknown): Promise<unknown> {
    const chainId = chainIdOf(params)
    // The wallet knows a chain of the server already; a dapp that wants to be on it switches.
    if (chainId !== undefined && (await find(chainId))) return null
    return on.wallet.provider.request({ method: 'wallet_addEthereumChain', params })
  }

  const provider: WalletProvider = listeners.providerWith<Eip1193Provider>({
    async request(call) {
      switch (call.method) {
        case 'wallet_switchEthereumChain': {
          const changed = changing.then(() => change(call.params))
          changing = changed.catch(() => {})
          return changed
        }
        case 'wallet_addEthereumChain':
          return add(call.params)
        default:
          return on.wallet.provider.request(call)
      }
    },
  })

  return {
    provider,
    share(accounts) {
      on.wallet.share(accounts)
    },
    close() {
      closed.abort()
      for (const { wallet } of [own, ...others.values()]) wallet.close()
    },
  }
}

/** The id that a call names, in its one spelling; `undefined` if it names none, which the chain then refuses. */
function chainIdOf(params: unknown): Quantity | undefined {
  const first: unknown = Array.isArray(params) ? params[0] : undefined
  const chainId = isObject(first) ? first['chainId'] : undefined
  if (typeof chainId !== 'string' || !/^0x[\da-f]{1,16}$/i.test(chainId)) return undefined
  return `0x${BigInt(chainId).toString(16)}`
}
