import type { Clock } from '#primitives/clock.ts'
import { Emitter } from '#primitives/emitter.ts'
import type { Hash } from '#primitives/hex.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { RecoveryHelpers, type RecoveryHelpersDeps } from './crypto/recovery-helpers.ts'
import { environments } from './evm/block-env.ts'
import type { CallContext } from './evm/calls/call.ts'
import { estimateGas } from './evm/calls/estimate-gas.ts'
import { estimateSequence } from './evm/calls/estimate-sequence.ts'
import { executeCall } from './evm/calls/execute-call.ts'
import { TrialStates } from './evm/calls/trial-states.ts'
import type { ExecutedCode } from './evm/coverage/executed-code.ts'
import { createEngine } from './evm/engines/create-engine.ts'
import { mostDues } from './evm/rollup.ts'
import { isDelegation } from './evm/transactions/authorization.ts'
import { RUNNING, SHOWN } from './film/node-role.ts'
import type { ForkHost } from './fork/fork-host.ts'
import type { OpenedFork } from './fork/open-fork.ts'
import { ownOrigin } from './fork/origin.ts'
import type { RunningFork } from './fork/running-fork.ts'
import { openRollup } from './op/open-rollup.ts'
import type { Block } from './payload/block.ts'
import { createGenesis } from './payload/genesis.ts'
import { chainRecordOf, readChainRecord, storedOptions } from './persistence/chain-record.ts'
import { ChainStorage } from './persistence/chain-storage.ts'
import { ImportRun } from './persistence/import-run.ts'
import { MEMORY_BYTES, shelfOf } from './persistence/kept-blocks.ts'
import type { ChainRecord } from './persistence/records.ts'
import { checkStates, restoreChain, unreadable } from './persistence/restore-chain.ts'
import { TakenBack } from './persistence/taken-back.ts'
import type { WholeStateRule } from './persistence/whole-state-rule.ts'
import { Failures } from './rpc/builds/failures.ts'
import { BuildsOfNode } from './rpc/builds/known-builds.ts'
import { DevSettings } from './rpc/dev-settings.ts'
import { openDialect } from './rpc/dialects/open-dialect.ts'
import { createRpcEndpoint, type NodeEndpoint } from './rpc/endpoint.ts'
import { CallBundles } from './rpc/methods/wallet/call-bundles.ts'
import { ImpersonatedAccounts } from './rpc/sending/impersonated-accounts.ts'
import type { ScriptTracers } from './rpc/tracers/script-tracers.ts'
import { traceCharactersIn } from './rpc/tracers/trace-budget.ts'
import type { ChainEvents } from './sequencer/events.ts'
import { Sequencer } from './sequencer/sequencer.ts'
import { Timeline } from './sequencer/timeline.ts'
import { createSpec } from './spec/create-spec.ts'
import { addBalance } from './state/edit-account.ts'
import { ChainStore } from './storage/chain-store.ts'
import type { Journal } from './storage/journal.ts'
import { createPacer } from './turns/pacer.ts'
import { TransactionDecoder } from './tx/transaction-decoder.ts'
import { Mempool } from './txpool/mempool.ts'
import type { TimeLimits } from './txpool/time-limits.ts'

