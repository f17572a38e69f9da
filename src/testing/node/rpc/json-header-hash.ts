import { RLP } from '@ethereumjs/rlp'
import { keccak256Hex } from '#node/crypto/keccak.ts'
import { bigIntToBytes } from '#primitives/bytes.ts'
import { type Hash, hexToBytes } from '#primitives/hex.ts'
import type { RpcBlock } from '#rpc-types/objects.ts'

const number = (quantity: string) => bigIntToBytes(BigInt(quantity))

/** The hash that a block's JSON should have, computed from its other fields. */
export function jsonHeaderHash(block: RpcBlock): Hash {
  return keccak256Hex(
    RLP.encode([
      hexToBytes(block.parentHash),
      hexToBytes(block.sha3Uncles),
      hexToBytes(block.miner),
      hexToBytes(block.stateRoot),
      hexToBytes(block.transactionsRoot),
      hexToBytes(block.receiptsRoot),
      hexToBytes(block.logsBloom),
      number(block.difficulty),
      number(block.number),
      number(block.gasLimit),
      number(block.gasUsed),
      number(block.timestamp),
      hexToBytes(block.extraData),
      hexToBytes(block.mixHash),
      hexToBytes(block.nonce),
      number(block.baseFeePerGas),
      hexToBytes(block.withdrawalsRoot),
      number(block.blobGasUsed),
      number(block.excessBlobGas),
      hexToBytes(block.parentBeaconBlockRoot),
      hexToBytes(block.requestsHash),
    ]),
  )
}
