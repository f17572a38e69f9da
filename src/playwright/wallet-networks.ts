import { type BlinknetProvider, ProviderRpcError } from '#client/session/provider.ts'
import type { Quantity } from '#primitives/hex.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import { isRpcAddress } from './routing.ts'

/** A chain of the test, as its wallet has it. */
export interface WalletChain {
  readonly name: string
  readonly chainId: Quantity
  readonly provider: BlinknetProvider
  /** Whether a dapp reaches this chain at an address: one that is routed to it, or where it listens. */
  readonly answersAt: (url: string) => boolean
}

/** A chain that a dapp wants the wallet to know (EIP-3085). */
export interface AddedChain {
  readonly chainId: Quantity
  readonly chainName: string
  readonly rpcUrls: readonly string[]
}

/** Most addresses of a chain that a dapp adds, and the most characters of each text. */
const MAX_URLS = 20
const MAX_TEXT = 2_048

/** The chains of a test's wallet: all that it could be on, those that it knows, and the one that it is on. */
export class WalletNetworks {
  readonly #all: readonly WalletChain[]
  readonly #known: Set<WalletChain>
  #on: WalletChain

  /**
   * @param start - Name of the chain that it is on at first; default the first that it knows.
   * @param known - Names of the chains that it knows at first; default all.
   * @throws {Error} If the test has no such chain.
   */
  constructor(all: readonly WalletChain[], start?: string, known?: readonly string[]) {
    this.#all = all
    this.#known = new Set(known?.map((name) => this.named(name)) ?? all)
    const [first] = this.#known
    const on = start === undefined ? first : this.named(start)
    if (!on) throw new Error('a wallet knows at least one chain: knows names none')
    this.#known.add(on)
    this.#on = on
  }

  get on(): WalletChain {
    return this.#on
  }

  set on(chain: WalletChain) {
    this.#known.add(chain)
    this.#on = chain
  }

  /** All chains of the test, the one that the wallet is on first. */
  all(): readonly WalletChain[] {
    return [this.#on, ...this.#all.filter((chain) => chain !== this.#on)]
  }

  /** @throws {Error} If the test has no such chain. */
  named(name: string): WalletChain {
    return this.#all.find((chain) => chain.name === name) ?? this.#missing(JSON.stringify(name))
  }

  /** @throws {Error} If the test has no such chain. */
  withId(id: number): WalletChain {
    return this.#all.find(({ chainId }) => Number(chainId) === id) ?? this.#missing(`with the id ${String(id)}`)
  }

  /**
   * The chain that a dapp wants the wallet to be on.
   *
   * @throws {ProviderRpcError} 4902 if the wallet does not know it, -32602 if that is no chain id.
   */
  toSwitchTo(params: unknown): WalletChain {
    const chainId = chainIdIn(firstOf(params))
    const chain = this.#find(chainId)
    if (chain && this.#known.has(chain)) return chain
    throw new ProviderRpcError(ERROR_CODES['unrecognized-chain'], this.#unrecognized(chainId, chain))
  }

  /**
   * The chain that a dapp wants the wallet to know. It is one of the test's, and it answers at one of the dapp's addresses at
   * least, and at none of them another chain does: what the wallet says must be what the dapp finds there.
   *
   * @throws {ProviderRpcError} -32602 if the description makes no sense, or an address answers for another chain; 4902 if the
   * test has no such chain.
   */
  toAdd(params: unknown): { readonly chain: WalletChain; readonly asked: AddedChain; readonly isKnown: boolean } {
    const given = firstOf(params)
    const chainId = chainIdIn(given)
    const chain = this.#find(chainId)
    if (!chain) {
      throw new ProviderRpcError(ERROR_CODES['unrecognized-chain'], this.#unrecognized(chainId, undefined))
    }
    const isKnown = this.#known.has(chain)
    if (isKnown) return { chain, asked: { chainId, chainName: chain.name, rpcUrls: [] }, isKnown }
    const { chainName = chain.name, rpcUrls } = given
    if (typeof chainName !== 'string' || chainName.length > MAX_TEXT) throw invalid('chainName is not a text')
    if (!isListOfUrls(rpcUrls)) throw invalid(`rpcUrls is a list of 1 to ${MAX_URLS} addresses of HTTP or WebSocket`)
    for (const url of rpcUrls) {
      if (chain.answersAt(url)) continue
      const other = this.#all.find(({ answersAt }) => answersAt(url))
      if (other) throw invalid(`chain ${chainId} does not answer at its rpcUrls: ${url} is the chain ${other.name}`)
    }
    if (!rpcUrls.some((url) => chain.answersAt(url))) {
      throw invalid(`chain ${chainId} does not answer at its rpcUrls: the test routes none of them there (rpcUrls)`)
    }
    return { chain, asked: { chainId, chainName, rpcUrls }, isKnown }
  }

  #find(chainId: Quantity): WalletChain | undefined {
    return this.#all.find((chain) => chain.chainId === chainId)
  }

  #names(): string {
    return this.#all.map(({ name, chainId }) => `${name} (${BigInt(chainId)})`).join(', ')
  }

  #missing(which: string): never {
    throw new Error(`this test has no chain ${which}: it has ${this.#names()}, and others by test.use({ chains })`)
  }

  #unrecognized(chainId: Quantity, chain: WalletChain | undefined): string {
    const hint = chain
      ? `this test's wallet does not know the chain ${chain.name} yet`
      : `this test has the chains ${this.#names()}, and others by test.use({ chains })`
    return `Unrecognized chain ID "${chainId}". Try adding the chain using wallet_addEthereumChain first: ${hint}`
  }
}

function firstOf(params: unknown): Readonly<Record<string, unknown>> {
  const first: unknown = Array.isArray(params) ? params[0] : undefined
  if (typeof first === 'object' && first !== null) return first as Readonly<Record<string, unknown>>
  throw invalid('not an object')
}

function chainIdIn({ chainId }: Readonly<Record<string, unknown>>): Quantity {
  if (typeof chainId !== 'string' || !/^0x[\da-f]{1,64}$/i.test(chainId)) throw invalid('chainId is not a quantity')
  return `0x${BigInt(chainId).toString(16)}`
}

function isListOfUrls(value: unknown): value is readonly string[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_URLS) return false
  return value.every((url: unknown) => typeof url === 'string' && url.length <= MAX_TEXT && isRpcAddress(url))
}

function invalid(why: string): ProviderRpcError {
  return new ProviderRpcError(ERROR_CODES['invalid-params'], `invalid argument 0: ${why}`)
}
