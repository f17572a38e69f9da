import { isObject } from '#primitives/json-object.ts'
import type { BlockOverride } from '../../evm/calls/block-override.ts'
import type { StateOverride } from '../../evm/calls/state-override.ts'
import { quote } from '../../spec/parse-option.ts'
import {
  NO_BLOCK_OVERRIDE,
  NO_STATE_OVERRIDE,
  parseBlockOverride,
  parseStateOverride,
} from '../calls/override-params.ts'
import { parseUint64 } from '../params/hex-params.ts'
import { cannotUnmarshal, jsonType, type Param, ParamError } from '../params/param.ts'
import type { StructLoggerConfig } from './struct-logger.ts'

/** Geth's tracer that runs several others. */
export const MUX_TRACER = 'muxTracer'
/** Geth's tracer for the rules of user operations. */
const ERC7562_TRACER = 'erc7562Tracer'
/** The most tracers it runs; there are no more, and none runs twice. */
const MAX_PARTS = 8

type Fields = Readonly<Record<string, unknown>>

/** A tracer and its enabled switches. */
export interface NamedTracer {
  readonly tracer: string
  readonly tracerConfig: ReadonlySet<string>
  /** Opcodes that `erc7562Tracer` does not count; `undefined` for its own list. */
  readonly ignoredOpcodes?: ReadonlySet<number> | undefined
}

/** A trace config for the tracers. */
export interface TraceConfig extends StructLoggerConfig, Pick<NamedTracer, 'tracerConfig' | 'ignoredOpcodes'> {
  /** `undefined` for the struct logger. */
  readonly tracer: string | undefined
  /** The tracers for `muxTracer`; empty for others. */
  readonly parts: readonly NamedTracer[]
  /** JSON for the `setup` of a tracer in JavaScript. */
  readonly scriptConfig: string
  /** Milliseconds; `undefined` for the node's own limit. */
  readonly timeoutMs: number | undefined
}

/** The trace config of a call, with its overrides. */
export interface TraceCallConfig extends TraceConfig {
  readonly stateOverrides: StateOverride
  readonly blockOverrides: BlockOverride
  /** The call runs before this transaction of the block; `undefined` for after the last. */
  readonly txIndex: number | undefined
}

/** The switches of all tracers. */
const SWITCHES = [
  'onlyTopCall',
  'withLog',
  'diffMode',
  'disableCode',
  'disableStorage',
  'includeEmpty',
  'convertParityErrors',
  'includePrecompiles',
]

/** The trace config of a transaction or a block. */
export const traceConfig: Param<TraceConfig> = { parse: (value) => parseTraceConfig(objectOf(value)) }

/** The trace config of a call. */
export const traceCallConfig: Param<TraceCallConfig> = {
  parse(value) {
    const fields = objectOf(value)
    const { stateOverrides, blockOverrides, txIndex } = fields
    return {
      ...parseTraceConfig(fields),
      stateOverrides: isGiven(stateOverrides) ? parseStateOverride(stateOverrides) : NO_STATE_OVERRIDE,
      blockOverrides: isGiven(blockOverrides) ? parseBlockOverride(blockOverrides) : NO_BLOCK_OVERRIDE,
      txIndex: isGiven(txIndex) ? Number(parseUint64(txIndex, 'TraceCallConfig.TxIndex')) : undefined,
    }
  },
}

function parseTraceConfig(fields: Fields): TraceConfig {
  const text = (name: string) => typed(fields, name, 'string')
  // As in execution-apis, an empty name means no tracer.
  const tracer = text('tracer') || undefined
  const { tracerConfig } = fields
  return {
    tracer,
    tracerConfig: tracer === MUX_TRACER || isScript(tracer) ? new Set() : switchesOf(tracerConfig),
    ignoredOpcodes: tracer === ERC7562_TRACER ? ignoredOpcodesOf(tracerConfig) : undefined,
    parts: tracer === MUX_TRACER ? partsOf(tracerConfig) : [],
    scriptConfig: isScript(tracer) ? JSON.stringify(tracerConfig ?? {}) : '{}',
    timeoutMs: parseDuration(text('timeout')),
    enableMemory: typed(fields, 'enableMemory', 'boolean') ?? false,
    disableStack: typed(fields, 'disableStack', 'boolean') ?? false,
    disableStorage: typed(fields, 'disableStorage', 'boolean') ?? false,
    enableReturnData: typed(fields, 'enableReturnData', 'boolean') ?? false,
    limit: typed(fields, 'limit', 'number') ?? 0,
  }
}