/** The host's services for the node. */
export interface NodeDeps {
  readonly clock: Clock
  readonly log: (level: 'info' | 'warn' | 'error', message: string, details?: unknown) => void
  /** Threads that help recover senders; without them, the node's own thread does it all. */
  readonly helpers?: Pick<RecoveryHelpersDeps, 'most' | 'start'>
  /** Stores the chain between runs; without it, the chain is in memory only. The host opens and closes it. */
  readonly journal?: Journal
  /** Milliseconds that closing may take longer, so that a large state opens fast; default 0. */
  readonly tidyMs?: number
  /** When its whole state is written again. */
  readonly wholeStates?: WholeStateRule
  /** Called when somebody else has opened the journal: the node cannot write any more and must be closed. */
  readonly onTakenOver?: () => void
  /** Called when the journal holds another chain: the node must be closed and reopened. */
  readonly onReplaced?: () => void
  /**
   * Called with the progress of checking the journal. If given, all states are checked against their blocks before the
   * chain is used.
   */
  readonly onChecked?: (step: 'states' | 'partial-blocks', done: number, total: number) => void
  /**
   * Time limit in milliseconds for each part of the checks and executions before the chain runs; no limit by default.
   */
  readonly openLimitMs?: number
  /** The compilations that the node knows; the host may add those that it finds. */
  readonly builds?: BuildsOfNode
  /** Continues another chain. One that the journal has goes on without its endpoint, unless this is that one, reopened. */
  readonly fork?: OpenedFork
  /** Puts other chains in this one's place, for who asks for it; not for a chain that is kept. */
  readonly forkHost?: ForkHost
  /** Bytes of the heap that the node lives in, where it is known to have a limit. */
  readonly heapBytes?: number
  /** How much memory the bytes of blocks may take that the journal has. Default {@link MEMORY_BYTES}. */
  readonly memoryBytes?: number
  /** Limits how long some senders' transactions may run. */
  readonly timeLimits?: TimeLimits
  /** Loads what runs tracers in JavaScript; without it, they are refused. */
  readonly scripts?: () => Promise<ScriptTracers>
  /** Counts what transactions and calls execute: they take longer then, and cost the same gas. */
  readonly executed?: ExecutedCode
  /** Opens the journal's chain as a film: it stands still, nothing changes it, and nothing is written. */
  readonly film?: boolean
}

/** A running chain; all queries go through JSON-RPC. */
export interface Node extends NodeEndpoint {
  /** Starts chain time, unless the clock is manual or an earlier run paused the chain. */
  start(): void
  /**
   * Stops the chain after the tick in progress, and writes what has happened.
   *
   * @throws {JournalError}
   */
  close(): Promise<void>
}

/**
 * Wires a chain together, from genesis to RPC. Its live block can be read at once; {@link Node.start} starts its clock.
 *
 * A chain in the journal continues with the options it was started with.
 *
 * @throws {InvalidOptionError} If an option is invalid, or differs from the stored chain's.
 * @throws {JournalError} If the journal cannot be read.
 */
