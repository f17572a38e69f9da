import type { Address, Hex } from '#primitives/hex.ts'
import { formatCount, formatEth, formatGwei, formatInteger } from '#ui/format/numbers.ts'
import type { ByteField, FieldName } from './dissect.ts'

/** A field in a person's words. */
export interface FieldExplanation {
  readonly label: string
  /** As a number, an address or bytes; empty for a field without one. */
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

/** What a field of a signed transaction says. */
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
      return { value: bytes, meaning: `EIP-2718 envelope of type ${Number(bytes)}` }
    case 'header':
      return { value: '', meaning: 'RLP: a list, and how many bytes it has' }
    case 'chainId':
      return { value: String(number), meaning: 'no other chain accepts this signature' }
    case 'nonce':
      return { value: String(number), meaning: 'its place among the sender’s transactions, counted from 0' }
    case 'gasPrice':
      return { value: formatGwei(number), meaning: 'per gas; counts as fee cap and as tip' }
    case 'tip':
      return { value: formatGwei(number), meaning: 'per gas at the most, for the block’s producer: decides the order' }
    case 'feeCap':
      return { value: formatGwei(number), meaning: 'per gas at the most, base fee and tip together' }
    case 'gas':
      return { value: formatInteger(number), meaning: 'gas that it may use at the most' }
    case 'to':
      if (payload === '0x') return { value: 'none', meaning: 'a new contract is made of the data' }
      return { value: payload, meaning: nameOf(payload) ?? 'the account that gets the value and the data' }
    case 'value':
      return { value: `${formatInteger(number)} wei`, meaning: formatEth(number, 6) }
    case 'data':
      return { value: shortened(payload), meaning: describeData(payload) }
    case 'accessList':
      return { value: formatCount(items ?? 0, 'item'), meaning: 'accounts and slots that it names beforehand' }
    case 'authorizationList':
      return {
        value: formatCount(items ?? 0, 'item'),
        meaning: 'accounts that take over the code of others (EIP-7702)',
      }
    case 'v':
      return { value: String(number), meaning: describeV(number) }
    case 'yParity':
      return { value: String(number), meaning: 'which of two public keys the signature stands for' }
    case 'r':
    case 's':
      return { value: payload, meaning: 'half of the signature; the sender’s address follows from it' }
  }
}

function integer(payload: Hex): bigint {
  return payload === '0x' ? 0n : BigInt(payload)
}

/** Hex digits of data that are shown. */
const SHOWN = 66

function shortened(payload: Hex): string {
  return payload.length <= SHOWN ? payload : `${payload.slice(0, SHOWN)}…`
}

function describeData(payload: Hex): string {
  const size = payload.length / 2 - 1
  if (size === 0) return 'nothing: no code is asked for'
  const selector = size >= 4 && size % 32 === 4 ? `; the function ${payload.slice(0, 10)} and its arguments` : ''
  return `${formatCount(size, 'byte')}${selector}`
}

function describeV(v: bigint): string {
  if (v < 35n) return 'names no chain: any chain would accept it'
  return `EIP-155: chain ${(v - 35n) / 2n}, y parity ${(v - 35n) % 2n}`
}
