import type { RpcReceipt, RpcTransaction } from '#rpc-types/objects.ts'

/** Gas of a transaction that runs no code and has no data. */
const PLAIN_GAS = 21_000

/** Whether a transaction only moved ETH: no code has run, so there is nothing to debug. */
export function isPlainTransfer(
  { to, input }: Pick<RpcTransaction, 'to' | 'input'>,
  { gasUsed, status }: Pick<RpcReceipt, 'gasUsed' | 'status'>,
): boolean {
  return to !== null && input === '0x' && status === '0x1' && Number(gasUsed) === PLAIN_GAS
}
