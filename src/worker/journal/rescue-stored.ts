import { encodeChainFile } from '#node/persistence/chain-file.ts'
import { isOfSnapshot } from '#node/persistence/decode-chain-file.ts'
import { rescueChain } from '#node/rescue-chain.ts'
import type { Clock } from '#primitives/clock.ts'
import type { RescuedFile } from '#transport/port/messages.ts'
import { readStored } from './salvage-chain.ts'

/**
 * Finds what can be proven of a stored chain, as a chain file. Leaves the stored one as it is, and to its owner.
 *
 * @throws {NothingProvenError} If nothing can be.
 * @throws {JournalError} If it cannot be read.
 */
export async function rescueStored(chain: string, clock: Clock): Promise<RescuedFile> {
  const before = await readStored(chain, clock)
  const { entries, head, missing } = await rescueChain({ before, behind: [] }, clock)
  const file = encodeChainFile(entries.filter(({ part, key }) => !isOfSnapshot(part, key)))
  return { file, head: head.number, missing }
}
