import { errorText, membersOf, type PortEvent, type PortLike } from './messages.ts'

/** An endpoint's own error. */
export interface AnsweredError {
  readonly code: number
  readonly message: string
  readonly data: unknown
}

/** Worker → page: what the worker's node wants to know of a chain elsewhere. */
interface Question {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

/** Page → worker. */
type Reply = { readonly id: number } & (
  | { readonly result: unknown }
  | { readonly message: string; readonly answered: AnsweredError | undefined }
)

/** What was asked could not be had. */
export class AskError extends Error {
  override readonly name = 'AskError'
  /** The endpoint's own error, if it answered with one. */
  readonly answered: AnsweredError | undefined

  constructor(message: string, answered: AnsweredError | undefined) {
    super(message)
    this.answered = answered
  }
}

/** Asks a chain elsewhere. */
export type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>

/**
 * Answers a worker's questions, which may not connect to other hosts itself: the policy of its script does not allow it.
 *
 * @param ask - Rejects with an error that may have `answered`.
 */
export function serveAsk(port: PortLike, ask: Ask): void {
  const reply = (message: Reply) => port.postMessage(message)
  port.onmessage = ({ data }: PortEvent<Question>) => {
    const { id, method, params } = data
    ask(method, params).then(
      (result) => reply({ id, result }),
      (error: unknown) => {
        const answered = membersOf(error)['answered'] as AnsweredError | undefined
        reply({ id, message: errorText(error), answered })
      },
    )
  }
}

/**
 * The other end of {@link serveAsk}.
 *
 * @returns Asks the page; rejects with an {@link AskError}.
 */
export function askOver(port: PortLike): Ask {
  const pending = new Map<number, { resolve(result: unknown): void; reject(error: AskError): void }>()
  let lastId = 0
  port.onmessage = ({ data }: PortEvent<Reply>) => {
    const call = pending.get(data.id)
    pending.delete(data.id)
    if ('message' in data) call?.reject(new AskError(data.message, data.answered))
    else call?.resolve(data.result)
  }
  return (method, params) =>
    new Promise((resolve, reject) => {
      const id = ++lastId
      pending.set(id, { resolve, reject })
      port.postMessage({ id, method, params } satisfies Question)
    })
}
