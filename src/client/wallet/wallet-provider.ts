import {
  type BlinknetProvider,
  type ProviderEventSource,
  ProviderListeners,
  ProviderRpcError,
} from '#client/session/provider.ts'
import type { Address } from '#primitives/hex.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import type { RpcPermission } from '#rpc-types/methods/wallet.ts'
import type { Eip1193Provider } from './eip6963.ts'
import { signingCall } from './wallet-methods.ts'
import type { WalletRequest, WalletRequests } from './wallet-requests.ts'
import { createWalletSubscriptions } from './wallet-subscriptions.ts'

/** The wallet as one dapp sees it: with the accounts shared with it, and signatures that the person approved. */
export interface WalletProvider extends Eip1193Provider, ProviderEventSource {}

/** One dapp's wallet, and its end. */
export interface DappWallet {
  readonly provider: WalletProvider
  /** Shares these accounts and no others, without a question: the person has chosen them in the wallet. */
  share(accounts: readonly Address[]): void
  /** The accounts that are shared now. */
  shared(): readonly Address[]
  /** The dapp has gone: its subscriptions end, and its questions are withdrawn. */
  close(): void
}

/**
 * Creates a wallet for one dapp. Requests that need no account go straight to the node, including `devnet_*` and
 * `anvil_*` methods.
 *
 * @param dapp - Its name in the page.
 */
export function createDappWallet(node: BlinknetProvider, requests: WalletRequests, dapp: string): DappWallet {
  const listeners = new ProviderListeners()
  const subscriptions = createWalletSubscriptions(node, (data) =>
    listeners.emit('message', { type: 'eth_subscription', data }),
  )
  const closed = new AbortController()
  let shared: readonly Address[] = []
  /** The person does not want to be asked again. */
  let trusted = false
  let connecting: Promise<void> | undefined

  function share(accounts: readonly Address[]): void {
    const changed = accounts.join() !== shared.join()
    shared = accounts
    if (accounts.length === 0) trusted = false
    if (changed) listeners.emit('accountsChanged', accounts)
  }

  async function ask(request: WalletRequest) {
    const said = await requests.ask(dapp, request, closed.signal)
    if (said.approved) return said
    throw new ProviderRpcError(ERROR_CODES['user-rejected'], 'the person at the page refused the request')
  }

  async function connect(): Promise<void> {
    const accounts = await node.request({ method: 'eth_accounts' })
    if (accounts.length === 0) {
      throw new ProviderRpcError(ERROR_CODES.unauthorized, 'this chain has no development accounts to share')
    }
    const { accounts: chosen } = await ask({ kind: 'connect', accounts, shared })
    const added = chosen.filter((account) => !accounts.includes(account))
    for (const account of added) await node.request({ method: 'anvil_impersonateAccount', params: [account] })
    share([...added, ...accounts.filter((account) => chosen.includes(account))])
  }

  /** Impatient dapps ask twice; one question is enough. */
  function connectOnce(): Promise<void> {
    connecting ??= connect().finally(() => {
      connecting = undefined
    })
    return connecting
  }

  async function sign(method: string, params: readonly unknown[]): Promise<unknown> {
    const call = signingCall(method, params, shared[0] ?? '0x')
    if (!call) return node.request({ method, params })
    const { account } = call.request
    if (!shared.some((own) => own.toLowerCase() === account)) {
      throw new ProviderRpcError(ERROR_CODES.unauthorized, `the account ${account} is not shared with this dapp`)
    }
    const question = (upgrade: WalletRequest) => requests.ask(dapp, upgrade, closed.signal)
    const { bundle } = call
    const planned = bundle ? await (await import('./plan-bundle.ts')).planBundle(node, call, bundle, question) : call
    if (!trusted) trusted = (await ask(planned.request)).remember
    return node.request({ method, params: planned.params })
  }

  async function answer(method: string, params: readonly unknown[]): Promise<unknown> {
    switch (method) {
      case 'eth_accounts':
        return shared
      case 'eth_requestAccounts':
        if (shared.length === 0) await connectOnce()
        return shared
      case 'wallet_getPermissions':
        return permissions(shared)
      case 'wallet_requestPermissions':
        assertAccountsPermission(params[0])
        await connectOnce()
        return permissions(shared)
      case 'wallet_revokePermissions':
        assertAccountsPermission(params[0])
        share([])
        return null
      case 'eth_subscribe':
        return subscriptions.subscribe(params)
      case 'eth_unsubscribe':
        return subscriptions.unsubscribe(params[0])
      default:
        return Array.isArray(params) ? sign(method, params) : node.request({ method, params })
    }
  }

  const onAccountsChanged = (accounts: readonly Address[]) =>
    share(shared.filter((account) => accounts.includes(account)))
  const unfollow = listeners.follow(node, ['connect', 'disconnect', 'chainChanged'])
  node.on('accountsChanged', onAccountsChanged)

  const provider: WalletProvider = listeners.providerWith<Eip1193Provider>({
    async request({ method, params }) {
      if (typeof method !== 'string')
        throw new ProviderRpcError(ERROR_CODES['invalid-request'], 'method is not a string')
      return answer(method, (params ?? []) as readonly unknown[])
    },
  })
  return {
    provider,
    share,
    shared: () => shared,
    close() {
      closed.abort()
      subscriptions.close()
      unfollow()
      node.removeListener('accountsChanged', onAccountsChanged)
    },
  }
}

function permissions(accounts: readonly Address[]): readonly RpcPermission[] {
  if (accounts.length === 0) return []
  return [{ parentCapability: 'eth_accounts', caveats: [{ type: 'restrictReturnedAccounts', value: accounts }] }]
}

/** @throws {ProviderRpcError} If any other permission is requested; there is only one. */
function assertAccountsPermission(wanted: unknown): void {
  const names = typeof wanted === 'object' && wanted !== null ? Object.keys(wanted) : []
  if (names.length === 1 && names[0] === 'eth_accounts') return
  throw new ProviderRpcError(ERROR_CODES['invalid-params'], 'the only permission is eth_accounts')
}
