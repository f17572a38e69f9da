import { invariant } from '#primitives/invariant.ts'
import type { PartialBlock, SealedBlock } from './block.ts'
import { hashHeader } from './header.ts'

/** Turns a block's last partial block into the sealed block: the same header, hence the same hash. */
export function sealPartial({ header, hash, size, transactions, edits, state }: PartialBlock): SealedBlock {
  invariant(hashHeader(header) === hash, 'the last partial block does not have its own hash')
  return { kind: 'sealed', header, hash, size, transactions, edits, state }
}
