import { concatBytes } from '#primitives/bytes.ts'
import { bytesToHex, type Hash, hexToBytes, toWord } from '#primitives/hex.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { PlannedFailures } from './planned-failures.ts'

/** What a developer sets on the node itself, apart from the chain. */
export class DevSettings {
  readonly failures = new PlannedFailures()
  /** Whether the node reports to its host. */
  loggingEnabled = true
  readonly #seed: Uint8Array
  #resets = 0

  /** @param startedAtMs - Tells one run of a node from another. */
  constructor(genesisHash: Hash, startedAtMs: number) {
    this.#seed = concatBytes(hexToBytes(genesisHash), hexToBytes(toWord(Math.floor(startedAtMs * 1000))))
  }

  /** 32 bytes: another one after each start and each {@link reset}. */
  instanceId(): Hash {
    return bytesToHex(keccak256(this.#seed, hexToBytes(toWord(this.#resets))))
  }

  /** As at the start, but for the instance's id. */
  reset(): void {
    this.failures.clear()
    this.loggingEnabled = true
    this.#resets++
  }
}
