import { Ajv } from 'ajv'
import type { JsonSchema, OpenRpcDocument } from '#rpc-types/open-rpc.ts'

type Schemas = Readonly<Record<string, JsonSchema>>

/** Amendments to the published schemas, for changes in execution-apis since and for Blinknet's additions. */
interface Amendment {
  readonly why: string
  /** Schemas that replace those of the same name. */
  readonly apply: (schemas: Schemas) => Schemas
}

const UINT = { $ref: '#/components/schemas/uint' }
const HASH = { $ref: '#/components/schemas/hash32' }
const ADDRESS = { $ref: '#/components/schemas/address' }

/** Replacements for schemas that have changed since, or allow more here. */
export const AMENDMENTS: readonly Amendment[] = [
  {
    why: 'blocks have a requestsHash since EIP-7685',
    apply: ({ Block }) => ({ Block: withProperties(Block, { requestsHash: HASH }) }),
  },
  {
    why: 'logs have a blockTimestamp by now',
    apply: ({ Log }) => ({ Log: withProperties(Log, { blockTimestamp: UINT }) }),
  },
  {
    why: 'transactions can set code since EIP-7702',
    apply: ({ TransactionSigned }) => ({
      TransactionSigned: { ...TransactionSigned, oneOf: [...listOf(TransactionSigned, 'oneOf'), SET_CODE_TRANSACTION] },
    }),
  },
  {
    why: 'what is pre-confirmed has no block hash yet, and what is in the mempool has no place at all',
    apply: ({ TransactionInfo }) => {
      const [context, ...signed] = listOf(TransactionInfo, 'allOf')
      const orNull = (schema: JsonSchema) => ({ oneOf: [schema, { type: 'null' }] })
      const place = { blockHash: orNull(HASH), blockNumber: orNull(UINT), transactionIndex: orNull(UINT) }
      return { TransactionInfo: { ...TransactionInfo, allOf: [withProperties(context, place), ...signed] } }
    },
  },
  {
    why: 'no hashes and no logs are the same empty list, which is no mistake',
    apply: ({ FilterResults }) => ({ FilterResults: { anyOf: listOf(FilterResults, 'oneOf') } }),
  },
]

const SET_CODE_TRANSACTION: JsonSchema = {
  type: 'object',
  required: [
    ...['type', 'nonce', 'to', 'gas', 'value', 'input', 'maxPriorityFeePerGas', 'maxFeePerGas', 'gasPrice'],
    ...['accessList', 'chainId', 'authorizationList', 'yParity', 'r', 's'],
  ],
  properties: {
    type: { type: 'string', pattern: '^0x4$' },
    to: ADDRESS,
    accessList: { $ref: '#/components/schemas/AccessList' },
    ...Object.fromEntries(
      [
        'nonce',
        'gas',
        'value',
        'maxPriorityFeePerGas',
        'maxFeePerGas',
        'gasPrice',
        'chainId',
        'yParity',
        'v',
        'r',
        's',
      ].map((name) => [name, UINT]),
    ),
    input: { $ref: '#/components/schemas/bytes' },
    authorizationList: {
      type: 'array',
      items: {
        type: 'object',
        required: ['chainId', 'nonce', 'address', 'yParity', 'r', 's'],
        additionalProperties: false,
        properties: { chainId: UINT, nonce: UINT, address: ADDRESS, yParity: UINT, r: UINT, s: UINT },
      },
    },
  },
}

/**
 * The published document with all amendments.
 *
 * @param without - The amendment to leave out.
 */
export function amended(spec: OpenRpcDocument, without?: string): OpenRpcDocument {
  const schemas = AMENDMENTS.filter(({ why }) => why !== without).reduce<Schemas>(
    (before, { apply }) => ({ ...before, ...apply(before) }),
    spec.components.schemas,
  )
  return { ...spec, components: { ...spec.components, schemas } }
}

/** A method's answer. */
export interface RecordedResult {
  readonly method: string
  readonly result: unknown
}

/** Describes how a result differs from its method's schema; empty if it matches. */
export function createSpecCheck(spec: OpenRpcDocument): (recorded: RecordedResult) => readonly string[] {
  // Not strict, so that `unevaluatedProperties` is ignored: it would forbid every member of a transaction.
  const ajv = new Ajv({ strict: false })
  ajv.addSchema(spec, 'spec')
  const positions = new Map(spec.methods.map(({ name }, i) => [name, i]))
  return ({ method, result }) => {
    const validate = ajv.getSchema(`spec#/methods/${positions.get(method)}/result/schema`)
    if (!validate) throw new Error(`execution-apis has no schema for the result of ${method}`)
    if (validate(result)) return []
    return [`${method}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(result)}`]
  }
}

function withProperties(schema: JsonSchema | undefined, properties: JsonSchema): JsonSchema {
  const before = schema?.['properties']
  if (typeof before !== 'object') throw new Error('the schema to amend has no properties')
  return { ...schema, properties: { ...before, ...properties } }
}

function listOf(schema: JsonSchema | undefined, keyword: string): readonly JsonSchema[] {
  const list: unknown = schema?.[keyword]
  if (!Array.isArray(list)) throw new Error(`the schema to amend has no ${keyword}`)
  return list as readonly JsonSchema[]
}
