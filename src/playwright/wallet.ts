// Longer than most files: one wallet, whose questions, accounts and chains all change together.
import { randomBytes } from 'node:crypto'
import type { BrowserContext } from '@playwright/test'
import { ProviderRpcError } from '#client/session/provider.ts'
import { blinknetInfo } from '#client/wallet/eip6963.ts'
import { createDappWallet, type DappWallet } from '#client/wallet/wallet-provider.ts'
import { createWalletRequests, type WalletRequest } from '#client/wallet/wallet-requests.ts'
import type { Address, Hash, Quantity } from '#primitives/hex.ts'
import { isObject } from '#primitives/json-object.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import type { RpcSentBundle } from '#rpc-types/methods/wallet.ts'
import type { AtomicStatus } from '#rpc-types/node-options.ts'
import type { RpcReceipt } from '#rpc-types/objects.ts'
import type { Activity } from './activity.ts'
import { type ContractSigning, type SigningContract, signingContract, withContractSigning } from './contract-signing.ts'
import { type AddedChain, type WalletChain, WalletNetworks } from './wallet-networks.ts'
import { installWallet, type PageAnswer, type PageCall, type PageEvent } from './wallet-page.ts'

/** Behaviour of a test's wallet. */
export interface WalletOptions {
  /** Which of the chain's development accounts it shares; default 0. Any other address: {@link Wallet.use}. */
  readonly account?: number
  /** `auto`: approves everything; `refuse`: refuses everything; `manual`: waits for {@link Wallet.approve} or {@link Wallet.refuse}. Default `auto`. */
  readonly approve?: 'auto' | 'manual' | 'refuse'
  /** Name of the chain that it is on at first; default the test's first one. */
  readonly chain?: string
  /**
   * Names of the chains that it knows at first; default all of the test. Asked for another one it answers 4902, until the
   * dapp adds that one (`wallet_addEthereumChain`) with an address that is routed to it.
   */
  readonly knows?: readonly string[]
  /**
   * What it says of bundles of calls, and does with them (EIP-5792, the capability `atomic`). `supported`: each bundle is one
   * transaction; `ready`: it can be, once the person has agreed to the upgrade that a bundle with `atomicRequired` asks for
   * (a refusal is 5750); `unsupported`: a transaction for each call, and 5760 for what must be one. Default what the chain's
   * option `atomic` says, which is `unsupported`.
   */
  readonly atomic?: AtomicStatus
  /**
   * True: bundles are sent although a call is expected to fail, as by a person who goes on in spite of the wallet's warning.
   * Then they fail on the chain, as a whole or half way. Default false: the dapp gets the reason, and nothing is sent.
   */
  readonly mayFail?: boolean
  /** False: no wallet is put into the dapp's pages. Default true. */
  readonly installed?: boolean
}

/** The question of a dapp that wants another chain. */
export interface SwitchChainRequest {
  readonly kind: 'switch-chain'
  readonly chainId: Quantity
}

/** The question of a dapp that tells the wallet of a chain, and wants it to be on that one. */
export interface AddChainRequest extends AddedChain {
  readonly kind: 'add-chain'
}

/** A dapp's question to the person. */
export type WalletQuestion = WalletRequest | SwitchChainRequest | AddChainRequest

