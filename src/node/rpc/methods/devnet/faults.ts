import { type Hash, toQuantity } from '#primitives/hex.ts'
import { isObject } from '#primitives/json-object.ts'
import { ENDS_FAULTS, type PlannedFailure, type WithdrawnFate } from '#rpc-types/methods/devnet.ts'
import { OPTION_RANGES } from '#rpc-types/option-ranges.ts'
import type { MadeWithdrawal } from '../../../sequencer/control.ts'
import { quote } from '../../../spec/parse-option.ts'
import { defineMethod, type MethodTable } from '../../define-method.ts'
import { MAX_PLANS } from '../../dev-settings.ts'
import { RpcRefusedError } from '../../errors.ts'
import { parseHash } from '../../params/hex-params.ts'
import { cannotUnmarshal, jsonType, optional, type Param, ParamError } from '../../params/param.ts'
import { integerWithin } from '../../params/plain-params.ts'

/** Longest delay in milliseconds: ten minutes. */
const MAX_DELAY_MS = 600_000
const MAX_FAILURES = 1_000_000
const INT32 = 2 ** 31
/** Most method names per plan; a page or test that fails everything names each method once. */
const MAX_METHODS = 1_000
/**
 * Most characters of a planned error's message and data, as JSON: the node keeps them, and each failing call sends
 * them.
 */
const MAX_ERROR_CHARACTERS = 65_536
/** Deepest nesting of a planned error's data. */
const MAX_ERROR_DEPTH = 32

/** Most hashes that one withdrawal may prefer: a page knows 50 of its own, a test hardly more. */
const MAX_PREFERRED = 1_000

const partialMs = integerWithin(OPTION_RANGES.partialMs.min, OPTION_RANGES.partialMs.max)
const partialsPerBlock = integerWithin(OPTION_RANGES.partialsPerBlock.min, OPTION_RANGES.partialsPerBlock.max)

/** A delay in milliseconds. */
const delayMs = integerWithin(0, MAX_DELAY_MS)

/** What becomes of withdrawn transactions. */
const withdrawnFate: Param<WithdrawnFate> = {
  parse(value) {
    if (value === 'requeue' || value === 'lose') return value
    throw new ParamError(`unknown fate ${quote(value)}, want "requeue" or "lose"`)
  },
}

/** What becomes of the transactions that are withdrawn next; `none` cancels it. */
const nextFate: Param<WithdrawnFate | 'none'> = {
  parse: (value) => (value === 'none' ? value : withdrawnFate.parse(value)),
}

/** Hashes that a withdrawal prefers. */
const preferredHashes: Param<readonly Hash[]> = {
  parse(value) {
    if (!Array.isArray(value)) throw cannotUnmarshal(jsonType(value), 'value of type []common.Hash')
    if (value.length > MAX_PREFERRED) {
      throw new ParamError(`${value.length} hashes to prefer, name at most ${MAX_PREFERRED}`)
    }
    return value.map((hash: unknown) => parseHash(hash))
  },
}

/** Part or all of how a block's time is divided into ticks. */
const timing: Param<{ readonly partialMs?: number; readonly partialsPerBlock?: number }> = {
  parse(value) {
    const fields = fieldsOf(value, ['partialMs', 'partialsPerBlock'])
    return {
      ...(fields['partialMs'] !== undefined && { partialMs: partialMs.parse(fields['partialMs']) }),
      ...(fields['partialsPerBlock'] !== undefined && {
        partialsPerBlock: partialsPerBlock.parse(fields['partialsPerBlock']),
      }),
    }
  },
}

/** A plan for calls to fail. */
const plannedFailure: Param<PlannedFailure> = {
  parse(value) {
    const { methods, error, delayMs: delay, times } = fieldsOf(value, ['methods', 'error', 'delayMs', 'times'])
    const failure: PlannedFailure = {
      methods: parseMethods(methods),
      ...(error !== undefined && { error: parseError(error) }),
      ...(delay !== undefined && { delayMs: delayMs.parse(delay) }),
      ...(times !== undefined && { times: integerWithin(0, MAX_FAILURES).parse(times) }),
    }
    if (failure.times !== 0 && failure.error === undefined && failure.delayMs === undefined) {
      throw new ParamError('a planned failure needs an error or a delay')
    }
    return failure
  },
}

function parseMethods(value: unknown): readonly string[] {
  if (!Array.isArray(value)) throw cannotUnmarshal(jsonType(value), 'struct field methods of type []string')
  if (value.length === 0) throw new ParamError('name at least one method to fail')
  if (value.length > MAX_METHODS) throw new ParamError(`${value.length} methods to fail, name at most ${MAX_METHODS}`)
  const names = value.map((name: unknown) => {
    if (typeof name !== 'string') throw cannotUnmarshal(jsonType(name), 'struct field methods of type []string')
    return name
  })
  return [...new Set(names)]
}

