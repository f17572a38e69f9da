import { expect, test } from 'vitest'
import { type Address, hexToBytes, toWord } from '#primitives/hex.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { EMPTY_CODE_HASH, emptyState } from '../../state/state-snapshot.ts'
import { WorldState } from '../../state/world-state.ts'
import { createPacer } from '../../turns/pacer.ts'
import { createdAddress } from '../contract-address.ts'
import { createEngine } from '../engines/create-engine.ts'
import type { CallRequest } from './call.ts'
import { estimateSequence } from './estimate-sequence.ts'
import { TrialStates } from './trial-states.ts'

const SENDER: Address = `0x${'ab'.repeat(20)}`
const NONE = new Uint8Array(0)

test('a call may use a contract created by the previous call, whose code is not stored with the chain’s', async () => {
  const world = new WorldState(emptyState())
  world.setAccount(SENDER, { nonce: 0n, balance: 10n ** 18n, codeHash: EMPTY_CODE_HASH })
  const state = world.snapshot()
  const codes = [...state.codes.entries()].length
  const runner = {
    engine: await createEngine(31337),
    chainId: 31337,
    trials: new TrialStates(),
    limits: { gasCap: 16_000_000n, timeoutMs: 5_000, traceCharacters: 1_000, exactEstimates: false },
  }
  const request: CallRequest = {
    from: SENDER,
    to: null,
    gas: undefined,
    gasPrice: 0n,
    value: 0n,
    // RETURN of 0x5f5f55, which writes slot 0.
    input: hexToBytes('0x625f5f555f526003601df3'),
    accessList: [],
    authorizationList: [],
  }
  const env = {
    number: 1,
    timestamp: 1_700_000_000,
    coinbase: SENDER,
    prevRandao: toWord(0),
    gasLimit: 30_000_000n,
    baseFee: 1n,
    blockHash: () => undefined,
  }
  const call = { ...request, to: createdAddress(SENDER, 0n), input: NONE }
  const [creation, write] = await estimateSequence(
    runner,
    [request, call, call],
    { state, env },
    createPacer(new FakeClock()),
  )
  expect(creation).toBeGreaterThan(53_000n)
  // The transaction, and SSTORE of a cold slot that stays 0.
  expect(write).toBeGreaterThanOrEqual(21_000n + 2_204n)
  expect([...state.codes.entries()]).toHaveLength(codes)
})
