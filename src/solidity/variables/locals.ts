import { bytesToHex, type Hex, hexToBytes, type Quantity } from '#primitives/hex.ts'
import { decodeValues } from '#solidity/abi/decode.ts'
import { signatureOf } from '#solidity/abi/signature.ts'
import type { AbiEntry, BuildContract } from '#solidity/build/build.ts'
import type { RecognisedCode } from '#solidity/code/code-index.ts'
import { selectorOf } from '#solidity/keccak.ts'
import { type LiveVariable, liveVariables } from './live-variables.ts'
import type { Running, RunningFunction } from './running-function.ts'
import { type PathAt, valueText } from './value-text.ts'

/** A variable of the running function. */
export interface LocalVariable {
  readonly kind: LiveVariable['kind']
  readonly name: string
  readonly type: string
  /** As text; `undefined` if unknown. */
  readonly value: string | undefined
}

/** Variables of the running function, or why they are unknown. */
export type Locals =
  | { readonly known: true; readonly function: string; readonly variables: readonly LocalVariable[] }
  | {
      readonly known: false
      /**
       * `optimised`, `IR`: the optimizer or the via-IR pipeline laid out the stack; `no function`: no function of the sources
       * has begun; `leaving`: the stack is being cleared; `other`: the compiler's output does not say.
       */
      readonly reason: 'no source' | 'optimised' | 'IR' | 'no function' | 'leaving' | 'other'
      /** What the frame was called with, if the layout of its stack is never known. */
      readonly called?: Called
    }

/** A call of a contract function. */
export interface Called {
  readonly function: string
  /** As passed by the caller. */
  readonly arguments: readonly LocalVariable[]
}

/** The data of a step, as `devnet_traceSteps` returns it. */
export interface StepData {
  /** Lowest word first. */
  readonly stack: readonly Quantity[]
  readonly memory: Hex
  /** The input of the step's frame. */
  readonly input: Hex
}

/**
 * The variables of the running function. They are known for code of the legacy pipeline without optimizer, which lays out the
 * stack by fixed rules.
 *
 * @param running - Called only if they may be known. Returns `undefined` if the code has no source map.
 * @param pathAt - The state variable that begins in a slot.
 */
export function localsOf(
  code: RecognisedCode,
  running: () => Running | undefined,
  data: StepData,
  pathAt: PathAt,
): Locals {
  const { optimizer, viaIR } = code.build.settings
  if (optimizer || viaIR) {
    const called = calledWith(code, data.input)
    return { known: false, reason: optimizer ? 'optimised' : 'IR', ...(called && { called }) }
  }
  const now = running()
  if (now === undefined) return { known: false, reason: 'no source' }
  if (now === 'none') return { known: false, reason: 'no function' }
  if (now === 'leaving') return { known: false, reason: 'leaving' }
  const variables = variablesOf(code, now, data, pathAt)
  if (!variables) return { known: false, reason: 'other' }
  const { contract, name, kind } = now.callable
  return { known: true, function: [contract?.name, name || kind].filter(Boolean).join('.'), variables }
}

const SELECTOR_BYTES = 4

const FUNCTIONS = new WeakMap<BuildContract, ReadonlyMap<Hex, AbiEntry>>()

/** A contract's functions by selector. */
function functionsOf(contract: BuildContract): ReadonlyMap<Hex, AbiEntry> {
  const known = FUNCTIONS.get(contract)
  if (known) return known
  const functions = contract.abi.filter(({ type }) => type === 'function')
  const made = new Map(functions.map((entry) => [selectorOf(signatureOf(entry.name ?? '', entry.inputs)), entry]))
  FUNCTIONS.set(contract, made)
  return made
}

/** `undefined` for a creation, or if the input calls no function of the contract. */
function calledWith({ contract, code }: RecognisedCode, input: Hex): Called | undefined {
  if (code !== contract.deployed) return undefined
  const bytes = hexToBytes(input)
  const selector = bytesToHex(bytes.subarray(0, SELECTOR_BYTES))
  const entry = functionsOf(contract).get(selector)
  const values = entry && decodeValues(entry.inputs, bytes.subarray(SELECTOR_BYTES))
  if (!entry || !values) return undefined
  return {
    function: `${contract.name}.${entry.name}`,
    arguments: values.map(({ name, type, text }, i) => ({
      kind: 'argument',
      name: name || `#${i + 1}`,
      type: entry.inputs[i]?.internalType ?? type,
      value: text,
    })),
  }
}

function variablesOf(
  { build, code }: RecognisedCode,
  { callable: { id }, at, height }: RunningFunction,
  data: StepData,
  pathAt: PathAt,
): LocalVariable[] | undefined {
  const live = id === undefined ? undefined : liveVariables(build, id, at)
  if (!live) return undefined
  const argumentSlots = live.filter(({ kind }) => kind === 'argument').reduce((sum, { slots }) => sum + slots, 0)
  const told = code.functions.find((entry) => entry.id === id)
  if (told && told.parameterSlots !== argumentSlots) return undefined
  const base = height - argumentSlots
  const reader = { ...data, build, pathAt }
  const named = live.filter(({ name }) => name !== '')
  return named.map(({ kind, name, type, typeId, index, slots }) => {
    const words = data.stack.slice(base + index, base + index + slots)
    const isThere = base >= 0 && words.length === slots
    return { kind, name, type, value: isThere ? valueText(typeId, words, reader) : undefined }
  })
}
