import { toQuantity } from '#primitives/hex.ts'
import type { RpcFeeHistory } from '#rpc-types/objects.ts'
import type { Fork } from './fork.ts'
import { ForkError } from './fork-error.ts'

/** Most blocks of one answer, as of a chain that is no fork. */
const MAX_BLOCKS = 1_024

/**
 * `eth_feeHistory` of blocks from before and after the fork, the first of them from the endpoint.
 *
 * @param own - What this chain answers: its oldest block may be the fork's, of which it knows the header alone.
 * @throws {ForkError}
 */
export async function joinFeeHistory(
  { answers, header, remote }: Fork,
  [blockCount, , percentiles]: readonly unknown[],
  own: RpcFeeHistory,
): Promise<RpcFeeHistory> {
  const forkedAt = header.header.number
  const ownCount = own.gasUsedRatio.length
  if (ownCount === 0 || Number(own.oldestBlock) > forkedAt) return own
  const wanted = Math.min(Number(blockCount), MAX_BLOCKS) - (ownCount - 1)
  const params = [toQuantity(wanted), toQuantity(forkedAt), ...(percentiles === undefined ? [] : [percentiles])]
  const kept = answers.find('eth_feeHistory', params)
  const before = (kept ?? (await remote.ask('eth_feeHistory', params))) as Partial<RpcFeeHistory> | null
  const count = before?.gasUsedRatio?.length ?? Number.NaN
  const lists = {
    baseFeePerGas: before?.baseFeePerGas,
    gasUsedRatio: before?.gasUsedRatio,
    ...(own.reward && { reward: before?.reward }),
  }
  for (const [name, list] of Object.entries(lists)) {
    if (Array.isArray(list) && count <= wanted && list.length >= count) continue
    throw new ForkError(`${remote.name} answers eth_feeHistory with what is no ${name}`)
  }
  answers.put('eth_feeHistory', params, before)
  /** Items of the endpoint, then our own from the block after the fork's on. */
  const joined = <Item>(older: readonly Item[] | undefined, newer: readonly Item[], none: Item): readonly Item[] => [
    ...(older?.slice(0, count) ?? Array.from({ length: count }, () => none)),
    ...newer.slice(1),
  ]
  return {
    oldestBlock: toQuantity(forkedAt + 1 - count),
    baseFeePerGas: joined(before?.baseFeePerGas, own.baseFeePerGas, '0x0'),
    gasUsedRatio: joined(before?.gasUsedRatio, own.gasUsedRatio, 0),
    // Left out by endpoints of chains without blobs.
    baseFeePerBlobGas: joined(before?.baseFeePerBlobGas, own.baseFeePerBlobGas, '0x0'),
    blobGasUsedRatio: joined(before?.blobGasUsedRatio, own.blobGasUsedRatio, 0),
    ...(own.reward && { reward: joined(before?.reward, own.reward, []) }),
  }
}
