/** What was asked of an endpoint could not be had; the message names the endpoint and what was asked. */
export class EndpointError extends Error {
  override readonly name = 'EndpointError'
  /** The endpoint's own error, if it answered with one. */
  readonly answered: { readonly code: number; readonly message: string; readonly data: unknown } | undefined

  constructor(
    message: string,
    options?: ErrorOptions & { readonly answered?: NonNullable<EndpointError['answered']> },
  ) {
    super(message, options)
    this.answered = options?.answered
  }
}