/** Whether a tracer is the source of one in JavaScript: no name. */
export function isScript(tracer: string | undefined): tracer is string {
  return tracer !== undefined && !/^[\w$]+$/.test(tracer)
}

function switchesOf(value: unknown): ReadonlySet<string> {
  if (!isGiven(value)) return new Set()
  const fields = objectOf(value)
  return new Set(SWITCHES.filter((name) => typed(fields, name, 'boolean')))
}

function partsOf(value: unknown): readonly NamedTracer[] {
  if (!isGiven(value)) return []
  const parts = Object.entries(objectOf(value))
  if (parts.length > MAX_PARTS) throw new ParamError(`${MUX_TRACER} runs at most ${MAX_PARTS} tracers`)
  return parts.map(([tracer, config]) => ({
    tracer,
    tracerConfig: switchesOf(config),
    ignoredOpcodes: tracer === ERC7562_TRACER ? ignoredOpcodesOf(config) : undefined,
  }))
}

/** As in geth, a code above one byte is that of its last byte. What geth does with `stackTopItemsSize` shows in no answer. */
function ignoredOpcodesOf(value: unknown): ReadonlySet<number> | undefined {
  if (!isGiven(value)) return undefined
  const fields = objectOf(value)
  const size = typed(fields, 'stackTopItemsSize', 'number')
  if (size !== undefined && (!Number.isSafeInteger(size) || size < 0)) {
    throw new ParamError(`stackTopItemsSize is a whole number, not ${size}`)
  }
  const { ignoredOpcodes } = fields
  if (!isGiven(ignoredOpcodes)) return undefined
  if (!Array.isArray(ignoredOpcodes)) {
    throw cannotUnmarshal(jsonType(ignoredOpcodes), `struct field TraceConfig.ignoredOpcodes of type []hexutil.Uint64`)
  }
  return new Set(ignoredOpcodes.map((opcode) => Number(parseUint64(opcode, 'TraceConfig.ignoredOpcodes') & 0xffn)))
}

interface TypeNames {
  readonly string: string
  readonly boolean: boolean
  readonly number: number
}

const GO_TYPES: { readonly [Type in keyof TypeNames]: string } = { string: 'string', boolean: 'bool', number: 'int' }

function typed<Type extends keyof TypeNames>(fields: Fields, name: string, type: Type): TypeNames[Type] | undefined {
  const value = fields[name]
  if (!isGiven(value)) return undefined
  if (typeof value !== type) {
    throw cannotUnmarshal(jsonType(value), `struct field TraceConfig.${name} of type ${GO_TYPES[type]}`)
  }
  return value as TypeNames[Type]
}

const UNIT_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
}

/** Parses a duration in Go's format as milliseconds: `1m30s`, `1.5h`, `300ms`. */
function parseDuration(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (text === '0') return 0
  if (!/^(\d+(\.\d*)?(ns|us|µs|ms|s|m|h))+$/.test(text)) {
    throw new ParamError(`time: invalid duration ${quote(text)}`)
  }
  let sum = 0
  for (const [, count, , unit] of text.matchAll(/(\d+(\.\d*)?)(ns|us|µs|ms|s|m|h)/g)) {
    sum += Number(count) * (UNIT_MS[unit as string] as number)
  }
  return sum
}

function objectOf(value: unknown): Fields {
  if (!isObject(value)) throw cannotUnmarshal(jsonType(value), 'value of type tracers.TraceConfig')
  return value
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}
