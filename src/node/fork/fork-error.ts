/** What a forked chain needs of its endpoint could not be had; the message names the endpoint and what was asked. */
export class ForkError extends Error {
  override readonly name = 'ForkError'
  /** The endpoint's own error, if it answered with one. */
  readonly answered: { readonly code: number; readonly message: string; readonly data: unknown } | undefined

  constructor(message: string, options?: ErrorOptions & { readonly answered?: NonNullable<ForkError['answered']> }) {
    super(message, options)
    this.answered = options?.answered
  }

  /** The failure of whoever asked the endpoint, in the same words. */
  static of(failure: Error & Pick<ForkError, 'answered'>): ForkError {
    const { message, answered } = failure
    return new ForkError(message, { cause: failure, ...(answered && { answered }) })
  }
}

/** For whoever would list a state. */
export function unlistable(): ForkError {
  return new ForkError('the state of a fork cannot be listed: only what was fetched of it is known')
}
