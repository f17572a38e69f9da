import { isGuest } from '#client/session/capabilities.ts'
import { type ConnectionState, createObservable } from '#client/session/connection-state.ts'
import { createProvider } from '#client/session/provider.ts'
import { type ChainAddress, isMixedContent } from '#client/session/remote-endpoint.ts'
import { problemOf, problemWords, RemoteDisconnectedError, type RemoteProblem } from '#client/session/remote-problem.ts'
import type { NodeSession, RemoteStatus, RemoteView } from '#client/session/session.ts'
import { errorText } from '#transport/port/messages.ts'
import { GuestCalls } from './guest-calls.ts'
import { RemoteAnswers } from './remote-answers.ts'
import { askCapabilities, parseChainId } from './remote-capabilities.ts'
import { connectHttp } from './remote-http.ts'
import type { RemoteLink, RemoteLinkListener } from './remote-link.ts'
import { connectSocket } from './remote-socket.ts'

/** A remote chain instead of the built-in one. Its `restart` reconnects. */
export interface RemoteSession extends NodeSession {
  readonly remote: RemoteView
}

export interface AttachOptions {
  /** The required EIP-155 chain id; by default any. */
  readonly expectedChainId?: number | undefined
  /** `location.protocol` of the page. */
  readonly pageProtocol: string
  /** Whether the page came from the endpoint; default false. */
  readonly served?: boolean
  /** Whether a person wants the page to connect there. If not, nothing is sent before `agree`. */
  readonly agreed: boolean
  /** Replaces the connection in tests. */
  readonly connect?: (endpoint: ChainAddress, listener: RemoteLinkListener) => RemoteLink
}

/** Attempts after a loss, and the delay before the first one in milliseconds. Each delay is twice the one before. */
const ATTEMPTS = 6
const FIRST_DELAY_MS = 500

/** Attaches the page to a remote chain. A lost connection is retried for a while; a failed first one is not. */
export function attachRemote(endpoint: ChainAddress, options: AttachOptions): RemoteSession {
  const { expectedChainId, pageProtocol, served = false, connect = openLink } = options
  const state = createObservable<ConnectionState>({ status: 'starting' })
  const status = createObservable<RemoteStatus>(
    options.agreed ? { status: 'connecting', attempt: 0 } : { status: 'asking' },
  )
  const answers = new RemoteAnswers()
  const guestCalls = new GuestCalls()
  const handle = createProvider(async (body) => {
    const ask = () => link.request(body)
    return answers.check(body, await (isOfGuest() ? guestCalls.run(body, ask) : ask()))
  })
  /** Number of the current link. Messages of an older link are ignored. */
  let generation = 0
  /** Whether a room's guest looks around. */
  let looks = false
  let retry: ReturnType<typeof setTimeout> | undefined
  let link = options.agreed ? open(0) : deadLink(new RemoteDisconnectedError({ code: 'not-agreed' }))

  function open(attempt: number): RemoteLink {
    const mine = ++generation
    state.set({ status: 'starting' })
    status.set({ status: 'connecting', attempt })
    // Deferred, since `link` must be set first.
    queueMicrotask(() => void settle(mine, attempt))
    // A browser throws at the attempt.
    if (isMixedContent(endpoint, pageProtocol)) return deadLink(new RemoteDisconnectedError({ code: 'mixed-content' }))
    return connect(endpoint, {
      onNotification(body) {
        if (mine !== generation) return
        const problem = answers.problemWith(body)
        if (problem === undefined) handle.receive(body)
        else if (status.get().status === 'attached') giveUp(problem)
      },
      onLost(error) {
        if (mine === generation && status.get().status === 'attached') lose(error.message)
      },
    })
  }

  async function settle(mine: number, attempt: number): Promise<void> {
    try {
      const attached = await greet()
      if (mine !== generation) return
      status.set(attached)
      follow(attached)
    } catch (error) {
      if (mine !== generation) return
      const problem = problemOf(error) ?? { code: 'refused', message: errorText(error) }
      if (attempt > 0 && attempt < ATTEMPTS) retryAfter(attempt + 1)
      else fail(problem)
    }
  }

  function isOfGuest(): boolean {
    const now = status.get()
    return now.status === 'attached' && isGuest(now.capabilities)
  }

  function follow({ capabilities }: RemoteStatus & { status: 'attached' }): void {
    state.set({ status: isGuest(capabilities) && !looks ? 'starting' : 'ready' })
  }

  /**
   * @throws {Error} If the page cannot attach to this chain, for a reason known to {@link problemOf} or given by the
   * endpoint.
   */
  async function greet(): Promise<RemoteStatus & { status: 'attached' }> {
    const { provider } = handle
    const chainId = parseChainId(await provider.request({ method: 'eth_chainId' }))
    if (expectedChainId !== undefined && expectedChainId !== chainId) {
      throw new RemoteDisconnectedError({ code: 'wrong-chain', expected: expectedChainId, actual: chainId })
    }
    const capabilities = await askCapabilities(provider, endpoint.transport === 'webSocket')
    const clientVersion = await provider.request({ method: 'web3_clientVersion' }).catch((error: unknown) => {
      if (problemOf(error)) throw error
      return ''
    })
    await handle.announceConnect(await handle.ask(capabilities.accounts))
    return { status: 'attached', capabilities, chainId, clientVersion }
  }

  function lose(message: string): void {
    handle.announceDisconnect(message)
    retryAfter(1)
  }

  function retryAfter(attempt: number): void {
    generation++
    link.close()
    state.set({ status: 'starting' })
    status.set({ status: 'connecting', attempt })
    retry = setTimeout(
      () => {
        link = open(attempt)
      },
      FIRST_DELAY_MS * 2 ** (attempt - 1),
    )
  }

  function giveUp(message: string): void {
    handle.announceDisconnect(message)
    fail({ code: 'refused', message })
  }

  function fail(problem: RemoteProblem): void {
    stop()
    // The next attempt asks for as little as it can.
    looks = false
    status.set({ status: 'failed', problem })
    state.set({ status: 'crashed', message: problemWords(problem) })
  }

  function stop(): void {
    generation++
    clearTimeout(retry)
    link.close()
  }

  return {
    provider: handle.provider,
    state,
    options: () => ({}),
    remote: {
      endpoint,
      served,
      status,
      agree() {
        if (status.get().status === 'asking') link = open(0)
      },
      giveUp,
      lookAround(now) {
        looks = now
        const attached = status.get()
        if (attached.status === 'attached') follow(attached)
      },
    },
    restart() {
      if (status.get().status === 'asking') return
      if (status.get().status === 'attached') handle.announceDisconnect('reconnecting')
      stop()
      link = open(0)
    },
    close() {
      stop()
      state.set({ status: 'crashed', message: 'the connection was closed' })
      handle.announceDisconnect('the connection was closed')
    },
  }
}

function deadLink(error: RemoteDisconnectedError): RemoteLink {
  return {
    async request() {
      throw error
    },
    close() {},
  }
}

function openLink({ url, transport }: ChainAddress, listener: RemoteLinkListener): RemoteLink {
  return transport === 'http'
    ? connectHttp(url, listener, (input, init) => fetch(input, init))
    : connectSocket(new WebSocket(url), listener)
}
