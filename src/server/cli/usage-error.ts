/** The command line asks for something impossible; the message tells the user what. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
