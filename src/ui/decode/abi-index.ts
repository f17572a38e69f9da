import type { Abi, AbiEvent, AbiFunction, AbiParameter } from 'viem'
import type { Hash, Hex } from '#primitives/hex.ts'
import { hashOf, selectorOf, signatureOf } from './signature.ts'

/** A function, an event or an error with its canonical signature. */
export interface Entry {
  readonly name: string
  readonly signature: string
  readonly inputs: readonly AbiParameter[]
}

interface FunctionEntry extends Entry {
  readonly item: AbiFunction
}

interface EventEntry extends Entry {
  readonly inputs: AbiEvent['inputs']
}

/** An ABI, indexed by what appears in call data and logs. */
interface AbiIndex {
  readonly functions: ReadonlyMap<Hex, FunctionEntry>
  readonly errors: ReadonlyMap<Hex, Entry>
  /** Events with the same hash may differ in which arguments are indexed. */
  readonly events: ReadonlyMap<Hash, readonly EventEntry[]>
}

const indexes = new WeakMap<Abi, AbiIndex>()

/** Cached per ABI, since it takes a hash for each item. */
export function indexOf(abi: Abi): AbiIndex {
  let index = indexes.get(abi)
  if (!index) {
    index = createIndex(abi)
    indexes.set(abi, index)
  }
  return index
}

function createIndex(abi: Abi): AbiIndex {
  const functions = new Map<Hex, FunctionEntry>()
  const errors = new Map<Hex, Entry>()
  const events = new Map<Hash, readonly EventEntry[]>()
  for (const item of abi) {
    switch (item.type) {
      case 'function': {
        const signature = signatureOf(item)
        functions.set(selectorOf(signature), { name: item.name, signature, inputs: item.inputs, item })
        break
      }
      case 'error': {
        const signature = signatureOf(item)
        errors.set(selectorOf(signature), { name: item.name, signature, inputs: item.inputs })
        break
      }
      case 'event': {
        // The bytes of an anonymous event do not identify it.
        if (item.anonymous) break
        const signature = signatureOf(item)
        const topic = hashOf(signature)
        events.set(topic, [...(events.get(topic) ?? []), { name: item.name, signature, inputs: item.inputs }])
        break
      }
      case 'constructor':
      case 'fallback':
      case 'receive':
        break
    }
  }
  return { functions, errors, events }
}
