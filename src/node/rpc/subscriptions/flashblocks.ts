import { type Address, bytesToHex, type Hex, hexToBytes, toQuantity } from '#primitives/hex.ts'
import type { Flashblock, FlashblockReceipt } from '#rpc-types/subscriptions.ts'
import type { IncludedTransaction, PartialBlock } from '../../payload/block.ts'
import { stateDifference } from '../../state/state-difference.ts'
import { formatHeader } from '../format/block.ts'

/** The place of a partial block in a stream. */
interface Place {
  readonly payloadId: Hex
  readonly index: number
}

/**
 * Numbers the partial blocks of one stream. Base's nodes take an index only after the one before it, so a block that begins
 * anew does so at 0 with another id, as when a sequencer begins another payload for the same block.
 */
export class FlashblockSequence {
  /** The id of the newest partial block, as the chain names it. */
  #id: Hex | undefined
  #place: Place | undefined
  /** How many payloads with the chain's id have begun. */
  #begun = 0

  next({ payloadId, index, restarts }: PartialBlock): Place {
    const isSame = this.#id === payloadId
    this.#id = payloadId
    if (restarts) {
      this.#begun = isSame ? this.#begun + 1 : 0
      this.#place = { payloadId: variantOf(payloadId, this.#begun), index: 0 }
    } else if (isSame && this.#place) {
      this.#place = { ...this.#place, index: this.#place.index + 1 }
    } else {
      this.#begun = 0
      this.#place = { payloadId, index }
    }
    return this.#place
  }
}

/** The id of a block's payload after so many others. */
function variantOf(id: Hex, begun: number): Hex {
  if (begun === 0) return id
  const bytes = hexToBytes(id).slice()
  const view = new DataView(bytes.buffer)
  view.setUint32(bytes.length - 4, view.getUint32(bytes.length - 4) ^ begun)
  return bytesToHex(bytes)
}

/** The texts of a partial block for streams; what they share is formatted once. */
export function flashblockTexts(partial: PartialBlock): (sequence: FlashblockSequence) => string {
  const texts = new Map<string, string>()
  return (sequence) => {
    const { payloadId, index } = sequence.next(partial)
    const key = `${payloadId}/${index}`
    const text = texts.get(key) ?? JSON.stringify(formatFlashblock(partial, payloadId, index))
    texts.set(key, text)
    return text
  }
}

/** In the order of the fields in Base's and rollup-boost's types. */
function formatFlashblock(partial: PartialBlock, payload_id: Hex, index: number): Flashblock {
  const { header, transactions, hash } = partial
  const formatted = formatHeader(partial)
  const shown = index === 0 ? transactions : transactions.slice(partial.firstNew)
  return {
    payload_id,
    index,
    ...(index === 0 && {
      base: {
        parent_beacon_block_root: formatted.parentBeaconBlockRoot,
        parent_hash: formatted.parentHash,
        fee_recipient: formatted.miner,
        prev_randao: formatted.mixHash,
        block_number: formatted.number,
        gas_limit: formatted.gasLimit,
        timestamp: formatted.timestamp,
        extra_data: formatted.extraData,
        base_fee_per_gas: formatted.baseFeePerGas,
      },
    }),
    diff: {
      state_root: formatted.stateRoot,
      receipts_root: formatted.receiptsRoot,
      logs_bloom: formatted.logsBloom,
      gas_used: formatted.gasUsed,
      block_hash: hash,
      transactions: shown.map(({ tx }) => bytesToHex(tx.raw)),
      withdrawals: [],
      withdrawals_root: formatted.withdrawalsRoot,
      blob_gas_used: formatted.blobGasUsed,
    },
    metadata: {
      block_number: header.number,
      new_account_balances: balancesOf(partial),
      receipts: Object.fromEntries(shown.map((included) => [included.tx.hash, formatFlashblockReceipt(included)])),
    },
  }
}

function balancesOf({ opening, state }: PartialBlock): Flashblock['metadata']['new_account_balances'] {
  const balances: Record<Address, Hex> = {}
  for (const { address, after } of stateDifference(opening, state)) {
    if (after !== undefined) balances[address] = toQuantity(after.balance)
  }
  return balances
}

function formatFlashblockReceipt({ receipt }: IncludedTransaction): FlashblockReceipt {
  return {
    type: toQuantity(receipt.type),
    status: toQuantity(receipt.status),
    cumulativeGasUsed: toQuantity(receipt.cumulativeGasUsed),
    logs: receipt.logs.map(({ address, topics, data }) => ({ address, topics, data: bytesToHex(data) })),
  }
}
