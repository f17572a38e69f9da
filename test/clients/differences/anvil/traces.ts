import type { Difference } from '../difference.ts'

/** Tracers, `trace_*`, `ots_*` and the struct logger. */
export const TRACES: readonly Difference[] = [
  { about: '`callTracer`, outermost `gas`', here: "the transaction's gas limit", there: 'without the intrinsic gas' },
  {
    about: '`callTracer`, outermost `gasUsed`',
    here: 'as in the receipt',
    there: 'for a transaction that is not the first of its block, something else',
  },
  { about: '`callTracer`, logs of a failed call', here: 'left out', there: 'kept' },
  { about: '`callTracer`, `index` of a log', here: 'within the block', there: 'within the transaction' },
  {
    about: "`data` of a call's error",
    here: 'the revert data; where the node knows the sources, an object with it and a stack trace, as in Hardhat',
    there: 'the revert data',
  },
  {
    about: '`error` of a frame',
    here: "geth's words: `write protection`, `max code size exceeded`, `stack underflow (0 <=> 3)` …",
    there: 'its own: `StateChangeDuringStaticCall`, `CreateContractSizeLimit`, `Out of stack` …',
  },
  { about: '`error` of a precompiled contract', here: '`out of gas` or its own words', there: '`precompiled failed`' },
  {
    about: '`prestateTracer`',
    here: 'accounts that do not exist only with `includeEmpty`; with `codeHash`',
    there: 'with empty accounts; without `codeHash`',
  },
  { about: '`4byteTracer`', here: 'without calls of precompiled contracts', there: 'with them' },
  {
    about: '`erc7562Tracer`',
    here: 'as in geth, without what a step would have hashed that runs out of gas',
    there: 'not there',
  },
  {
    about: 'tracers in JavaScript',
    here: 'with `--js-tracers`, on the reference engine; errors name no line',
    there: 'always',
  },
  {
    about: '`flatCallTracer`, `muxTracer`',
    here: 'as in geth, but no `muxTracer` within another',
    there: 'answered with `{}`',
  },
  {
    about: '`trace_*`, calls of precompiled contracts',
    here: 'left out, as in Parity',
    there: '`trace_transaction` and others have them, `trace_replayBlockTransactions` has not',
  },
  { about: '`trace_*` of what is not there', here: '`null`, as in Parity', there: '`[]`' },
  { about: '`trace_filter`, `fromBlock` and `toBlock`', here: 'tags as well', there: 'numbers only' },
  {
    about: '`stateDiff` of an account that comes into being without code',
    here: '`+`, as in Parity',
    there: 'changed from 0',
  },
  { about: '`error` in `trace_*`', here: "Parity's words, or else geth's", there: "Parity's words, or else its own" },
  { about: '`trace_get`, `trace_replayTransaction`', here: 'there', there: 'not there' },
  {
    about: '`vmTrace` in `trace_replay*` and `trace_call*`',
    here: "refused: `debug_traceTransaction` without a tracer tells of every step. Otterscan's *Show Revert Trace* needs it",
    there: 'not there',
  },
  {
    about: '`eth_callMany`',
    here: 'a call that fails has an `error` in words; bundles without `blockOverride` are in the block that is named',
    there: 'in newer versions',
  },
  {
    about: '`ots_getInternalOperations`',
    here: "as in Otterscan's documents, without what failed",
    there:
      'also what the transaction itself sends or creates; not what is sent to a contract that then destroys itself',
  },
  {
    about: '`ots_traceTransaction`',
    here: 'also creations and self-destructions; no `value` where none can be sent',
    there: 'calls alone, each with a `value`',
  },
  {
    about: '`ots_getBlockTransactions`',
    here: "as in Erigon, page 0 has the last transactions; without logs and blooms; `transactionCount` is the block's",
    there: "page 0 has the first ones; with logs; `transactionCount` is the page's",
  },
  { about: '`ots_getBlockDetails`', here: "without `logsBloom`, as in Otterscan's documents", there: 'with it' },
  {
    about: '`ots_search*`',
    here: "calls within transactions in the newest 256 blocks; a block's newest first",
    there: "in all blocks; looking forwards, a block's oldest first",
  },
  {
    about: '`ots_*` of a transaction or a block that is not there',
    here: '`transaction not found`, `null`',
    there: '`[]`, `0x` or an error',
  },
  { about: 'struct logger', here: 'always', there: 'only with `--steps-tracing`' },
  { about: 'struct logger, `gasCost` of CREATE', here: 'without the gas handed on', there: 'with it' },
  { about: 'struct logger, a step that cannot be paid', here: 'what it would cost', there: 'what there was' },
  {
    about: 'struct logger, undefined opcodes',
    here: '`opcode 0xbb not defined`',
    there: '`Unknown`, or the name that the next fork gives it',
  },
  { about: 'struct logger, no code at all', here: 'no steps', there: 'a `STOP`' },
]
