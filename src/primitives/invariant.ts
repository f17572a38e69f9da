/** A condition that the code relies on did not hold: always a bug, never bad input. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'
}

/**
 * Asserts a condition that only a bug can break.
 *
 * @throws {InvariantError} If `condition` is false.
 */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message)
}
