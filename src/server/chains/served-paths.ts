import { toQuantity } from '#primitives/hex.ts'
import type { LatestReading, RpcConnection, RpcEndpoint } from '#rpc-types/connection.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import { POOL_PATH, type ServedChainInfo, type ServedChains } from '#rpc-types/served-chains.ts'
import { type ChainAtPath, type ChainPaths, pathParts, reachable } from '#server/http/chain-paths.ts'
import { failedAnswer } from '#transport/relay/call-again.ts'
import type { DemandPool, MadeChain } from './demand-pool.ts'

/** A chain that a server has from its start. */
export interface NamedNode {
  /** `undefined` for the only one. */
  readonly name: string | undefined
  /** As it was at the start: its path as well, unless another chain has that name. */
  readonly chainId: number
  readonly node: RpcEndpoint
}

/** Chains that callers make. */
export interface ServedPool {
  readonly chains: DemandPool
  readonly size: number
  readonly idleSeconds: number
  /** Makes a chain like one of the server's, running. */
  readonly make: (like: NamedNode, name: string) => Promise<MadeChain>
}

/** A name in the path of a pool: what needs no percent sign, so that it has one spelling. */
const POOL_NAME = /^[\w.~-]{1,64}$/
const POOL_NAME_RULE = 'a name has 1 to 64 letters, digits, and - . _ ~'

type Chain = ReturnType<typeof reachable>

/** The chains of a server by their paths: `/base`, `/8453`, `/pool/7`, `/pool/7/base`, and the first one at all others. */
export class ServedPaths implements ChainPaths {
  readonly #all: readonly NamedNode[]
  readonly #pool: ServedPool | undefined
  readonly #reached: ReadonlyMap<NamedNode, Chain>
  readonly #byPath = new Map<string, NamedNode>()
  readonly #first: NamedNode
  readonly #atRoot: ChainAtPath

  /** @param first - The one at the bare address. */
  constructor([first, ...others]: readonly [NamedNode, ...NamedNode[]], pool?: ServedPool) {
    this.#all = [first, ...others]
    this.#first = first
    this.#pool = pool
    for (const chain of this.#all) if (chain.name !== undefined) this.#byPath.set(chain.name, chain)
    for (const chain of this.#all) {
      const id = String(chain.chainId)
      if (chain.name !== undefined && !this.#byPath.has(id)) this.#byPath.set(id, chain)
    }
    this.#reached = new Map(this.#all.map((chain) => [chain, reachable(chain.node)]))
    this.#atRoot = this.#reached.get(first) ?? reachable(first.node)
  }

  at(target: string): ChainAtPath {
    if (target === '/' || target.startsWith('/?')) return this.#atRoot
    const [first, ...rest] = pathParts(target, 3)
    if (first === undefined) return this.#atRoot
    if (first === POOL_PATH) return this.#inPool(rest)
    const chain = this.#byPath.get(first)
    const reached = chain && this.#reached.get(chain)
    if (reached) return reached
    if (this.#byPath.size === 0 || first === 'rpc') return this.#atRoot
    return refusing(`this server has no chain at /${shorten(first)}: ${this.#words()}`)
  }

  prefixOf(target: string): string | undefined {
    if (this.#byPath.size === 0 && !this.#pool) return undefined
    const [first = '', name = '', third = ''] = pathParts(target, 3)
    if (first === POOL_PATH && this.#pool && POOL_NAME.test(name)) {
      return this.#byPath.has(third) ? `/${POOL_PATH}/${name}/${third}` : `/${POOL_PATH}/${name}`
    }
    return this.#byPath.has(first) ? `/${first}` : ''
  }

  list(): ServedChains {
    // Without a call: a failure that a test has planned is for its own.
    const chains = this.#all.map(
      ({ name, chainId }): ServedChainInfo => ({
        name: name ?? 'chain',
        chainId: toQuantity(BigInt(chainId)),
        path: name === undefined ? '/' : `/${name}`,
      }),
    )
    const { size, idleSeconds, chains: made } = this.#pool ?? {}
    return {
      chains,
      ...(made &&
        size !== undefined &&
        idleSeconds !== undefined && { pool: { size, idleSeconds, names: made.names() } }),
    }
  }

  mayEnd(target: string): boolean {
    return this.#pool !== undefined && pathParts(target, 2)[0] === POOL_PATH
  }

  /** Ends a chain of the pool, or all that have its name. */
  async end(target: string): Promise<boolean> {
    const [, name = '', third = ''] = pathParts(target, 3)
    const pool = this.#pool?.chains
    if (!pool) return false
    const like = this.#byPath.get(third)
    const keys = third === '' ? this.#all.map((each) => keyOf(name, each)) : like ? [keyOf(name, like)] : []
    const ended = await Promise.all(keys.map((key) => pool.end(key)))
    return ended.includes(true)
  }

  close(): void {
    for (const chain of this.#reached.values()) chain.close()
  }

  #inPool([name, third]: readonly string[]): ChainAtPath {
    const pool = this.#pool
    if (!pool) return refusing(`this server makes no chains on demand: start it with --pool`)
    if (name === undefined || !POOL_NAME.test(name)) {
      return refusing(`no chain of the pool can be named so: ${POOL_NAME_RULE}`, ERROR_CODES['invalid-params'])
    }
    const like = third === undefined || third === 'rpc' ? this.#first : this.#byPath.get(third)
    if (!like && this.#byPath.size > 0) {
      return refusing(`the pool has no chain like /${shorten(third ?? '')}: ${this.#words()}`)
    }
    const model = like ?? this.#first
    const key = keyOf(name, model)
    return pool.chains.at(key, () => pool.make(model, key))
  }

  #words(): string {
    return `it has ${this.#all.map(({ name, chainId }) => `/${name} (chain ${chainId})`).join(', ')}`
  }
}

/** What tells a chain of a pool from all others. */
function keyOf(name: string, { name: like }: NamedNode): string {
  return like === undefined ? name : `${name}/${like}`
}

/** Answers all calls by why there is no chain. */
function refusing(message: string, code: number = ERROR_CODES.server): ChainAtPath {
  const refuse: RpcConnection = { handle: async (body) => failedAnswer(body, message, code), close() {} }
  const callers: Readonly<Record<LatestReading, RpcConnection>> = { sealed: refuse, preconfirmed: refuse }
  return { callers, connect: () => refuse }
}

/** Characters of a path that an error repeats. */
const MAX_QUOTED = 64

function shorten(text: string): string {
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text
}
