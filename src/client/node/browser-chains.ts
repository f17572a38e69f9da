import type { ConnectionState, Observable } from '#client/session/connection-state.ts'
import { type BlinknetProvider, ProviderRpcError } from '#client/session/provider.ts'
import type { WidenWallet } from '#client/wallet/lazy-wallet.ts'
import { createSwitchingWallet, type FoundChain, type OtherChain } from '#client/wallet/switching-wallet.ts'
import type { Quantity } from '#primitives/hex.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import { errorText } from '#transport/port/messages.ts'
import { listChains } from './list-chains.ts'
import { watchPageLife } from './open-node.ts'
import { type SpawnedNode, spawnNode } from './spawn-node.ts'
import { startNodeWorker } from './start-node-worker.ts'
import { identifyChains } from './stored-chain.ts'

/** Most chains that are open beside the page's own: each is a worker with a chain in memory. */
const MOST_OPEN = 3
/** Most chains whose ids are looked for, in alphabetical order. */
const MOST_LISTED = 100
/** Milliseconds that a chain may take to open. A long one takes seconds; a frozen tab that runs it is replaced. */
const OPEN_MS = 30_000

/** What the browser has and does; replaced in tests. */
export interface BrowserChainsDeps {
  /** The names of the stored chains, without forks. */
  readonly list: () => Promise<readonly string[]>
  /** The ids of chains; `undefined` for one that cannot be read. */
  readonly identify: (names: readonly string[]) => Promise<readonly (number | undefined)[]>
  /** Opens a stored chain, or follows the tab that runs it. */
  readonly open: (name: string, chainId: Quantity) => SpawnedNode
  readonly watch: typeof watchPageLife
}

/** A chain that is open beside the page's own. */
interface OpenChain {
  readonly node: SpawnedNode
  readonly provider: BlinknetProvider
  /** How many wallets are on it. */
  users: number
}

const BROWSER: BrowserChainsDeps = {
  list: () => listChains(import.meta.env.BASE_URL),
  identify: identifyChains,
  // The id is named, so that a chain that was deleted meanwhile does not begin anew with the defaults.
  open: (name, chainId) => spawnNode({ chainId: Number(chainId) }, name, startNodeWorker, true),
  watch: watchPageLife,
}

/** The chains beside that of this page, once a dapp has asked for another chain than the page's own. */
let chains: BrowserChains | undefined

/** Makes the wallets of a page's dapps go to the other chains that this browser keeps, each opened once for all dapps. */
export function walletsOfBrowser(own: string | undefined, tap: Tap): WidenWallet {
  const shared = (chains ??= new BrowserChains(own, tap))
  return (wallet, home, requests, dapp) =>
    createSwitchingWallet(home, requests, dapp, (chainId) => shared.find(chainId), wallet)
}

type Tap = (provider: BlinknetProvider) => BlinknetProvider

/** The chains that this browser keeps besides the page's own. One is open while a wallet is on it. None is ever made. */
export class BrowserChains {
  readonly #own: string | undefined
  readonly #tap: Tap
  readonly #deps: BrowserChainsDeps
  readonly #opened = new Map<string, OpenChain>()
  #listing: Promise<ReadonlyMap<string, Quantity>> | undefined

  /**
   * @param own - Name of the page's own chain, if it is shared between tabs.
   * @param tap - What callers get of a chain's provider.
   */
  constructor(own: string | undefined, tap: Tap, deps = BROWSER) {
    this.#own = own
    this.#tap = tap
    this.#deps = deps
    const each = (act: (node: SpawnedNode) => void) => () => {
      for (const { node } of this.#opened.values()) act(node)
    }
    deps.watch({
      suspend: each((node) => node.suspend()),
      resume: each((node) => node.resume()),
      putAside: each((node) => node.putAside()),
      comeBack: each((node) => node.comeBack()),
    })
  }

  /** The chains with an id, in alphabetical order. Opens none. */
  async find(chainId: Quantity): Promise<readonly FoundChain[]> {
    const listed = await this.#list()
    return [...listed].flatMap(([name, id]) =>
      id === chainId ? [{ name, open: () => this.#enter(name, chainId) }] : [],
    )
  }

  /** Name → id. Callers at the same time get the same list, for which one worker starts. */
  #list(): Promise<ReadonlyMap<string, Quantity>> {
    this.#listing ??= this.#read().finally(() => {
      this.#listing = undefined
    })
    return this.#listing
  }

  async #read(): Promise<ReadonlyMap<string, Quantity>> {
    const names = (await this.#deps.list()).filter((name) => name !== this.#own).slice(0, MOST_LISTED)
    const ids = names.length === 0 ? [] : await this.#identify(names)
    return new Map(
      names.flatMap((name, i): [string, Quantity][] => {
        const id = ids[i]
        return id === undefined ? [] : [[name, `0x${id.toString(16)}`]]
      }),
    )
  }

  async #identify(names: readonly string[]): Promise<readonly (number | undefined)[]> {
    try {
      return await this.#deps.identify(names)
    } catch (cause) {
      const message = `the chains of this browser cannot be read: ${errorText(cause)}`
      throw new ProviderRpcError(ERROR_CODES['chain-disconnected'], message, { cause })
    }
  }

  async #enter(name: string, chainId: Quantity): Promise<OtherChain> {
    // The question may have stood for long.
    if ((await this.#list()).get(name) !== chainId) throw cannotOpen(name, 'it is no longer stored in this browser')
    const opened = this.#opened.get(name) ?? this.#open(name, chainId)
    const { node, provider } = opened
    opened.users++
    let isUser = true
    const release = () => {
      if (!isUser) return
      isUser = false
      if (--opened.users > 0) return
      this.#opened.delete(name)
      node.close()
    }
    try {
      if (node.state.get().status === 'crashed') node.restart()
      await running(node.state)
      if ((await node.provider.request({ method: 'eth_chainId' })) !== chainId) throw new Error('it has another id now')
      return { name, chainId, provider, release }
    } catch (error) {
      release()
      throw cannotOpen(name, errorText(error), error)
    }
  }

  #open(name: string, chainId: Quantity): OpenChain {
    if (this.#opened.size >= MOST_OPEN) {
      throw cannotOpen(name, `dapps of this page are on ${MOST_OPEN} other chains already`)
    }
    const node = this.#deps.open(name, chainId)
    const opened = { node, provider: this.#tap(node.provider), users: 0 }
    this.#opened.set(name, opened)
    return opened
  }
}

function cannotOpen(name: string, why: string, cause?: unknown): ProviderRpcError {
  return new ProviderRpcError(ERROR_CODES['chain-disconnected'], `the chain ${name} cannot be opened: ${why}`, {
    cause,
  })
}

/** Resolves once a stored chain answers. @throws {Error} If it does not. */
function running(state: Observable<ConnectionState>): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => end('it took too long'), OPEN_MS)
    const stop = state.subscribe(look)
    look()

    function end(why?: string): void {
      clearTimeout(late)
      // Only known once `subscribe` has returned; a second answer changes nothing.
      queueMicrotask(() => stop())
      if (why === undefined) resolve()
      else reject(new Error(why))
    }

    function look(): void {
      const now = state.get()
      if (now.status === 'crashed' || now.status === 'blocked') return end(now.message)
      if (now.status !== 'ready' || !now.role || now.role.kind === 'waits') return
      const { storage } = now.role
      end(storage.kind === 'memory' ? `it is in memory only: ${storage.reason}` : undefined)
    }
  })
}
