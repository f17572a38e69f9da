import { brotliCompress, constants } from 'node:zlib'
import type { NotificationParts, RpcConnection } from '#rpc-types/connection.ts'
import type { JsonRpcResponse } from '#rpc-types/envelope.ts'
import { type ChainPaths, pathOf } from './chain-paths.ts'
import { binaryFrame, type SharedTexts, sharedBytes, shareTexts } from './frames.ts'

/** As the proxy of Base and rollup-boost compresses. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 22 } }
/** Messages that wait to be compressed; if more do, those who want them compressed are cut off. The proxy keeps as many. */
const MAX_WAITING = 100
/** The query of an address whose messages are compressed. */
const WANTS_BROTLI = /\?(?:.*&)?brotli(?:[=&]|$)/

/** Asks a chain for the messages of its stream. */
export const SUBSCRIBE_TO_FLASHBLOCKS = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'eth_subscribe',
  params: ['newPartialBlocks', 'flashblock'],
})

type PushFrames = (frames: SharedTexts) => void

/**
 * Opens a connection to the chain of a stream.
 *
 * @param cutOff - Ends the stream; called if the chain ends before it.
 */
type OpenChain = (
  take: (body: string | SharedTexts, parts?: NotificationParts) => void,
  cutOff: () => void,
) => RpcConnection

/** The way to one stream. */
interface StreamAtPath {
  /** The path of its chain. */
  readonly chain: string
  /**
   * Sends a client each message from the next one on. What the client sends is ignored, as in the field.
   *
   * @param open - Called for the first client.
   * @param cutOff - Ends the client's WebSocket.
   */
  readonly join: (push: PushFrames, open: OpenChain, cutOff: () => void) => RpcConnection
}

/** The streams of a server's chains: raw messages over WebSocket, each a partial block. */
export class FlashblocksStreams {
  readonly #path: string
  /** By the paths of their chains. */
  readonly #streams = new Map<string, Stream>()

  /** @param path - Of the stream, below that of its chain: `/ws` is also `/base/ws`. */
  constructor(path: string) {
    this.#path = path
  }

  /** The stream at an address; `undefined` if it is an address of JSON-RPC. @param target - Of the request. */
  at(target: string, chains: ChainPaths | undefined): StreamAtPath | undefined {
    const prefix = chains?.prefixOf(target) ?? ''
    if (pathOf(target) !== `${prefix}${this.#path}`) return undefined
    const brotli = WANTS_BROTLI.test(target)
    return {
      chain: prefix || '/',
      join: (push, open, cutOff) => {
        const stream = this.#streams.get(prefix) ?? new Stream(open, () => this.#streams.delete(prefix))
        this.#streams.set(prefix, stream)
        stream.add(push, { brotli, cutOff })
        return { handle: async () => undefined, close: () => stream.delete(push) }
      },
    }
  }
}

interface Listener {
  readonly brotli: boolean
  readonly cutOff: () => void
}

/** One subscription of a chain for all who listen to its stream. It ends with the last of them. */
class Stream {
  readonly #listeners = new Map<PushFrames, Listener>()
  readonly #connection: RpcConnection
  readonly #onEnd: () => void
  /** Messages that are being compressed, one after the other. */
  #compressed: Promise<void> = Promise.resolve()
  #waiting = 0

  constructor(open: OpenChain, onEnd: () => void) {
    this.#onEnd = onEnd
    const cutOff = () => this.#cutOff(() => true)
    this.#connection = open((_body, parts) => {
      // Only the end of the subscription comes without parts.
      if (parts) this.#send(parts.result)
      else cutOff()
    }, cutOff)
    void this.#subscribe(cutOff)
  }

  add(push: PushFrames, listener: Listener): void {
    this.#listeners.set(push, listener)
  }

  delete(push: PushFrames): void {
    if (this.#listeners.delete(push) && this.#listeners.size === 0) this.#end()
  }

  async #subscribe(cutOff: () => void): Promise<void> {
    const answer = JSON.parse(
      (await this.#connection.handle(SUBSCRIBE_TO_FLASHBLOCKS)) ?? '{}',
    ) as Partial<JsonRpcResponse>
    if (!('result' in answer)) cutOff()
  }

  #send(result: string): void {
    const listeners = [...this.#listeners]
    const plain = listeners.filter(([, { brotli }]) => !brotli)
    if (plain.length > 0) {
      const frames = shareTexts([result])
      for (const [push] of plain) push(frames)
    }
    if (plain.length < listeners.length) this.#sendCompressed(result)
  }

  /** Beside the chain's own thread, one after the other. */
  #sendCompressed(result: string): void {
    const wantsBrotli = ({ brotli }: Listener) => brotli
    if (this.#waiting === MAX_WAITING) return this.#cutOff(wantsBrotli)
    // Who comes while it is compressed gets the next one first.
    const pushes = [...this.#listeners].filter(([, each]) => each.brotli).map(([push]) => push)
    this.#waiting++
    this.#compressed = this.#compressed
      .then(() => compressFlashblock(result))
      .then((bytes) => {
        const message = { texts: [], frames: sharedBytes(binaryFrame(bytes)) }
        for (const push of pushes) if (this.#listeners.has(push)) push(message)
      })
      .catch(() => this.#cutOff(wantsBrotli))
      .finally(() => this.#waiting--)
  }

  #cutOff(isMeant: (listener: Listener) => boolean): void {
    for (const [push, listener] of [...this.#listeners]) {
      if (!isMeant(listener)) continue
      this.delete(push)
      listener.cutOff()
    }
  }

  #end(): void {
    this.#connection.close()
    this.#onEnd()
  }
}

/** A message as Base’s public addresses send it. */
export function compressFlashblock(text: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    brotliCompress(text, BROTLI, (error, bytes) => (error ? reject(error) : resolve(bytes)))
  })
}
