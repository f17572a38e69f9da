import { RLP } from '@ethereumjs/rlp'
import { loadCompiler } from '#engine/engine-instance.ts'
import { keccak256Hex } from '#node/crypto/keccak.ts'
import type { Engine } from '#node/evm/engine.ts'
import { createEngine } from '#node/evm/engines/create-engine.ts'
import { createWasmEngine } from '#node/evm/engines/wasm/engine.ts'
import type { EngineLog, TransactionMessage } from '#node/evm/message.ts'
import { executeMessage } from '#node/evm/transactions/execute-message.ts'
import { TxRejectedError } from '#node/tx/rejection.ts'
import { effectiveGasPrice, effectiveTip } from '#node/tx/transaction.ts'
import { type Hash, hexToBytes } from '#primitives/hex.ts'
import { checkTransaction } from './check-transaction.ts'
import type { StateTest, StateTestResult, TransactionException } from './fixture.ts'
import { decodeTested, readFields, type TestedTransaction } from './read-transaction.ts'
import { readAlloc, readEnv } from './read-world.ts'

const NO_PAUSE = { checkpoint: () => undefined }
const engines = new Map<string, Promise<Engine>>()

/**
 * Runs a case of the official Ethereum state tests (the GeneralStateTests of ethereum/tests, the state tests of
 * ethereum/execution-spec-tests) with the rules of its hardfork.
 *
 * @throws {Error} If the fixture is invalid, or the engine fails.
 * @see {@link https://eest.ethereum.org/main/running_tests/test_formats/state_test/ | The format}
 */
export async function runTx(test: StateTest): Promise<StateTestResult> {
  const { hardfork, chainId, pre } = test
  const state = readAlloc(pre)
  const env = readEnv(hardfork, test.env)
  const tx = readTransaction(test)
  const exception = typeof tx === 'string' ? tx : checkTransaction(hardfork, BigInt(chainId), state, env, tx)
  let logs: readonly EngineLog[] = []
  if (typeof tx !== 'string' && exception === null) {
    const message = toMessage(tx, env.baseFee)
    logs = (await executeMessage(await engineFor(test), state, env, message, chainId, NO_PAUSE)).logs
  }
  return { stateRoot: state.snapshot().stateRoot(), logsHash: hashLogs(logs), exception }
}

function engineFor({ hardfork, chainId, engine: name }: StateTest): Promise<Engine> {
  const key = `${name} ${hardfork} ${chainId}`
  const known = engines.get(key)
  if (known) return known
  const engine = name === 'compiled' ? createCompilingEngine(chainId, hardfork) : createEngine(chainId, name, hardfork)
  engines.set(key, engine)
  return engine
}

async function createCompilingEngine(chainId: number, hardfork: StateTest['hardfork']): Promise<Engine> {
  await loadCompiler()
  return createWasmEngine(chainId, hardfork, undefined, { hotAfter: 1, isLimited: false })
}

function readTransaction({ tx, chainId }: StateTest): TestedTransaction | TransactionException {
  if (typeof tx !== 'string') return readFields(tx, BigInt(chainId)) ?? 'TransactionException.RLP_INVALID_VALUE'
  try {
    return decodeTested(hexToBytes(tx))
  } catch (error) {
    if (!(error instanceof TxRejectedError)) throw error
    if (error.code === 'type-not-supported') return 'TransactionException.TYPE_NOT_SUPPORTED'
    if (error.code === 'invalid-signature') return 'TransactionException.INVALID_SIGNATURE_VRS'
    return 'TransactionException.RLP_INVALID_VALUE'
  }
}

function toMessage(tx: TestedTransaction, baseFee: bigint): TransactionMessage {
  return {
    from: tx.sender,
    to: tx.to,
    gas: tx.gas,
    gasPrice: effectiveGasPrice(tx, baseFee),
    tip: effectiveTip(tx, baseFee),
    value: tx.value,
    input: tx.input,
    accessList: tx.type === 0 ? [] : tx.accessList,
    authorizationList: tx.type === 4 ? tx.authorizationList : [],
    blobHashes: tx.type === 3 ? tx.blobHashes : [],
  }
}

function hashLogs(logs: readonly EngineLog[]): Hash {
  return keccak256Hex(
    RLP.encode(logs.map(({ address, topics, data }) => [hexToBytes(address), topics.map(hexToBytes), data])),
  )
}