export async function createNode(
  given: NodeOptions,
  {
    clock,
    log,
    helpers,
    journal,
    tidyMs = 0,
    wholeStates,
    onTakenOver = () => {},
    onReplaced,
    onChecked,
    openLimitMs,
    fork: givenFork,
    forkHost,
    film: asFilm,
    heapBytes,
    timeLimits,
    scripts,
    executed,
    builds = new BuildsOfNode(),
    memoryBytes = MEMORY_BYTES,
  }: NodeDeps,
): Promise<Node> {
  const chainRecord = journal && (await readChainRecord(journal))
  const dialect = await openDialect(given)
  const wanted = dialect?.withOptions(given, chainRecord !== undefined) ?? given
  const options = chainRecord ? storedOptions(chainRecord, wanted) : wanted
  const opened = await openRollup(options, givenFork !== undefined || chainRecord?.fork !== undefined)
  const plain = opened ? opened.withRules(createSpec(options)) : createSpec(options)
  const spec = dialect ? dialect.withRules(plain) : plain
  // The engine is compiled on another thread meanwhile. A failure meets whoever awaits it.
  const compiling = createEngine(
    spec.chainId,
    options.engine,
    undefined,
    spec.codeSizeLimit,
    spec.impersonatedSignatures,
    opened?.rollup,
  )
  compiling.catch(() => {})
  const events = new Emitter<ChainEvents>()
  const role = asFilm ? SHOWN : RUNNING
  const recorded = role.recorded(events)
  const timeline = new Timeline(recorded, clock)
  const genesisTimestamp = chainRecord?.genesisTimestamp ?? spec.genesisTimestamp ?? Math.floor(clock.wallNow() / 1000)
  const origin =
    givenFork ??
    (await keptFork(journal, chainRecord, clock, openLimitMs)) ??
    ownOrigin(createGenesis(spec, genesisTimestamp))
  const store = new ChainStore(origin.block)
  const restored =
    journal && chainRecord && (await restoreChain(journal, store, chainRecord, role.openedAtMs(clock), memoryBytes))
  if (journal) store.keepWithin(memoryBytes, shelfOf(journal))
  const settings = new DevSettings(store.head().hash, clock.now(), spec.atomic)
  const report: NodeDeps['log'] = (level, message, details) => {
    if (settings.loggingEnabled) log(level, message, details)
  }
  const warn = (message: string, details?: unknown) => report('warn', message, details)
  const engine = { ...(await compiling), executed }
  const mempool = new Mempool({
    rules: spec,
    limits: spec.pool,
    account: (address) => store.pending().state.account(address) ?? { nonce: 0n, balance: 0n },
    sealedNonce: (address) => store.head().state.account(address)?.nonce ?? 0n,
    isInLiveBlock: (hash) => store.liveTransaction(hash) !== undefined,
    isOnChain: (hash) => store.findTransaction(hash) !== undefined,
    gasLimit: () => store.pending().header.gasLimit,
    isDelegation: (codeHash) => isDelegation(store.pending().state.codes.get(codeHash)),
    dues: opened && ((tx) => mostDues(opened.rollup, store.pending().state, tx)),
    timeLimits,
    events,
    log: warn,
  })
  const takenBack = new TakenBack(recorded)
  const impersonated = new ImpersonatedAccounts()
  for (const account of restored?.impersonated.accounts ?? []) impersonated.add(account)
  impersonated.setAuto(restored?.impersonated.auto ?? false)
  const bundles = new CallBundles(restored?.bundles)
  const storage = new ChainStorage({
    chain: {
      clock,
      store,
      pool: mempool.reader,
      events,
      impersonated: () => ({ accounts: impersonated.all(), auto: impersonated.auto }),
      bundles,
      fork: origin.fork,
      ...(wholeStates && { wholeStates }),
    },
    record: chainRecord ?? chainRecordOf(options, origin.block, origin.fork?.record),
    taken: () => takenBack.records(),
    journal: role.written(journal),
    written: restored?.written,
    tidyMs,
    onTakenOver,
    onReplaced,
    async tryOut(other, limitMs, how) {
      const deps = { log, journal: other, openLimitMs: limitMs }
      const isImport = how instanceof ImportRun
      const node = isImport
        ? await createNode({}, { ...deps, clock: how, onChecked: how.tell })
        : await createNode(how, { ...deps, clock })
      if (!isImport) node.start()
      await node.close()
    },
  })
  const blockHash = (number: number) => store.blockByNumber(number)?.hash ?? origin.blockHash(number)
  const environmentOf = environments(blockHash)
  const environment = (block: Block) => environmentOf(block.header)
  const fork = origin.run({
    engine,
    chainId: spec.chainId,
    clock,
    chain: store,
    safeDistance: spec.safeDistance,
    finalizedDistance: spec.finalizedDistance,
    isPooled: (hash) => mempool.reader.has(hash as Hash),
    environment,
    onFailure: async (tx, reason): Promise<void> => {
      try {
        await sequencer.discard([tx.hash], reason)
      } catch (error) {
        report('error', 'a transaction stays in the pool', error)
      }
    },
  })
  const sequencerDeps = {
    spec,
    engine,
    clock,
    repeatLimitMs: openLimitMs,
    onRepeated: onChecked && ((...far: [number, number]) => onChecked('partial-blocks', ...far)),
    timestamps: { mayRepeat: spec.allowSameTimestamp || (restored?.sharesSeconds ?? false) },
    blockHash,
    store,
    mempool,
    events,
    storage,
    fork,
    minesAll: dialect?.minesAll ?? false,
    fillsAtSeal: dialect?.hasPartialBlocks === false,
    log: warn,
  }
  const earlier = restored?.earlier(sequencerDeps)
  if (onChecked) {
    const pacer = createPacer(clock, openLimitMs)
    await checkStates(store, origin.fork !== undefined, pacer, (...far) => onChecked('states', ...far))
  }
  const sequencer = earlier ? await restoreSequencer(sequencerDeps, earlier) : await Sequencer.open(sequencerDeps)
  if (dialect?.keepsFirstBaseFee && !chainRecord && !origin.fork) {
    await sequencer.setNextHeader({ baseFeePerGas: spec.baseFee }, false)
  }
  const speed = earlier ? given.speed : options.speed
  if (speed !== undefined) sequencer.setSpeed(speed)
  storage.begin(() => sequencer.state())
  if (restored) {
    mempool.load(restored.pooled)
    const own = new Set(spec.accounts.map(({ address }) => address))
    timeLimits?.load(restored.pooled.map(({ sender }) => sender).filter((sender) => !own.has(sender)))
  }
  if (earlier?.seals) await sequencer.finishSeal()
  const film = await role.film(journal, { ...sequencerDeps, onRepeated: undefined, sequencer })
  const callRunner = {
    trials: new TrialStates(),
    engine,
    chainId: spec.chainId,
    limits: {
      gasCap: spec.callGasLimit,
      timeoutMs: spec.callTimeoutMs,
      traceCharacters: traceCharactersIn(heapBytes),
      exactEstimates: dialect?.exactEstimates ?? false,
    },
  }
  const failures = new Failures({ events, clock, chain: store, environment, runner: callRunner, builds, log: report })
  recorded.on('partial', ({ partial }) => failures.ofPartial(partial))
  const recovery = helpers && new RecoveryHelpers({ ...helpers, log: warn })
  const endpoint = createRpcEndpoint(
    {
      spec,
      clock,
      chain: store,
      pool: mempool.reader,
      events,
      control: sequencer,
      timeline,
      impersonated,
      settings,
      bundles,
      decoder: new TransactionDecoder(clock, recovery),
      submit: (tx) => mempool.submit(tx),
      discard: (transactions, reason) => mempool.discard(transactions, reason),
      runner: callRunner,
      environment,
      builds,
      scripts,
      failures,
      call: (...call) => failures.ofCall('eth_call', ...call, () => executeCall(callRunner, ...call)),
      estimateGas: (request, context, guard) =>
        completed(fork, context, (whole) =>
          failures.ofCall('eth_estimateGas', request, whole, guard, () =>
            estimateGas(callRunner, request, whole, guard),
          ),
        ),
      estimateSequence: (requests, context, ...how) =>
        completed(fork, context, (whole) => estimateSequence(callRunner, requests, whole, ...how)),
      storage,
      film,
      fork,
      forkHost,
      faucet: (address, wei) => sequencer.edit((state) => addBalance(state, address, wei)),
    },
    (message, details) => report('error', message, details),
    dialect,
  )
  return {
    connect: (push, how) => endpoint.connect(push, how),
    start() {
      if (role.runs) sequencer.start()
    },
    async close() {
      recovery?.close()
      await sequencer.close()
      await storage.close()
    },
  }
}

/** The fork of a chain in a journal, without its endpoint. */
async function keptFork(
  journal: Journal | undefined,
  record: ChainRecord | undefined,
  clock: Clock,
  limitMs: number | undefined,
): Promise<OpenedFork | undefined> {
  if (!journal || !record?.fork) return undefined
  const { reopenFork } = await import('./fork/open-fork.ts')
  return reopenFork(journal, record.fork, { clock, limitMs })
}

/** Runs a call on a context of which nothing is missing. */
function completed<Result>(
  fork: RunningFork | undefined,
  context: CallContext,
  run: (context: CallContext) => Promise<Result>,
): Promise<Result> {
  return fork ? fork.complete(context, run) : run(context)
}

/** @throws {JournalError} `corrupt`, if the rebuilt live block differs from the stored one. */
async function restoreSequencer(...run: Parameters<typeof Sequencer.restore>): Promise<Sequencer> {
  try {
    return await Sequencer.restore(...run)
  } catch (error) {
    throw unreadable(error)
  }
}