/** The wallet of a test, as the person who holds it. */
export interface Wallet {
  /** The account that it shares. */
  readonly address: Address
  /** Id of the chain that it is on. */
  readonly chainId: number
  /**
   * The newest transaction that a dapp sent by it, on whichever chain, alone or in a bundle.
   *
   * @throws {Error} If none was sent.
   */
  readonly lastTransaction: Hash
  /** All of them, oldest first. */
  readonly transactions: readonly Hash[]
  /** Questions that wait for an answer, oldest first. */
  readonly questions: readonly WalletQuestion[]
  /** Answers from now on as {@link WalletOptions.approve} says, waiting questions included. */
  answer(how: NonNullable<WalletOptions['approve']>): void
  /** Approves the oldest question, as soon as there is one. @returns The question. */
  approve(): Promise<WalletQuestion>
  /** Refuses the oldest question, as soon as there is one: the dapp gets error 4001. @returns The question. */
  refuse(): Promise<WalletQuestion>
  /** Changes to another development account; dapps that are connected hear `accountsChanged`. */
  switchAccount(account: number): Promise<void>
  /**
   * Changes to any account, also a contract's: the chains send for it without its key. Dapps that are connected hear
   * `accountsChanged`.
   *
   * @param signing - Who signs messages and typed data for a contract that checks them itself (ERC-1271).
   * @throws {TypeError} If that is no address.
   */
  use(address: Address, signing?: ContractSigning): Promise<void>
  /**
   * Changes to another chain of the test, by its name or id, as the person may at any time; dapps hear `chainChanged`.
   *
   * @throws {Error} If the test has no such chain: nothing would answer there.
   */
  switchChain(chain: string | number): void
  /** Takes the accounts back from the dapp: it hears `accountsChanged` with none. */
  disconnect(): void
}

/** A wallet and its end. */
export interface InstalledWallet {
  readonly wallet: Wallet
  /** As it was when it was opened: nothing is shared, sent or asked. For a page that has gone elsewhere. */
  startOver(): Promise<void>
  close(): void
}

interface OpenQuestion {
  readonly question: WalletQuestion
  settle(approved: boolean): void
}

const BINDING = '__blinknetWallet'

const OPTIONS: Readonly<Record<keyof WalletOptions, true>> = {
  account: true,
  approve: true,
  chain: true,
  knows: true,
  atomic: true,
  mayFail: true,
  installed: true,
}

const APPROVALS: Readonly<Record<NonNullable<WalletOptions['approve']>, true>> = {
  auto: true,
  manual: true,
  refuse: true,
}

/**
 * Puts a wallet into every page of a test, in this process: it signs by the chains' own development accounts. It is on one
 * chain at a time, and that chain itself answers for it.
 *
 * @throws {TypeError} If it has no such option.
 */
