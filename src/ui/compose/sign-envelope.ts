import { concatHex, keccak256, type PrivateKeyAccount, parseSignature, toRlp } from 'viem'
import { type Hex, toQuantity } from '#primitives/hex.ts'

/** RLP of a field: bytes, or a list of them. */
type RlpField = Hex | readonly RlpField[]

/**
 * Signs fields as they are, valid or not: libraries refuse to sign some transactions that a node has to refuse.
 *
 * @param type - 0 for the legacy encoding, whose signature names `chainId` (EIP-155).
 * @param fields - All but the signature's, in the order of the type.
 */
export async function signEnvelope(
  signer: PrivateKeyAccount,
  type: 0 | 1 | 2 | 4,
  fields: readonly RlpField[],
  chainId: number,
): Promise<Hex> {
  const unsigned = type === 0 ? [...fields, integer(chainId), '0x', '0x'] : fields
  const digest = keccak256(envelope(type, unsigned as readonly RlpField[]))
  const { r, s, yParity } = parseSignature(await signer.sign({ hash: digest }))
  const v = type === 0 ? 35 + 2 * chainId + yParity : yParity
  return envelope(type, [...fields, integer(v), integer(BigInt(r)), integer(BigInt(s))])
}

/** A number in RLP: big-endian, without leading zeros, empty for 0. */
export function integer(value: bigint | number): Hex {
  if (BigInt(value) === 0n) return '0x'
  const digits = toQuantity(value).slice(2)
  return `0x${digits.length % 2 === 0 ? digits : `0${digits}`}`
}

/** The bytes of a transaction of that type. */
export function envelope(type: 0 | 1 | 2 | 4, fields: readonly RlpField[]): Hex {
  const list = toRlp(fields as Parameters<typeof toRlp>[0])
  return type === 0 ? list : concatHex([`0x0${type}`, list])
}
