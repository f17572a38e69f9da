import type { BlinknetProvider } from '#client/session/provider.ts'
import { ProviderRpcError } from '#client/session/provider.ts'
import type { ChainAddress } from '#client/session/remote-endpoint.ts'
import { problemWords } from '#client/session/remote-problem.ts'
import type { OtherChain } from '#client/wallet/switching-wallet.ts'
import type { Quantity } from '#primitives/hex.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import { CHAIN_LIST_PATH, POOL_PATH, readServedChains, type ServedChains } from '#rpc-types/served-chains.ts'
import { type AttachOptions, attachRemote, type RemoteSession } from './remote-session.ts'

/** Milliseconds that a server may take to list its chains. */
const LIST_MS = 5_000

/**
 * The chains of the Blinknet server at an address.
 *
 * @returns `undefined` if it lists none: it is down, has another program, or does not let this page read.
 */
export async function fetchServerChains(
  { url }: Pick<ChainAddress, 'url'>,
  send: typeof fetch = fetch,
): Promise<ServedChains | undefined> {
  try {
    const response = await send(new URL(CHAIN_LIST_PATH, url.replace(/^ws/, 'http')), {
      credentials: 'omit',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(LIST_MS),
    })
    return response.ok ? readServedChains(await response.json()) : undefined
  } catch {
    // The caller goes on without the list.
    return undefined
  }
}

/** The other chains of the server that a page shows a chain of, each attached to when it is first asked for. */
export class ServerChains {
  readonly #endpoint: ChainAddress
  readonly #options: Omit<AttachOptions, 'agreed' | 'expectedChainId'>
  readonly #tap: (provider: BlinknetProvider) => BlinknetProvider
  readonly #list: () => Promise<ServedChains | undefined>
  readonly #sessions = new Map<string, { readonly session: RemoteSession; readonly chain: OtherChain }>()

  /**
   * @param endpoint - The page's own chain. A person has agreed that the page connects to its server.
   * @param tap - What callers get of a chain's provider.
   */
  constructor(
    endpoint: ChainAddress,
    options: Omit<AttachOptions, 'agreed' | 'expectedChainId'>,
    tap: (provider: BlinknetProvider) => BlinknetProvider,
    list = () => fetchServerChains(endpoint),
  ) {
    this.#endpoint = endpoint
    this.#options = options
    this.#tap = tap
    this.#list = list
  }

  /**
   * The chain with an id, connected.
   *
   * @returns `undefined` if the server has none.
   * @throws {ProviderRpcError} 4901 if it does not answer.
   */
  async open(chainId: Quantity): Promise<OtherChain | undefined> {
    const listed = (await this.#list())?.chains.find((chain) => chain.chainId === chainId)
    if (!listed) return undefined
    const url = new URL(this.#endpoint.url)
    // A chain on demand has those with its name beside it.
    const pool = new RegExp(`^/${POOL_PATH}/[^/]+`).exec(url.pathname)?.[0] ?? ''
    url.pathname = listed.path === '/' ? pool : `${pool}${listed.path}`
    const known = this.#sessions.get(url.href)
    const { session, chain } = known ?? this.#attach(url, { name: listed.name, chainId })
    if (session.state.get().status === 'crashed') session.restart()
    await attached(session, listed.name)
    return chain
  }

  #attach(url: URL, { name, chainId }: Pick<OtherChain, 'name' | 'chainId'>) {
    const address = { url: url.href, transport: this.#endpoint.transport, host: `${url.host}${url.pathname}` }
    const session = attachRemote(address, { ...this.#options, expectedChainId: Number(chainId), agreed: true })
    const opened = { session, chain: { name, chainId, provider: this.#tap(session.provider) } }
    this.#sessions.set(url.href, opened)
    return opened
  }
}

/** @throws {ProviderRpcError} 4901 if it cannot be attached to. */
async function attached({ remote }: RemoteSession, name: string): Promise<void> {
  const { status } = remote
  await new Promise<void>((resolve, reject) => {
    const stop = status.subscribe(look)
    look()
    function look(): void {
      const now = status.get()
      if (now.status === 'attached') resolve()
      else if (now.status === 'failed') {
        const why = `the chain ${name} cannot be reached: ${problemWords(now.problem)}`
        reject(new ProviderRpcError(ERROR_CODES['chain-disconnected'], why))
      } else return
      // Only known once `subscribe` has returned; a second answer changes nothing.
      queueMicrotask(() => stop())
    }
  })
}
