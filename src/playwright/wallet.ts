import { randomBytes } from 'node:crypto'
import type { BrowserContext } from '@playwright/test'
import { type BlinknetProvider, ProviderRpcError } from '#client/session/provider.ts'
import { blinknetInfo } from '#client/wallet/eip6963.ts'
import { createDappWallet } from '#client/wallet/wallet-provider.ts'
import { createWalletRequests, type WalletRequest } from '#client/wallet/wallet-requests.ts'
import type { Address, Hash, Quantity } from '#primitives/hex.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import type { RpcReceipt } from '#rpc-types/objects.ts'
import type { Activity } from './activity.ts'
import { installWallet, type PageAnswer, type PageCall, type PageEvent } from './wallet-page.ts'

/** Behaviour of a test's wallet. */
export interface WalletOptions {
  /** Which of the chain's development accounts it shares; default 0. */
  readonly account?: number
  /** `auto`: approves everything; `refuse`: refuses everything; `manual`: waits for {@link Wallet.approve} or {@link Wallet.refuse}. Default `auto`. */
  readonly approve?: 'auto' | 'manual' | 'refuse'
  /**
   * Other chains that a dapp may switch to, by their ids; default none, and the dapp gets error 4902. The test has one chain,
   * which answers for all of them. The wallet sends and signs no transaction while it is on another one.
   */
  readonly otherChains?: readonly number[]
  /** False: no wallet is put into the dapp's pages. Default true. */
  readonly installed?: boolean
}

/** The question of a dapp that wants another chain. */
export interface SwitchChainRequest {
  readonly kind: 'switch-chain'
  readonly chainId: Quantity
}

/** A dapp's question to the person. */
export type WalletQuestion = WalletRequest | SwitchChainRequest

/** The wallet of a test, as the person who holds it. */
export interface Wallet {
  /** The account that it shares. */
  readonly address: Address
  /** The newest transaction that a dapp sent by it. @throws {Error} If none was sent. */
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
  /** Changes to another chain, as the person may at any time; dapps hear `chainChanged`. This chain goes on answering. */
  switchChain(chainId: number): void
  /** Takes the accounts back from the dapp: it hears `accountsChanged` with none. */
  disconnect(): void
}

/** A wallet and its end. */
export interface InstalledWallet {
  readonly wallet: Wallet
  close(): void
}

interface OpenQuestion {
  readonly question: WalletQuestion
  settle(approved: boolean): void
}

/** Methods for a transaction of the chain that the wallet is on. */
const SENDS = /^(?:eth_(?:send|sign)(?:Raw)?Transaction|wallet_sendCalls$)/

const BINDING = '__blinknetWallet'

/** Puts a wallet into every page of a test, in this process: it signs by the chain's own development accounts. */
export async function openWallet(
  context: BrowserContext,
  chain: BlinknetProvider,
  activity: Activity,
  { account = 0, approve = 'auto', otherChains = [], installed = true }: WalletOptions,
): Promise<InstalledWallet> {
  const accounts = await chain.request({ method: 'eth_accounts' })
  const ownChainId = await chain.request({ method: 'eth_chainId' })
  let address = accountAt(accounts, account)
  let chainId: Quantity = ownChainId
  const allowed: ReadonlySet<Quantity> = new Set(otherChains.map((id): Quantity => `0x${id.toString(16)}`))
  let how = approve
  const transactions: Hash[] = []
  const open: OpenQuestion[] = []
  const events: PageEvent[] = []
  const waiting = new Set<() => void>()
  const asked = new Set<() => void>()
  const requests = createWalletRequests()
  const dapp = createDappWallet(chain, requests, 'the dapp')
  const { provider } = dapp

  function emit(name: string, payload: unknown): void {
    events.push({ name, payload })
    const woken = [...waiting]
    waiting.clear()
    for (const wake of woken) wake()
  }
  for (const name of ['message', 'accountsChanged'] as const) provider.on(name, (payload) => emit(name, payload))

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

  function changeChain(to: Quantity): void {
    if (to === chainId) return
    chainId = to
    emit('chainChanged', to)
  }

  /** @throws {ProviderRpcError} 4902 if the test does not have the chain, 4001 if the person refuses. */
  async function switchChain(params: unknown): Promise<null> {
    const [wanted] = Array.isArray(params) ? (params as readonly { readonly chainId?: unknown }[]) : []
    const to = wanted?.chainId
    if (typeof to !== 'string' || !/^0x[\da-f]+$/i.test(to)) {
      throw new ProviderRpcError(ERROR_CODES['invalid-params'], 'invalid argument 0: chainId is not a quantity')
    }
    const id: Quantity = `0x${BigInt(to).toString(16)}`
    if (id === chainId) return null
    if (id !== ownChainId && !allowed.has(id)) {
      const hint = `this test's wallet has chain ${ownChainId} only, and those of its option otherChains`
      throw new ProviderRpcError(ERROR_CODES['unrecognized-chain'], `Unrecognized chain ID "${id}": ${hint}`)
    }
    const approved = await new Promise<boolean>((settle) =>
      ask({ question: { kind: 'switch-chain', chainId: id }, settle }),
    )
    if (!approved) throw new ProviderRpcError(ERROR_CODES['user-rejected'], 'the person refused to change the chain')
    changeChain(id)
    return null
  }

  function onOtherChain(): ProviderRpcError {
    const message = `the wallet is on chain ${chainId}, which this test does not have: nothing is sent there. Its chain is ${ownChainId}`
    return new ProviderRpcError(ERROR_CODES['chain-disconnected'], message)
  }

  async function request(method: string, params: unknown): Promise<unknown> {
    switch (method) {
      case 'eth_chainId':
        return chainId
      case 'net_version':
        return String(BigInt(chainId))
      case 'wallet_switchEthereumChain':
      case 'wallet_addEthereumChain':
        return switchChain(params)
      default: {
        if (chainId !== ownChainId && SENDS.test(method)) throw onOtherChain()
        const result = await provider.request({ method, params })
        if (method === 'eth_sendTransaction') transactions.push(result as Hash)
        if (method === 'eth_sendTransactionSync') transactions.push((result as RpcReceipt).transactionHash)
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

  if (installed) {
    await context.exposeBinding(BINDING, (_source, call: PageCall) => answerPage(call))
    await context.addInitScript(installWallet, { binding: BINDING, info: { ...blinknetInfo(randomBytes(16)) } })
  }
  const wallet: Wallet = {
    get address() {
      return address
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
      address = accountAt(accounts, next)
      const shared = await provider.request({ method: 'eth_accounts' })
      if (Array.isArray(shared) && shared.length > 0) dapp.share([address])
    },
    switchChain(id) {
      changeChain(`0x${id.toString(16)}`)
    },
    disconnect: () => dapp.share([]),
  }
  return {
    wallet,
    close() {
      stop()
      dapp.close()
    },
  }
}

/** @throws {RangeError} If the chain has no such account. */
function accountAt(accounts: readonly Address[], index: number): Address {
  const account = accounts[index]
  if (account === undefined)
    throw new RangeError(`the chain has ${accounts.length} accounts, none with the index ${index}`)
  return account
}
