import type { RpcEndpoint } from '#rpc-types/connection.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import type { ChainRole } from './chain-role.ts'
import {
  errorText,
  type ForkBoot,
  type FromNode,
  type FromStore,
  isCallMessage,
  membersOf,
  type NodeFailure,
  type PortEvent,
  type PortLike,
  PROTOCOL,
  protocolMismatch,
  type RescuedFile,
  type ToNode,
  type ToStore,
} from './messages.ts'
import { type ServedCaller, serveCaller, servePort, unknownMessage } from './serve-port.ts'

/** The node's side of a worker: boots one node, and serves it to the page and every attached port. */
export interface NodeHost {
  /** Reports an error that nothing handled: every caller's pending calls end. */
  fail(thrown: unknown): void
}

/** The node that a host serves, or its stand-in. */
export interface HostedNode extends RpcEndpoint {
  /** The page is about to be frozen. */
  suspend?(): void
  /** The page continues. */
  resume?(): void
  /** A person wants the chain stored with this page's options. */
  keep?(): void
}

/** The page's request. */
export interface BootRequest {
  /** The chain that is shared between tabs; `undefined` for one of this worker alone. */
  readonly chainName: string | undefined
  /** As in {@link ToNode}. */
  readonly unasked: boolean
  /** As in {@link ToNode}. */
  readonly film: Uint8Array | undefined
  /** As in {@link ToNode}, with the port. */
  readonly fork: (ForkBoot & { readonly port: PortLike }) | undefined
  /** Tells the page who runs the chain. */
  readonly tell: (role: ChainRole) => void
}

/** Stored chains without a running node. */
export interface StoredChains {
  /** The stored chain as a file, as far as it is readable. */
  salvage(chainName: string): Promise<Uint8Array>
  /** What is proven of a damaged chain. */
  rescue(chainName: string): Promise<RescuedFile>
  erase(chainName: string): Promise<void>
  /** The chains' ids; `undefined` for one that is not stored or cannot be read. */
  identify(chainNames: readonly string[]): Promise<readonly (number | undefined)[]>
}

export interface HostDeps {
  /** Why there is no node, if a person can do something about it. */
  readonly failureOf?: (thrown: unknown) => NodeFailure | undefined
  /** Left out if the worker only runs nodes. */
  readonly store?: StoredChains
}

/**
 * Says `ready` on `port`, boots the node when asked, and serves it.
 *
 * @param boot - Builds and starts the node; rejects if it cannot run.
 */
