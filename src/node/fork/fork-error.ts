/** What a forked chain needs of its endpoint could not be had; the message names the endpoint and what was asked. */
export class ForkError extends Error {
  override readonly name = 'ForkError'
}
