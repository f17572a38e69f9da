import type { AbiEvent } from 'viem'
import type { Address, Hash, Hex } from '#primitives/hex.ts'
import { indexOf } from './abi-index.ts'
import { decodeParameters } from './decode-values.ts'
import type { Argument, Decoded } from './decoded.ts'
import { type Contracts, knowledgeOf } from './knowledge.ts'
import { typeNameOf } from './signature.ts'

/** The fields of a log that decoding needs. */
export interface RawLog {
  readonly address: Address
  readonly topics: readonly Hash[]
  readonly data: Hex
}

/**
 * Decodes a log by the ABI of the contract that emitted it, otherwise by a standard.
 *
 * @returns `undefined` if nothing known matches.
 */
export function decodeLog(contracts: Contracts, { address, topics, data }: RawLog): Decoded | undefined {
  const [topic, ...indexed] = topics
  if (topic === undefined) return undefined
  for (const { abi, source } of knowledgeOf(contracts, address, topic)) {
    for (const entry of indexOf(abi).events.get(topic) ?? []) {
      const args = decodeArguments(entry.inputs, indexed, data)
      if (args) return { name: entry.name, signature: entry.signature, args, source }
    }
  }
  return undefined
}

type EventInput = AbiEvent['inputs'][number]

/** Topics hold the indexed arguments, the data holds the others; the result is in the signature's order. */
function decodeArguments(
  inputs: readonly EventInput[],
  topics: readonly Hash[],
  data: Hex,
): readonly Argument[] | undefined {
  if (inputs.filter(({ indexed }) => indexed).length !== topics.length) return undefined
  const body = decodeParameters(
    inputs.filter(({ indexed }) => !indexed),
    data,
  )
  if (!body) return undefined
  const fromData = body.args.values()
  const fromTopics = topics.values()
  const args: Argument[] = []
  for (const input of inputs) {
    const arg = input.indexed ? topicArgument(input, fromTopics.next().value as Hash) : fromData.next().value
    if (!arg) return undefined
    args.push(arg)
  }
  return args
}

function topicArgument(input: EventInput, topic: Hash): Argument | undefined {
  const isHashed = /^(string|bytes|tuple.*|.*\])$/.test(input.type)
  if (isHashed) return { name: input.name ?? '', type: typeNameOf(input), value: { kind: 'hashed', hash: topic } }
  return decodeParameters([input], topic)?.args[0]
}
