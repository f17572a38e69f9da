import type { BrowserContext, WebSocketRoute } from '@playwright/test'
import type { RpcConnection } from '#rpc-types/connection.ts'
import type { JsonRpcResponse } from '#rpc-types/envelope.ts'
import { compressFlashblock, SUBSCRIBE_TO_FLASHBLOCKS } from '#server/http/flashblocks-streams.ts'
import type { Activity } from './activity.ts'
import { isAt, parseRpcAddress, type RoutedChain } from './routing.ts'

/** What comes at the address of a Flashblocks stream. */
export interface FlashblocksOptions {
  /** The name of the chain whose partial blocks come there; default the first one. */
  readonly chain?: string
  /** `brotli`: compressed, in binary frames, as Base's public address sends them; `text`: as they are. Default `brotli`. */
  readonly form?: 'brotli' | 'text'
}

/**
 * Addresses of Flashblocks streams: those of the test's first chain, or each with the name of its chain or with
 * {@link FlashblocksOptions}. Not a list of objects: Playwright takes one in the second place for options of its own.
 */
export type FlashblocksUrls = readonly string[] | Readonly<Record<string, string | FlashblocksOptions>>

interface FlashblocksRoute {
  readonly url: URL
  readonly chain: RoutedChain
  readonly form: 'brotli' | 'text'
}

/** Most streams that a test routes. */
const MAX_STREAMS = 100

/**
 * The streams of a test's chains.
 *
 * @throws {TypeError} If one is no address of WebSocket, names a chain that the test does not have, or an unknown form.
 */
export function flashblocksRoutesOf(
  urls: FlashblocksUrls,
  chains: readonly RoutedChain[],
): readonly FlashblocksRoute[] {
  const entries: readonly (readonly [string, string | FlashblocksOptions])[] = Array.isArray(urls)
    ? (urls as readonly string[]).map((url) => [url, {}] as const)
    : Object.entries(urls as Readonly<Record<string, string | FlashblocksOptions>>)
  if (entries.length > MAX_STREAMS) throw new RangeError(`flashblocks has at most ${MAX_STREAMS} addresses`)
  return entries.map(([text, given]) => {
    const { chain: name, form = 'brotli' }: FlashblocksOptions = typeof given === 'string' ? { chain: given } : given
    const url = parseRpcAddress(text, 'flashblocks')
    if (!url.protocol.startsWith('ws')) throw new TypeError(`flashblocks takes addresses of WebSocket, not ${text}`)
    if (form !== 'brotli' && form !== 'text') {
      throw new TypeError(`flashblocks has the form "brotli" or "text", not ${JSON.stringify(form)}`)
    }
    const chain = name === undefined ? chains[0] : chains.find((each) => each.name === name)
    if (chain) return { url, chain, form }
    const names = chains.map((each) => each.name).join(', ')
    throw new TypeError(`flashblocks names the chain ${JSON.stringify(name)} at ${text}: this test has ${names}`)
  })
}

/**
 * Answers at these addresses with the partial blocks of their chains, with nothing listening there.
 *
 * @returns Ends the connections.
 */
export async function routeFlashblocks(
  context: BrowserContext,
  routes: readonly FlashblocksRoute[],
  activity: Activity,
): Promise<() => void> {
  const opened = new Set<RpcConnection>()
  for (const route of routes) {
    await context.routeWebSocket(
      (url) => isAt(url, route.url),
      (socket) => serve(socket, route, opened, activity),
    )
  }
  return () => {
    for (const connection of opened) connection.close()
  }
}

function serve(
  socket: WebSocketRoute,
  { chain, form }: FlashblocksRoute,
  opened: Set<RpcConnection>,
  activity: Activity,
): void {
  /** Messages that are being compressed, one after the other. */
  let sent: Promise<void> = Promise.resolve()
  const end = () => {
    opened.delete(connection)
    connection.close()
  }
  const fail = (reason: string) => {
    end()
    void socket.close({ code: 1011, reason })
  }
  const connection = chain.dapp.connect((_body, parts) => {
    if (!parts) return fail('the subscription has ended')
    if (form === 'text') return socket.send(parts.result)
    sent = activity.during(() =>
      sent
        .then(() => compressFlashblock(parts.result))
        .then((bytes) => {
          if (opened.has(connection)) socket.send(bytes)
        }),
    )
    sent.catch(() => fail('a message could not be compressed'))
  })
  opened.add(connection)
  socket.onClose(end)
  connection.handle(SUBSCRIBE_TO_FLASHBLOCKS).then(
    (answer) => {
      if (!('result' in (JSON.parse(answer ?? '{}') as Partial<JsonRpcResponse>))) fail('there is no subscription')
    },
    () => fail('there is no subscription'),
  )
}
