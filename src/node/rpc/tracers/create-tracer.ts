import type { Address } from '#primitives/hex.ts'
import { shorten } from '#primitives/shorten.ts'
import type { RpcTrace } from '#rpc-types/methods/debug.ts'
import type { Block, IncludedTransaction } from '../../payload/block.ts'
import { RpcRefusedError } from '../errors.ts'
import { createCallTracer } from './call-tracer.ts'
import { combineTracers } from './combine-tracers.ts'
import { createErc7562Tracer, IGNORED_OPCODES } from './erc7562-tracer.ts'
import { createFlatCallTracer, type TracePlace } from './flat-call-tracer.ts'
import { createFourByteTracer } from './four-byte-tracer.ts'
import { createPrestateTracer } from './prestate-tracer.ts'
import type { ResultTracer } from './result-tracer.ts'
import { createStructLogger } from './struct-logger.ts'
import type { TraceBudget } from './trace-budget.ts'
import { isScript, MUX_TRACER, type NamedTracer, type TraceConfig } from './trace-config-params.ts'

/** What a tracer has to know of the transaction besides what it sees. */
export interface TraceSubject extends TracePlace {
  /** Logs of the block that come before. */
  readonly firstLogIndex: number
  /** Where precompiled contracts answer. */
  readonly precompiles: ReadonlySet<Address>
}

/** A transaction of a block. */
export function subjectOf(
  { hash, kind, header }: Block,
  { tx, transactionIndex, firstLogIndex }: IncludedTransaction,
  precompiles: ReadonlySet<Address>,
): TraceSubject {
  return {
    blockHash: kind === 'sealed' ? hash : null,
    blockNumber: header.number,
    transactionHash: tx.hash,
    transactionPosition: transactionIndex,
    firstLogIndex,
    precompiles,
  }
}

/** The fields of the subject that each frame repeats. */
export function placeOf({ blockHash, blockNumber, transactionHash, transactionPosition }: TraceSubject): TracePlace {
  return { blockHash, blockNumber, transactionHash, transactionPosition }
}

/**
 * Creates the requested tracer for one transaction.
 *
 * @param budget - Shared by all tracers of a request.
 * @throws {RpcRefusedError} `server`, if there is no such tracer.
 */
export function createTracer(config: TraceConfig, subject: TraceSubject, budget: TraceBudget): ResultTracer<RpcTrace> {
  const { tracer, tracerConfig, parts } = config
  if (tracer === undefined) return createStructLogger(config, budget)
  if (tracer !== MUX_TRACER) {
    return createNamedTracer({ tracer, tracerConfig, ignoredOpcodes: config.ignoredOpcodes }, subject, budget)
  }
  const tracers = parts.map((part) => [part.tracer, createNamedTracer(part, subject, budget)] as const)
  return {
    ...combineTracers(tracers.map(([, part]) => part)),
    result: () => Object.fromEntries(tracers.map(([name, part]) => [name, part.result()])),
  }
}

function createNamedTracer(
  { tracer, tracerConfig, ignoredOpcodes }: NamedTracer,
  subject: TraceSubject,
  budget: TraceBudget,
): ResultTracer<RpcTrace> {
  const isOn = (name: string) => tracerConfig.has(name)
  switch (tracer) {
    case 'noopTracer':
      return { result: () => ({}) }
    case '4byteTracer':
      return createFourByteTracer(subject.precompiles, budget)
    case 'callTracer':
      return createCallTracer(
        { onlyTopCall: isOn('onlyTopCall'), withLog: isOn('withLog') },
        subject.firstLogIndex,
        budget,
      )
    case 'erc7562Tracer':
      return createErc7562Tracer(
        { withLog: isOn('withLog'), ignoredOpcodes: ignoredOpcodes ?? IGNORED_OPCODES },
        subject.firstLogIndex,
        budget,
      )
    case 'flatCallTracer': {
      const config = {
        asParity: false,
        convertErrors: isOn('convertParityErrors'),
        withPrecompiles: isOn('includePrecompiles'),
      }
      return createFlatCallTracer(config, subject.precompiles, budget, placeOf(subject))
    }
    case 'prestateTracer':
      if (isOn('diffMode') && isOn('includeEmpty')) {
        throw new RpcRefusedError('server', 'cannot use diffMode with includeEmpty')
      }
      return createPrestateTracer(
        {
          diffMode: isOn('diffMode'),
          disableCode: isOn('disableCode'),
          disableStorage: isOn('disableStorage'),
          includeEmpty: isOn('includeEmpty'),
        },
        budget,
      )
    case MUX_TRACER:
      throw new RpcRefusedError('server', `${MUX_TRACER} does not run another ${MUX_TRACER}`)
    default:
      throw new RpcRefusedError('server', unknownTracer(tracer))
  }
}

/** Geth treats every other name as the source of a JavaScript tracer, and fails like this for a plain name. */
function unknownTracer(name: string): string {
  if (isScript(name)) return 'JavaScript tracers are not supported, unless the server is started with --js-tracers'
  return `ReferenceError: ${shorten(name)} is not defined at <eval>:1:2(0)`
}
