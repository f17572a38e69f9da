import { toBase64 } from '#primitives/base64.ts'
import { harmlessLine } from '#primitives/harmless-line.ts'
import { hasMoreValuesThan, isNestedDeeperThan } from '#primitives/json-text.ts'
import { utf8 } from '#primitives/utf8.ts'
import { abortWithin } from './abort-within.ts'
import { EndpointError } from './endpoint-error.ts'

export interface EndpointOptions {
  readonly url: string
  /** Sent with each request. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** How often a request is sent again that got no usable answer. */
  readonly retries: number
  /** Milliseconds before the first of those; twice as many before each next one. */
  readonly backoffMs: number
  /** Milliseconds that a request may take. */
  readonly timeoutMs: number
  /** Most bytes of an answer; default 32 MiB. */
  readonly maxAnswerBytes?: number
  /** Calls `send` soon, when what belongs together was asked. */
  readonly defer: (send: () => void) => void
  /** Options of each request besides the method, the headers and the body. */
  readonly request?: RequestInit
  /** Takes a line for people when a request is sent again only after a while; at most one a minute. */
  readonly onWait?: (line: string) => void
  /** After a failure before the endpoint's first answer: why it is of no use to ask again, if it is of none. */
  readonly diagnose?: (url: string) => Promise<string | undefined>
}

/** Calls in one HTTP request, and such requests at a time. */
const MAX_BATCH = 100
const MAX_AT_A_TIME = 8
/**
 * Most characters of the parameters in one request. Three proofs of 128 slots fit in, whose answers have about a
 * megabyte each: geth refuses what is beyond 25 MB of answers, and a longer answer would hold the thread.
 */
const MAX_BATCH_CHARACTERS = 32 << 10
const MAX_ANSWER_BYTES = 32 << 20
/** Most values of an answer, and levels of them. In memory a value takes much more than its text, and time to parse. */
const MAX_VALUES = 1_000_000
const MAX_DEPTH = 128
/** Most characters of the endpoint's own words in an error. */
const MAX_MESSAGE = 300
/** The longest wait before a repetition, whatever the endpoint asks for. */
const MAX_WAIT_MS = 30_000
/** A wait from which on it is told, and how long nothing is told after that. */
const TOLD_WAIT_MS = 5_000
const TOLD_EVERY_MS = 60_000
/** HTTP statuses by which endpoints refuse a method, without a JSON-RPC error. */
const REFUSALS: ReadonlySet<number> = new Set([403, 405])
/**
 * Milliseconds for which calls are gathered, for each request that is under way: programs ask in requests of their own,
 * which come one after the other.
 */
const GATHER_MS = 1
/** JSON-RPC error codes by which endpoints limit how much is asked. */
const LIMIT_CODES: ReadonlySet<unknown> = new Set([429, -32_005])

interface Call {
  readonly method: string
  readonly params: readonly unknown[]
  /** Characters of the parameters as JSON. */
  readonly length: number
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

/** An error that the endpoint answers with. */
interface AnsweredError {
  readonly code: unknown
  readonly message: string
  readonly data: unknown
}

/** The endpoint may answer if it is asked again. */
class TransientError extends Error {
  override readonly name = 'TransientError'
  /** Milliseconds that it asks to wait; `undefined` if it asks for nothing. */
  readonly waitMs: number | undefined
  constructor(message: string, waitMs?: number, options?: ErrorOptions) {
    super(message, options)
    this.waitMs = waitMs
  }
}

/** The endpoint refuses the request by its HTTP status alone. */
class RefusedStatusError extends Error {
  override readonly name = 'RefusedStatusError'
  readonly status: number
  constructor(status: number) {
    super(`HTTP status ${status}`)
    this.status = status
  }
}

/**
 * JSON-RPC over HTTP: what is asked in one task is sent in one batch, and so is what is asked within a few milliseconds
 * while something is under way.
 */
export class RemoteEndpoint {
  /** For messages; without anything secret. */
  readonly name: string
  readonly #options: EndpointOptions
  /** The address, without a name and a password: those are sent as a header. */
  readonly #url: string
  readonly #headers: [name: string, value: string][]
  readonly #closing = new AbortController()
  #queue: Call[] = []
  #running = 0
  #isBatching = true
  #ids = 0
  #hasAnswered = false
  /** Whether a call has had a result. */
  #hasResult = false
  /** Whether nothing came back for the newest request. */
  #isSilent = false
  /** Whether all repetitions were in vain, and nothing has come back since: then nothing is repeated. */
  #isGivenUp = false
  /** When a wait was told. */
  #toldAtMs = Number.NEGATIVE_INFINITY

  constructor(options: EndpointOptions) {
    this.#options = options
    const url = new URL(options.url)
    // The path and the query of an address may hold a key.
    this.name = url.host
    this.#headers = [['Content-Type', 'application/json'], ...options.headers.map(([...header]) => header)]
    if (url.username !== '' || url.password !== '') {
      const pair = new TextEncoder().encode(`${unescaped(url.username)}:${unescaped(url.password)}`)
      this.#headers.push(['Authorization', `Basic ${toBase64(pair)}`])
      url.username = ''
      url.password = ''
    }
    this.#url = url.href
  }

