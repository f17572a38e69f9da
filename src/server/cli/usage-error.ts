/** The command line is invalid; the message tells the user why. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
