import type { CallerContext } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'

/**
 * Most bytes of code on the chain before setting more is refused: the node keeps every code while it runs, even a
 * replaced one, and nobody pays gas for these.
 */
const MAX_CODE_BYTES = 256 * 1024 * 1024

/** @throws {RpcRefusedError} `limit-exceeded`, if the new code does not fit into the budget. */
export function requireRoomForCode({ chain }: CallerContext, bytes: number): void {
  if (chain.pending().state.codes.bytes + bytes <= MAX_CODE_BYTES) return
  const limit = `the chain's codes take ${MAX_CODE_BYTES} bytes, no more can be set by hand`
  throw new RpcRefusedError('limit-exceeded', `${limit}: start a new chain`)
}
