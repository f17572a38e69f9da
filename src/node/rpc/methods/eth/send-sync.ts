import { defineMethod, type MethodTable } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { formatReceipt } from '../../format/receipt.ts'
import { data } from '../../params/hex-params.ts'
import { optional } from '../../params/param.ts'
import { hexOrDecimal } from '../../params/plain-params.ts'

/** Milliseconds: the default, and the most. */
const MAX_TIMEOUT_MS = 6_000

/** Sending with the receipt for an answer. */
export const SEND_SYNC_METHODS = {
  /**
   * Submits, and answers with the receipt as soon as the transaction is pre-confirmed.
   *
   * @see {@link https://eips.ethereum.org/EIPS/eip-7966 | EIP-7966}
   */
  eth_sendRawTransactionSync: defineMethod([data, optional(hexOrDecimal, 0n)], async (context, raw, wantedMs) => {
    const timeoutMs = wantedMs === 0n || wantedMs > MAX_TIMEOUT_MS ? MAX_TIMEOUT_MS : Number(wantedMs)
    const { hash } = context.submit(await context.decoder.decode(raw))
    const inclusion = await context.inclusions.wait(hash, timeoutMs)
    switch (inclusion.kind) {
      case 'included':
        return formatReceipt(inclusion.included, inclusion.block)
      case 'dropped':
        throw new RpcRefusedError('server', `the transaction was dropped: ${inclusion.reason}`, { data: hash })
      case 'replaced':
        throw new RpcRefusedError('server', `the transaction was replaced by ${inclusion.by}`, { data: hash })
      case 'timeout':
        throw new RpcRefusedError(
          'timeout',
          `The transaction was added to the transaction pool but wasn't processed in ${timeoutMs / 1000}s`,
          { data: hash },
        )
      default:
        return unknownInclusion(inclusion)
    }
  }),
} satisfies Partial<MethodTable>

/** Does not compile while an end of waiting has no answer. */
function unknownInclusion(inclusion: never): never {
  throw new TypeError(`no answer for ${JSON.stringify(inclusion)}`)
}
