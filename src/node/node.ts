import type { Clock } from '#primitives/clock.ts'
import { Emitter } from '#primitives/emitter.ts'
import type { RpcEndpoint } from '#rpc-types/connection.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import type { BlockEnv } from './evm/block-env.ts'
import { estimateGas } from './evm/estimate-gas.ts'
import { estimateSequence } from './evm/estimate-sequence.ts'
import { createEthereumjsEngine } from './evm/ethereumjs-engine.ts'
import { executeCall } from './evm/execute-call.ts'
import type { Block } from './payload/block.ts'
import { createGenesis } from './payload/genesis.ts'
import { CallBundles } from './rpc/call-bundles.ts'
import { DevSettings } from './rpc/dev-settings.ts'
import { createRpcEndpoint } from './rpc/endpoint.ts'
import { ImpersonatedAccounts } from './rpc/impersonated-accounts.ts'
import type { ChainEvents } from './sequencer/events.ts'
import { Sequencer } from './sequencer/sequencer.ts'
import { Timeline } from './sequencer/timeline.ts'
import { createSpec } from './spec/create-spec.ts'
import { addBalance } from './state/edit-account.ts'
import { ChainStore } from './storage/chain-store.ts'
import { submitTransaction } from './txpool/submit.ts'
import { TxPool } from './txpool/txpool.ts'

/** What the host lends to the node. */
export interface NodeDeps {
  readonly clock: Clock
  readonly log: (level: 'info' | 'warn' | 'error', message: string, details?: unknown) => void
}

/** A running chain; everything that it knows is asked for over JSON-RPC. */
export interface Node extends RpcEndpoint {
  /** Lets time pass, unless the chain is on a manual clock. */
  start(): void
  /** Stops the chain; a tick under way is finished. */
  close(): Promise<void>
}

/**
 * Wires a chain together, from genesis to RPC. Its live block can be read at once; {@link Node.start} sets it going.
 *
 * @throws {InvalidOptionError} If an option makes no sense.
 */
export async function createNode(options: NodeOptions, { clock, log }: NodeDeps): Promise<Node> {
  const spec = createSpec(options)
  const events = new Emitter<ChainEvents>()
  const timeline = new Timeline(events, clock)
  const store = new ChainStore(createGenesis(spec, spec.genesisTimestamp ?? Math.floor(clock.now() / 1000)))
  const settings = new DevSettings(store.head().hash, clock.now())
  const report: NodeDeps['log'] = (level, message, details) => {
    if (settings.loggingEnabled) log(level, message, details)
  }
  const engine = await createEthereumjsEngine(spec.chainId)
  const pool = new TxPool({
    limits: spec.pool,
    account: (address) => store.pending().state.account(address) ?? { nonce: 0n, balance: 0n },
    isInLiveBlock: (hash) => store.findTransaction(hash)?.block.kind === 'partial',
  })
  const blockHash = (number: number) => store.blockByNumber(number)?.hash
  const sequencer = await Sequencer.open({
    spec,
    engine,
    clock,
    blockHash,
    store,
    pool,
    events,
    log: (message, details) => report('warn', message, details),
  })
  if (options.speed !== undefined) sequencer.setSpeed(options.speed)
  const callRunner = {
    engine,
    chainId: spec.chainId,
    limits: { clock, gasCap: spec.callGasLimit, timeoutMs: spec.callTimeoutMs },
  }
  const endpoint = createRpcEndpoint(
    {
      spec,
      clock,
      chain: store,
      pool,
      events,
      control: sequencer,
      timeline,
      impersonated: new ImpersonatedAccounts(),
      settings,
      bundles: new CallBundles(),
      submit(submitted) {
        // The gas limit is the live block's, which a development node may have changed.
        const { gasLimit } = store.pending().header
        const { tx, replaced, evicted } = submitTransaction(submitted, { spec: { ...spec, gasLimit }, pool })
        events.emit('accepted', { tx, replaced })
        for (const dropped of evicted) events.emit('dropped', { tx: dropped, reason: 'txpool is full' })
        return tx
      },
      runner: callRunner,
      environment: (block) => environmentOf(block, blockHash),
      call: (request, context) => executeCall(callRunner, request, context),
      estimateGas: (request, context) => estimateGas(callRunner, request, context),
      estimateSequence: (requests, context) => estimateSequence(callRunner, requests, context),
      faucet: (address, wei) => sequencer.edit((state) => addBalance(state, address, wei)),
    },
    (message, details) => report('error', message, details),
  )
  return {
    connect: (push) => endpoint.connect(push),
    start: () => sequencer.start(),
    close: () => sequencer.close(),
  }
}

function environmentOf({ header }: Block, blockHash: BlockEnv['blockHash']): BlockEnv {
  return {
    number: header.number,
    timestamp: header.timestamp,
    coinbase: header.coinbase,
    prevRandao: header.mixHash,
    gasLimit: header.gasLimit,
    baseFee: header.baseFeePerGas,
    blockHash,
  }
}
