import type { Address, Hex } from '#primitives/hex.ts'
import { formatCount, formatEth, formatGwei, formatInteger } from '#ui/format/numbers.ts'
import type { ByteField, FieldName } from './dissect.ts'

/** A field explained in plain words. */
export interface FieldExplanation {
  readonly label: string
  /** A number, address or bytes; empty for a field without a value. */
  readonly value: string
  readonly meaning: string
}

const LABELS: Readonly<Record<FieldName, string>> = {
  type: 'Type',
  header: 'List header',
  chainId: 'Chain id',
  nonce: 'Nonce',
  gasPrice: 'Gas price',
  tip: 'Tip',
  feeCap: 'Fee cap',
  gas: 'Gas limit',
  to: 'To',
  value: 'Value',
  data: 'Data',
  accessList: 'Access list',
  authorizationList: 'Authorizations',
  v: 'v',
  yParity: 'y parity',
  r: 'r',
  s: 's',
}

/** Explains a field of a signed transaction. */
export function explainField(field: ByteField, nameOf: (address: Address) => string | undefined): FieldExplanation {
  return { label: LABELS[field.name], ...explain(field, nameOf) }
}

function explain(
  { name, bytes, payload, items }: ByteField,
  nameOf: (address: Address) => string | undefined,
): Omit<FieldExplanation, 'label'> {
  const number = integer(payload)
  switch (name) {
    case 'type':
      return { value: bytes, meaning: `transaction type ${Number(bytes)} (EIP-2718)` }
    case 'header':
      return { value: '', meaning: 'RLP: starts a list and gives its length in bytes' }
    case 'chainId':
      return { value: String(number), meaning: 'the signature is valid on this chain only' }
    case 'nonce':
      return { value: String(number), meaning: 'its number in the sender’s sequence, counted from 0' }
    case 'gasPrice':
      return { value: formatGwei(number), meaning: 'per gas; used as both fee cap and tip' }
    case 'tip':
      return {
        value: formatGwei(number),
        meaning: 'the most per gas that the sequencer gets; the highest tip goes first',
      }
    case 'feeCap':
      return { value: formatGwei(number), meaning: 'the most per gas that the sender pays: base fee plus tip' }
    case 'gas':
      return { value: formatInteger(number), meaning: 'the most gas that it may use' }
    case 'to':
      if (payload === '0x') return { value: 'none', meaning: 'the data deploys a new contract' }
      return { value: payload, meaning: nameOf(payload) ?? 'the account that receives the value and the data' }
    case 'value':
      return { value: `${formatInteger(number)} wei`, meaning: formatEth(number, 6) }
    case 'data':
      return { value: shortened(payload), meaning: describeData(payload) }
    case 'accessList':
      return {
        value: formatCount(items ?? 0, 'item'),
        meaning: 'accounts and storage slots that it declares in advance',
      }
    case 'authorizationList':
      return {
        value: formatCount(items ?? 0, 'item'),
        meaning: 'accounts that agree to run another account’s code (EIP-7702)',
      }
    case 'v':
      return { value: String(number), meaning: describeV(number) }
    case 'yParity':
      return { value: String(number), meaning: 'tells which of two possible public keys made the signature' }
    case 'r':
    case 's':
      return { value: payload, meaning: 'half of the signature, from which the sender’s address is recovered' }
  }
}

function integer(payload: Hex): bigint {
  return payload === '0x' ? 0n : BigInt(payload)
}

/** How many hex digits of data are shown. */
const SHOWN = 66

function shortened(payload: Hex): string {
  return payload.length <= SHOWN ? payload : `${payload.slice(0, SHOWN)}…`
}

function describeData(payload: Hex): string {
  const size = payload.length / 2 - 1
  if (size === 0) return 'empty: no function is called'
  const selector = size >= 4 && size % 32 === 4 ? `: function selector ${payload.slice(0, 10)} and arguments` : ''
  return `${formatCount(size, 'byte')}${selector}`
}

function describeV(v: bigint): string {
  if (v < 35n) return 'no chain id: any chain would accept it'
  return `EIP-155: chain ${(v - 35n) / 2n}, y parity ${(v - 35n) % 2n}`
}
