import { invariant } from '#primitives/invariant.ts'
import type { PartialBlock, SealedBlock } from './block.ts'
import { hashHeader } from './header.ts'

/** The sealed block that a block's last partial block becomes: the same header, hence the same hash. */
export function sealPartial({ header, hash, size, transactions, edits, state }: PartialBlock): SealedBlock {
  invariant(hashHeader(header) === hash, 'the last partial block does not have its own hash')
  return { kind: 'sealed', header, hash, size, transactions, edits, state }
}