function parseError(value: unknown) {
  const { code, message, data } = fieldsOf(value, ['code', 'message', 'data'])
  if (typeof code !== 'number' || !Number.isInteger(code) || Math.abs(code) > INT32) {
    throw new ParamError('an error needs a whole number as its code')
  }
  if (typeof message !== 'string') throw new ParamError('an error needs a message')
  const error = { code, message, ...(data !== undefined && { data }) }
  if (depthExceeds(data, MAX_ERROR_DEPTH)) {
    throw new ParamError(`the error's data has more than ${MAX_ERROR_DEPTH} levels, nest it less deeply`)
  }
  const { length } = JSON.stringify(error)
  if (length > MAX_ERROR_CHARACTERS) {
    throw new ParamError(`the error has ${length} characters as JSON, send at most ${MAX_ERROR_CHARACTERS}`)
  }
  return error
}

/**
 * Whether arrays and objects are nested deeper than that. Works level by level, since recursion could run out of stack.
 */
function depthExceeds(value: unknown, levels: number): boolean {
  let level: readonly unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    const containers = level.filter((item) => typeof item === 'object' && item !== null)
    if (containers.length > 0 && depth === levels) return true
    level = containers.flatMap((item): unknown[] => Object.values(item))
  }
  return false
}

/** The fields of an object, without `null` ones. Unknown names are refused, as they are usually typos. */
function fieldsOf(value: unknown, known: readonly string[]): Readonly<Record<string, unknown>> {
  if (!isObject(value)) throw cannotUnmarshal(jsonType(value), 'value of type struct')
  const unknown = Object.keys(value).find((name) => !known.includes(name))
  if (unknown !== undefined) throw new ParamError(`unknown field ${quote(unknown)}`)
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null))
}

/** Most blocks sealed per call. */
const MAX_SEALS = 100_000

const MAX_STALL = 1_000_000

/** More than the length of any chain, or the partial blocks of any block. */
const MAX_DEPTH = 2 ** 32

/** Faults, and sealing by hand. */
export const DEVNET_FAULT_METHODS = {
  /** Seals blocks at once, regardless of the clock. */
  devnet_seal: defineMethod([optional(integerWithin(1, MAX_SEALS), 1)], async ({ control, caller }, n) => {
    const { header, hash } = await control.seal(n, undefined, caller)
    return { number: toQuantity(header.number), hash }
  }),

  /** Sets how a block's time is divided into ticks. */
  devnet_setTiming: defineMethod([timing], async ({ control }, change) => {
    await control.setTiming(change)
    return true as const
  }),

  /** Withdraws pre-confirmations. */
  devnet_dropPartialBlocks: defineMethod(
    [optional(integerWithin(1, MAX_DEPTH), 1), optional(withdrawnFate, 'requeue')],
    async ({ chain, control }, n, fate) => {
      const withdrawn = await control.dropPartialBlocks(n, fate)
      const { header, index } = chain.pending()
      return { number: toQuantity(header.number), index, withdrawn: withdrawn.map(({ hash }) => hash) }
    },
  ),

  /** Withdraws pre-confirmations now or as soon as there are any. */
  devnet_withdrawNext: defineMethod(
    [optional(nextFate, 'requeue'), optional(preferredHashes, [])],
    async ({ control }, fate, prefer) => {
      const withdrawal = await control.withdrawNext(fate === 'none' ? undefined : fate, new Set(prefer))
      return withdrawal ? formatWithdrawal(withdrawal) : null
    },
  ),

  /** Reverts sealed blocks. */
  devnet_reorg: defineMethod(
    [optional(integerWithin(1, MAX_DEPTH), 1), optional(withdrawnFate, 'requeue')],
    async ({ chain, control }, depth, fate) => {
      const removed = await control.reorg(depth, fate)
      const { header, hash } = chain.head()
      return { head: { number: toQuantity(header.number), hash }, removed: removed.map((block) => block.hash) }
    },
  ),

  /** Makes ticks pre-confirm nothing. */
  devnet_stallPartialBlocks: defineMethod([integerWithin(0, MAX_STALL)], ({ control }, ticks) => {
    control.stallPartialBlocks(ticks)
    return true
  }),

  /** Delays the seal of the live block. */
  devnet_delaySeal: defineMethod([delayMs], ({ control }, ms) => {
    control.delaySeal(ms)
    return true
  }),

  /** Makes coming calls fail or delays their answers. */
  devnet_failNext: defineMethod([plannedFailure], ({ settings, methodNames }, failure) => {
    const unknown = failure.methods.find((name) => !methodNames.includes(name))
    if (unknown !== undefined) {
      throw new RpcRefusedError('invalid-params', `invalid argument 0: there is no method ${unknown}`)
    }
    const ending = failure.methods.find((name) => ENDS_FAULTS.includes(name))
    if (ending !== undefined) {
      throw new RpcRefusedError('invalid-params', `invalid argument 0: ${ending} always works, as it ends faults`)
    }
    if (!settings.failures.plan(failure)) {
      const hint = 'let them happen, or take them back with times 0'
      throw new RpcRefusedError('limit-exceeded', `too many planned failures: at most ${MAX_PLANS} at a time, ${hint}`)
    }
    return true
  }),
} satisfies Partial<MethodTable>

/** A withdrawal as in the node's answers. */
export function formatWithdrawal(withdrawal: MadeWithdrawal) {
  return { ...withdrawal, number: toQuantity(withdrawal.number) }
}