export async function openWallet(
  context: BrowserContext,
  chains: readonly WalletChain[],
  activity: Activity,
  options: WalletOptions,
): Promise<InstalledWallet> {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(OPTIONS, name))
  if (unknown !== undefined) {
    const hint = unknown === 'otherChains' ? ': the chains that it may switch to are those of test.use({ chains })' : ''
    throw new TypeError(`the wallet has no option ${unknown}${hint}`)
  }
  const { account = 0, approve = 'auto', installed = true } = options
  if (!Object.hasOwn(APPROVALS, approve)) {
    throw new TypeError(`approve of the wallet is ${Object.keys(APPROVALS).join(', ')}, not ${JSON.stringify(approve)}`)
  }
  if (options.atomic !== undefined) {
    for (const { provider } of chains) {
      await provider.request({ method: 'devnet_setAtomicBundles', params: [options.atomic] })
    }
  }
  let networks = new WalletNetworks(chains, options.chain, options.knows)
  let how = approve
  const transactions: Hash[] = []
  const open: OpenQuestion[] = []
  const events: PageEvent[] = []
  const waiting = new Set<() => void>()
  const asked = new Set<() => void>()
  const requests = createWalletRequests()
  let contract: SigningContract | undefined
  /** The dapp's wallet on each chain: all share the same accounts. */
  const dapps = new Map<WalletChain, DappWallet>(
    chains.map((chain) => {
      const provider = withContractSigning(chain.provider, () => contract)
      return [chain, createDappWallet(provider, requests, 'the dapp')]
    }),
  )
  const accountsOf = (chain: WalletChain) => chain.provider.request({ method: 'eth_accounts' })
  let address = accountAt(await accountsOf(networks.on), account)
  let shared: readonly Address[] = []

  function emit(name: string, payload: unknown): void {
    events.push({ name, payload })
    const woken = [...waiting]
    waiting.clear()
    for (const wake of woken) wake()
  }

  function share(accounts: readonly Address[]): void {
    if (accounts.join() === shared.join()) return
    shared = accounts
    for (const dapp of dapps.values()) dapp.share(accounts)
    emit('accountsChanged', accounts)
  }

  for (const [chain, { provider }] of dapps) {
    // What a dapp subscribed to on one chain is of no use to it on another.
    provider.on('message', (payload) => chain === networks.on && emit('message', payload))
    provider.on('accountsChanged', share)
  }

  function ask(question: OpenQuestion): void {
    if (how !== 'manual') return question.settle(how === 'auto')
    const answered = activity.asking()
    open.push({
      question: question.question,
      settle(approved) {
        answered()
        question.settle(approved)
      },
    })
    for (const wake of [...asked]) wake()
  }

  /** @throws {ProviderRpcError} 4001 if the person refuses. */
  async function mustApprove(question: SwitchChainRequest | AddChainRequest): Promise<void> {
    const approved = await new Promise<boolean>((settle) => ask({ question, settle }))
    if (!approved) throw new ProviderRpcError(ERROR_CODES['user-rejected'], 'the person refused to change the chain')
  }

  const known = new Set<number>()
  const stop = requests.pending.subscribe(() => {
    for (const { id, request: question } of requests.pending.get()) {
      if (known.has(id)) continue
      known.add(id)
      const settle = (approved: boolean) =>
        requests.answer(id, approved ? { approved, accounts: [address], remember: false } : { approved })
      // After the queue has taken it in.
      queueMicrotask(() => ask({ question, settle }))
    }
  })

  async function settleNext(approved: boolean): Promise<WalletQuestion> {
    for (;;) {
      const next = open.shift()
      if (next) {
        next.settle(approved)
        return next.question
      }
      await new Promise<void>((resolve) => {
        const wake = () => {
          asked.delete(wake)
          resolve()
        }
        asked.add(wake)
      })
    }
  }

  function changeChain(to: WalletChain): null {
    if (to === networks.on) return null
    networks.on = to
    emit('chainChanged', to.chainId)
    return null
  }

  async function switchChain(params: unknown): Promise<null> {
    const to = networks.toSwitchTo(params)
    if (to !== networks.on) await mustApprove({ kind: 'switch-chain', chainId: to.chainId })
    return changeChain(to)
  }

  async function addChain(params: unknown): Promise<null> {
    const { chain, asked: description, isKnown } = networks.toAdd(params)
    if (!isKnown) await mustApprove({ kind: 'add-chain', ...description })
    else if (chain !== networks.on) await mustApprove({ kind: 'switch-chain', chainId: chain.chainId })
    return changeChain(chain)
  }

  /** All chains together say what the wallet can do: a dapp asks before it switches. */
  async function capabilities(params: unknown): Promise<unknown> {
    const each = await Promise.all(
      networks.all().map((chain) => dappOn(chain).provider.request({ method: 'wallet_getCapabilities', params })),
    )
    return Object.assign({}, ...(each as readonly object[])) as unknown
  }

  /** A bundle is known to the chain that it was sent on, whichever the wallet is on now. */
  async function ofAnyChain(method: string, params: unknown): Promise<unknown> {
    let refused: unknown
    for (const chain of networks.all()) {
      try {
        return await dappOn(chain).provider.request({ method, params })
      } catch (error) {
        refused ??= error
      }
    }
    throw refused
  }

  function dappOn(chain: WalletChain): DappWallet {
    return dapps.get(chain) as DappWallet
  }

  async function request(method: string, params: unknown): Promise<unknown> {
    switch (method) {
      case 'wallet_switchEthereumChain':
        return switchChain(params)
      case 'wallet_addEthereumChain':
        return addChain(params)
      case 'wallet_getCapabilities':
        return capabilities(params)
      case 'wallet_getCallsStatus':
      case 'wallet_showCallsStatus':
        return ofAnyChain(method, params)
      default: {
        const sent = method === 'wallet_sendCalls' && options.mayFail === true ? withMayFail(params) : params
        const result = await dappOn(networks.on).provider.request({ method, params: sent })
        if (method === 'eth_sendTransaction') transactions.push(result as Hash)
        if (method === 'eth_sendTransactionSync') transactions.push((result as RpcReceipt).transactionHash)
        if (method === 'wallet_sendCalls') {
          transactions.push(...(result as RpcSentBundle).capabilities.caip345.transactionHashes)
        }
        return result
      }
    }
  }

  async function answerPage(call: PageCall): Promise<PageAnswer> {
    if (call.kind === 'events') {
      const from = call.from ?? events.length
      if (from >= events.length) await new Promise<void>((resolve) => void waiting.add(resolve))
      return { events: events.slice(from), next: events.length }
    }
    try {
      return { result: await activity.during(() => request(call.method, call.params)) }
    } catch (error) {
      if (!(error instanceof ProviderRpcError)) throw error
      const { code, message, data } = error
      return { error: { code, message, ...(data !== undefined && { data }) } }
    }
  }

  /** Every chain of the test sends for the account, with its key or without. */
  async function changeAccount(to: Address, signing?: SigningContract): Promise<void> {
    for (const chain of chains) {
      const own = (await accountsOf(chain)).map((one) => one.toLowerCase())
      for (const each of [to, ...(signing?.signers ?? [])]) {
        if (own.includes(each.toLowerCase())) continue
        await chain.provider.request({ method: 'anvil_impersonateAccount', params: [each] })
      }
    }
    contract = signing
    address = to
    if (shared.length > 0) share([to])
  }

  if (chains.length > 1) await changeAccount(address)
  if (installed) {
    await context.exposeBinding(BINDING, (_source, call: PageCall) => answerPage(call))
    await context.addInitScript(installWallet, { binding: BINDING, info: { ...blinknetInfo(randomBytes(16)) } })
  }
  const wallet: Wallet = {
    get address() {
      return address
    },
    get chainId() {
      return Number(networks.on.chainId)
    },
    get lastTransaction() {
      const last = transactions.at(-1)
      if (last === undefined) throw new Error('no dapp has sent a transaction by the wallet yet')
      return last
    },
    get transactions() {
      return [...transactions]
    },
    get questions() {
      return open.map(({ question }) => question)
    },
    answer(next) {
      how = next
      if (next !== 'manual') for (const question of open.splice(0)) question.settle(next === 'auto')
    },
    approve: () => settleNext(true),
    refuse: () => settleNext(false),
    async switchAccount(next) {
      await changeAccount(accountAt(await accountsOf(networks.on), next))
    },
    async use(to, signing) {
      if (typeof to !== 'string' || !/^0x[\da-f]{40}$/i.test(to)) {
        throw new TypeError(`wallet.use takes an address, 0x and 40 hex digits, not ${JSON.stringify(to)}`)
      }
      const used = to.toLowerCase() as Address
      await changeAccount(used, signing && signingContract(used, signing))
    },
    switchChain(to) {
      changeChain(typeof to === 'number' ? networks.withId(to) : networks.named(to))
    },
    disconnect: () => share([]),
  }
  return {
    wallet,
    async startOver() {
      wallet.answer('refuse')
      how = approve
      transactions.length = 0
      networks = new WalletNetworks(chains, options.chain, options.knows)
      contract = undefined
      share([])
      address = accountAt(await accountsOf(networks.on), account)
      if (chains.length > 1) await changeAccount(address)
    },
    close() {
      stop()
      for (const dapp of dapps.values()) dapp.close()
    },
  }
}

/** The parameters of a bundle, which asks that it be sent although a call is expected to fail. */
function withMayFail(params: unknown): unknown {
  if (!Array.isArray(params) || !isObject(params[0])) return params
  const { capabilities } = params[0]
  const wanted = { ...(isObject(capabilities) && capabilities), mayFail: {} }
  return [{ ...params[0], capabilities: wanted }, ...(params.slice(1) as readonly unknown[])]
}

/** @throws {RangeError} If the chain has no such account. */
function accountAt(accounts: readonly Address[], index: number): Address {
  const account = accounts[index]
  if (account === undefined)
    throw new RangeError(`the chain has ${accounts.length} accounts, none with the index ${index}`)
  return account
}