  /**
   * Asks the endpoint. Calls that are made together may be sent together.
   *
   * @throws {EndpointError}
   */
  readonly ask = (method: string, params: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      this.#queue.push({ method, params, length: JSON.stringify(params).length, resolve, reject })
      if (this.#queue.length > 1) return
      if (this.#running === 0) this.#options.defer(() => this.#send())
      else setTimeout(() => this.#send(), GATHER_MS * this.#running)
    })

  /** Ends what is under way; nothing is asked any more. */
  close(): void {
    this.#closing.abort()
  }

  #send(): void {
    while (this.#queue.length > 0 && this.#running < MAX_AT_A_TIME) {
      const calls = this.#queue.splice(0, this.#isBatching ? this.#batchLength() : 1)
      this.#running++
      void this.#answer(calls).finally(() => {
        this.#running--
        this.#send()
      })
    }
  }

  /** How many of the next calls go into one request; at least 1. */
  #batchLength(): number {
    let characters = 0
    const tooMany = this.#queue.findIndex(({ length }, i) => {
      characters += length
      return i === MAX_BATCH || (i > 0 && characters > MAX_BATCH_CHARACTERS)
    })
    return tooMany === -1 ? this.#queue.length : tooMany
  }

  /** Never rejects: the calls do. */
  async #answer(calls: readonly Call[]): Promise<void> {
    const { retries, backoffMs } = this.#options
    let left = calls
    for (let attempt = 0; ; attempt++) {
      let problem: TransientError
      try {
        left = await this.#attempt(left)
        if (left.length === 0) return
        problem = new TransientError('it limits how much may be asked', 0)
      } catch (error) {
        if (error instanceof RefusedStatusError && new Set(left.map(({ method }) => method)).size > 1) {
          // One of the methods may be the reason.
          return this.#answerByMethod(left)
        }
        if (!(error instanceof TransientError)) return rejectAll(left, this.#failed(error))
        problem = error
      }
      if (attempt >= retries || this.#isGivenUp || this.#closing.signal.aborted) {
        this.#isGivenUp = this.#isSilent
        return rejectAll(left, this.#failed(problem))
      }
      const waitMs = Math.min(MAX_WAIT_MS, Math.max(problem.waitMs ?? 0, backoffMs * 2 ** attempt))
      this.#tellWait(problem, waitMs)
      await this.#pause(waitMs)
    }
  }

  /** Sends the calls of each method in a request of their own. */
  async #answerByMethod(calls: readonly Call[]): Promise<void> {
    const byMethod = new Map<string, Call[]>()
    for (const call of calls) byMethod.set(call.method, [...(byMethod.get(call.method) ?? []), call])
    await Promise.all([...byMethod.values()].map((each) => this.#answer(each)))
  }

  #failed(error: unknown): EndpointError {
    const reason = error instanceof Error ? error.message : String(error)
    // One that answers nothing at all has not answered this either.
    const isAnswer = error instanceof RefusedStatusError && REFUSALS.has(error.status) && this.#hasResult
    const answered = isAnswer ? { answered: { code: error.status, message: reason, data: undefined } } : {}
    const what = error instanceof RefusedStatusError ? 'refuses the request' : 'does not answer'
    return new EndpointError(`${this.name} ${what}: ${reason}`, { cause: error, ...answered })
  }

  #tellWait({ message, waitMs: asked }: TransientError, waitMs: number): void {
    if (waitMs < TOLD_WAIT_MS || performance.now() < this.#toldAtMs + TOLD_EVERY_MS) return
    this.#toldAtMs = performance.now()
    const what = asked === undefined ? 'does not answer' : 'asks to wait'
    this.#options.onWait?.(`${this.name} ${what} (${message}): it is asked again in ${Math.round(waitMs / 1_000)} s`)
  }

  async #pause(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(end, ms)
      const { signal } = this.#closing
      function end() {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        resolve()
      }
      signal.addEventListener('abort', end)
    })
  }

  /** Sends calls once. @returns Those that are to be sent again. */
  async #attempt(calls: readonly Call[]): Promise<readonly Call[]> {
    const ids = new Map(calls.map((call): [number, Call] => [++this.#ids, call]))
    const bodies = [...ids].map(([id, { method, params }]) => ({ jsonrpc: '2.0', id, method, params }))
    const answer = await this.#post(JSON.stringify(bodies.length === 1 ? bodies[0] : bodies))
    const again: Call[] = []
    if (!Array.isArray(answer) && bodies.length > 1) {
      if (LIMIT_CODES.has(errorIn(answer)?.code)) return calls
      // The endpoint takes no batches, or not such long ones.
      this.#isBatching = false
      this.#queue.unshift(...calls)
      return []
    }
    for (const each of Array.isArray(answer) ? (answer as readonly unknown[]) : [answer]) {
      const { id, result } = (typeof each === 'object' && each !== null ? each : {}) as Record<string, unknown>
      const call = ids.get(id as number)
      if (!call) continue
      ids.delete(id as number)
      const error = errorIn(each)
      if (!error) {
        if (result === undefined) call.reject(this.#failed(new Error(`its answer to ${call.method} has no result`)))
        else {
          this.#hasResult = true
          call.resolve(result)
        }
        continue
      }
      if (LIMIT_CODES.has(error.code)) again.push(call)
      else call.reject(this.#refused(call, error))
    }
    for (const call of ids.values()) call.reject(this.#failed(new Error(`it left out ${call.method}`)))
    return again
  }

  #refused({ method }: Call, { code, message, data }: AnsweredError): EndpointError {
    const answered = typeof code === 'number' ? { answered: { code, message, data } } : {}
    return new EndpointError(`${this.name} answers ${method} with an error: ${message}`, answered)
  }

  async #post(body: string): Promise<unknown> {
    const { timeoutMs, maxAnswerBytes = MAX_ANSWER_BYTES, request, diagnose } = this.#options
    let status = 0
    let isOk = false
    let text: string
    try {
      text = await abortWithin(timeoutMs, this.#closing.signal, async (signal) => {
        const response = await fetch(this.#url, {
          ...request,
          method: 'POST',
          headers: this.#headers,
          body,
          signal,
          redirect: 'error',
        })
        this.#hasAnswered = true
        this.#isSilent = false
        this.#isGivenUp = false
        ;({ status, ok: isOk } = response)
        if (status === 429 || status >= 500) {
          await response.body?.cancel()
          throw new TransientError(`HTTP status ${status}`, askedWait(status, response.headers.get('Retry-After')))
        }
        return readBounded(response, maxAnswerBytes, signal)
      })
    } catch (error) {
      if (error instanceof TransientError || error instanceof AnswerTooLargeError || !(error instanceof Error))
        throw error
      this.#isSilent = true
      if (error.name === 'TimeoutError')
        throw new TransientError(`no answer in ${timeoutMs} ms`, undefined, { cause: error })
      if (error.name === 'AbortError') throw new Error('the fork was closed', { cause: error })
      const why = this.#hasAnswered ? undefined : await diagnose?.(this.#url)
      if (why !== undefined) throw new Error(why, { cause: error })
      const { cause } = error as { readonly cause?: { readonly code?: string; readonly message?: string } }
      throw new TransientError(cause?.code ?? cause?.message ?? error.message, undefined, { cause: error })
    }
    if (!isOk && !text.includes('"error"')) throw new RefusedStatusError(status)
    if (isNestedDeeperThan(text, MAX_DEPTH)) throw new Error(`its answer has more than ${MAX_DEPTH} levels`)
    if (hasMoreValuesThan(text, MAX_VALUES)) throw new Error(`its answer has more than ${MAX_VALUES} values`)
    try {
      return JSON.parse(text)
    } catch (error) {
      throw new Error('its answer is no JSON', { cause: error })
    }
  }
}

