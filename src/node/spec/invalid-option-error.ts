/** An option has a value that no chain can run with; the message names both. */
export class InvalidOptionError extends Error {
  override readonly name = 'InvalidOptionError'
}