export function serveHost(
  port: PortLike,
  boot: (options: NodeOptions, request: BootRequest) => Promise<HostedNode>,
  { failureOf, store }: HostDeps = {},
): NodeHost {
  const post = (message: FromNode) => port.postMessage(message)
  /** Ports attached while the node boots. A port queues its messages until it is served. */
  const waiting: PortLike[] = []
  const attached: ServedCaller[] = []
  let booting = false
  let node: HostedNode | undefined
  let page: ServedCaller | undefined
  let failed = false

  function fail(thrown: unknown): void {
    if (failed) return
    failed = true
    const message = errorText(thrown)
    for (const caller of attached) caller.fail(message)
    const unserved: FromNode = { kind: 'failed', message }
    for (const unservedPort of waiting) unservedPort.postMessage(unserved)
    const failure = failureOf?.(thrown)
    page?.end()
    post({ ...unserved, ...(failure && { failure }) })
  }

  /** Answers a request about a stored chain. */
  async function keep(asked: ToStore): Promise<void> {
    const answer = (message: FromStore) => port.postMessage(message)
    const mismatch = protocolMismatch(asked.protocol)
    if (mismatch) return fail(mismatch)
    if (!store || booting) return fail(`this worker cannot ${asked.kind} a chain`)
    try {
      if (asked.kind === 'identify') {
        return answer({ kind: 'identified', chainIds: await store.identify(asked.chainNames) })
      }
      const { kind, chainName } = asked
      if (kind === 'salvage') return answer({ kind: 'salvaged', file: await store.salvage(chainName) })
      if (kind === 'rescue') return answer({ kind: 'rescued', ...(await store.rescue(chainName)) })
      await store.erase(chainName)
      answer({ kind: 'erased' })
    } catch (error) {
      fail(error)
    }
  }

  async function start(message: ToNode & { kind: 'boot' }): Promise<void> {
    const { protocol, options, chainName, unasked = false, film, fork: source, port: asked } = message
    const mismatch = protocolMismatch(protocol)
    if (mismatch) return fail(mismatch)
    if (booting) return fail('the node was told to boot twice')
    booting = true
    try {
      const fork = source && asked && { ...source, port: asked }
      node = await boot(options, { chainName, unasked, film, fork, tell: (role) => post({ kind: 'moved', role }) })
    } catch (error) {
      return fail(error)
    }
    if (failed) return
    page = serveCaller(node, port)
    for (const waitingPort of waiting.splice(0)) attached.push(servePort(node, waitingPort))
    post({ kind: 'booted' })
  }

  port.onmessage = ({ data }: PortEvent<unknown>) => {
    if (isToHost(data)) receive(data)
    else fail(unknownMessage(data))
  }

  function receive(data: ToNode | ToStore): void {
    switch (data.kind) {
      case 'boot':
        void start(data)
        return
      case 'salvage':
      case 'rescue':
      case 'erase':
      case 'identify':
        void keep(data)
        return
      case 'attach':
        if (failed) data.port.postMessage({ kind: 'failed', message: 'the node has stopped' } satisfies FromNode)
        else if (node) attached.push(servePort(node, data.port))
        else waiting.push(data.port)
        return
      case 'suspend':
        node?.suspend?.()
        return
      case 'resume':
        node?.resume?.()
        return
      case 'keep':
        node?.keep?.()
        return
      case 'rpc':
      case 'read':
      case 'close':
        if (page) page.receive(data)
        else fail('the node was called before it had booted')
        return
      default:
        unknownKind(data)
    }
  }
  port.onmessageerror = () => fail('a message to the node could not be read')
  post({ kind: 'ready', protocol: PROTOCOL })
  return { fail }
}

type Members = ReturnType<typeof membersOf>

const asksForChain = ({ protocol, chainName }: Members) => typeof protocol === 'number' && typeof chainName === 'string'
const always = () => true

function isPort(value: unknown): boolean {
  return typeof membersOf(value)['postMessage'] === 'function'
}

/** Checks the members of each kind of message. Does not compile while a kind is missing. */
const IS_WELL_FORMED = {
  boot: ({ protocol, options, chainName, film, fork, port }) =>
    typeof protocol === 'number' &&
    (film === undefined || film instanceof Uint8Array) &&
    (fork === undefined || isPort(port)) &&
    typeof options === 'object' &&
    options !== null &&
    (chainName === undefined || typeof chainName === 'string'),
  salvage: asksForChain,
  rescue: asksForChain,
  erase: asksForChain,
  identify: ({ protocol, chainNames }) =>
    typeof protocol === 'number' &&
    Array.isArray(chainNames) &&
    chainNames.every((name: unknown) => typeof name === 'string'),
  attach: ({ port }) => isPort(port),
  suspend: always,
  resume: always,
  keep: always,
  rpc: isCallMessage,
  read: isCallMessage,
  close: isCallMessage,
} satisfies Record<(ToNode | ToStore)['kind'], (members: Members) => boolean>

const isKind = (kind: unknown): kind is keyof typeof IS_WELL_FORMED =>
  typeof kind === 'string' && Object.hasOwn(IS_WELL_FORMED, kind)

/** Whether the posted value is a message of the page with the members of this build's types. */
function isToHost(data: unknown): data is ToNode | ToStore {
  const members = membersOf(data)
  return isKind(members['kind']) && IS_WELL_FORMED[members['kind']](members)
}

/** Does not compile while a kind of message is not handled. */
function unknownKind(message: never): never {
  throw new TypeError(unknownMessage(message))
}
