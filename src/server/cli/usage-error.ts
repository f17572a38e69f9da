/** What was asked for cannot be done as it stands; the message is a sentence for the one who asked. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