class AnswerTooLargeError extends Error {
  override readonly name = 'AnswerTooLargeError'
}

async function readBounded(response: Response, mostBytes: number, signal: AbortSignal): Promise<string> {
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = response.body?.getReader()
  // Node.js 20 may have forgotten by now that the request has this signal.
  signal.addEventListener('abort', () => void reader?.cancel().catch(() => {}))
  const chunks: Uint8Array[] = []
  let length = 0
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    length += next.value.length
    if (length > mostBytes) {
      await reader?.cancel()
      throw new AnswerTooLargeError(`its answer has more than ${mostBytes >> 20} MiB`)
    }
    chunks.push(next.value)
  }
  const bytes = new Uint8Array(length)
  let at = 0
  // There may be too many chunks for the arguments of a call.
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return utf8.decode(bytes)
}

/** A name or a password of an address. What is not escaped rightly stays as it is. */
function unescaped(text: string): string {
  return text.replaceAll(/(?:%[\da-f]{2})+/gi, (escaped) => {
    try {
      return decodeURIComponent(escaped)
    } catch {
      // Not UTF-8.
      return escaped
    }
  })
}

/** The error in an answer to a call; `undefined` if it has none. */
function errorIn(answer: unknown): AnsweredError | undefined {
  const { error } = (typeof answer === 'object' && answer !== null ? answer : {}) as { readonly error?: unknown }
  if (error === undefined || error === null) return undefined
  const { code, message, data } = error as Partial<Record<'code' | 'message' | 'data', unknown>>
  return { code, data, message: typeof message === 'string' ? harmlessLine(message, MAX_MESSAGE) : 'without a message' }
}

/** Milliseconds that an answer asks to wait; `undefined` if it asks for nothing. */
function askedWait(status: number, retryAfter: string | null): number | undefined {
  if (retryAfter !== null && /^\d{1,6}$/.test(retryAfter)) return Number(retryAfter) * 1_000
  return status === 429 ? 0 : undefined
}

function rejectAll(calls: readonly Call[], error: unknown): void {
  for (const { reject } of calls) reject(error)
}
