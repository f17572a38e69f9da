import { trimLeadingZeros } from '#primitives/bytes.ts'
import { type Address, type Hash, hexToBytes, toWord } from '#primitives/hex.ts'
import { emptyBloom } from '../evm/bloom.ts'
import type { ChainSpec } from '../spec/chain-spec.ts'
import { extraDataOf } from '../spec/extra-data.ts'
import { EMPTY_CODE_HASH, EMPTY_TRIE_ROOT, emptyState } from '../state/state-snapshot.ts'
import { WorldState } from '../state/world-state.ts'
import type { SealedBlock } from './block.ts'
import { deriveBeaconRoot, deriveMixHash } from './derived-fields.ts'
import { blockSize, hashHeader } from './header.ts'

/**
 * Block 0 with the accounts of `spec.alloc`.
 *
 * @param timestamp - Seconds since the Unix epoch.
 */
export function createGenesis(spec: ChainSpec, timestamp: number): SealedBlock {
  const state = new WorldState(emptyState())
  for (const [address, account] of Object.entries(spec.alloc) as [Address, ChainSpec['alloc'][Address]][]) {
    state.setAccount(address, {
      nonce: account.nonce ?? 0n,
      balance: account.balance,
      codeHash: EMPTY_CODE_HASH,
    })
    if (account.code) state.setCode(address, hexToBytes(account.code))
    for (const [slot, word] of Object.entries(account.storage ?? {}) as [Hash, Hash][]) {
      state.setStorage(address, slot, trimLeadingZeros(hexToBytes(word)))
    }
  }
  const snapshot = state.snapshot()
  const header = {
    parentHash: toWord(0),
    coinbase: spec.coinbase,
    stateRoot: snapshot.stateRoot(),
    transactionsRoot: EMPTY_TRIE_ROOT,
    receiptsRoot: EMPTY_TRIE_ROOT,
    logsBloom: emptyBloom(),
    number: 0,
    gasLimit: spec.gasLimit,
    gasUsed: 0n,
    timestamp,
    extraData: extraDataOf(spec),
    mixHash: deriveMixHash(spec.seed, 0),
    baseFeePerGas: spec.baseFee,
    parentBeaconBlockRoot: deriveBeaconRoot(spec.seed, 0),
  }
  return {
    kind: 'sealed',
    header,
    hash: hashHeader(header),
    size: blockSize(header, 0),
    transactions: [],
    edits: [],
    state: snapshot,
  }
}
