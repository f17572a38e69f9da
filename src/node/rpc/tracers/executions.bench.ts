import { bench, describe } from 'vitest'
import { type Hex, toQuantity } from '#primitives/hex.ts'
import type { RpcExecutionSubject } from '#rpc-types/execution-trace.ts'
import { createTestNode } from '#testing/node/test-node.ts'

const AT: Hex = `0x${'c0'.repeat(20)}`
const INNER: Hex = `0x${'c1'.repeat(20)}`
const STEPS = 1_000_000

/** Counts down from a number of 3 bytes; 7 steps a round. */
const counting = (rounds: number) => `0x62${rounds.toString(16).padStart(6, '0')}5b6001900380600457` as Hex
/** A loop with a call in each round; 15 steps and the callee's. */
const calling = (rounds: number) =>
  `0x62${rounds.toString(16).padStart(6, '0')}5b5f5f5f5f5f73${INNER.slice(2)}5af1506001900380600457` as Hex

const subject = (code: Hex): RpcExecutionSubject => ({
  call: { to: AT, gas: toQuantity(50_000_000) },
  stateOverrides: { [AT]: { code }, [INNER]: { code: '0x600160010150' } },
})

const programs = { flat: subject(counting(Math.ceil(STEPS / 7))), 'with 20,000 calls': subject(calling(20_000)) }
const { raw } = await createTestNode({ mode: 'manual' })

async function ask(method: string, params: readonly unknown[]): Promise<void> {
  const answer = await raw(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
  if (!answer || answer.startsWith('{"jsonrpc":"2.0","id":1,"error"')) throw new Error(answer?.slice(0, 200))
}

const FEW = { iterations: 5, time: 0, warmupIterations: 1, warmupTime: 0 }

for (const [name, program] of Object.entries(programs)) {
  describe(`a million steps, ${name}`, () => {
    bench('devnet_traceExecution', () => ask('devnet_traceExecution', [program]), FEW)
    for (const first of [0, 100_000, STEPS - 2_000]) {
      bench(`devnet_traceSteps from ${first}`, () => ask('devnet_traceSteps', [program, first, 1_024]), FEW)
    }
  })
}
