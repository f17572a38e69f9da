import { expect, test } from 'vitest'
import { bytesToHex } from '#primitives/hex.ts'
import { HostileInputs } from '#testing/node/evm/hostile-inputs.ts'
import { runOriginal, runPaced } from '#testing/node/evm/precompiles.ts'

/** `npm run fuzz:precompiles` sets both. */
const RUNS = Number(process.env['PRECOMPILES_COUNT'] ?? '400')
const SEED = Number(process.env['PRECOMPILES_SEED'] ?? '1')
const DOTS_EVERY = 5_000
const GAS = 100_000_000n

test('precompiles answer as the library’s do, whatever their input', { timeout: 7_200_000 }, async () => {
  const inputs = new HostileInputs(SEED)
  const seen = new Map<number, { good: number; bad: number }>()
  for (let run = 1; run <= RUNS; run++) {
    const { address, data } = inputs.next()
    const [own, original] = [
      await runPaced(address, data, { gas: GAS }),
      await runOriginal(address, data, { gas: GAS }),
    ]
    const text = (outcome: typeof own) => `${outcome.isFailure} ${outcome.gas} ${bytesToHex(outcome.output)}`
    if (text(own) !== text(original)) {
      expect(text(own), `precompile ${address}, run ${run} of seed ${SEED}: ${bytesToHex(data)}`).toBe(text(original))
    }
    const counts = seen.get(address) ?? { good: 0, bad: 0 }
    counts[own.isFailure || own.output.length === 0 ? 'bad' : 'good']++
    seen.set(address, counts)
    if (run % DOTS_EVERY === 0) process.stdout.write(`${run} inputs: ${JSON.stringify([...seen])}\n`)
  }
  // The generator makes good inputs, too.
  for (const [, { good }] of seen) expect(good).toBeGreaterThan(0)
})
