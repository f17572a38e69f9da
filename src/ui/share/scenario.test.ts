import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Hex } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import { MAX_LINK_CHARACTERS } from '#ui/format/link-text.ts'
import { packScenario, type Scenario, ScenarioError, unpackScenario } from './scenario.ts'

const hex = (minLength: number, maxLength: number) =>
  fc
    .uint8Array({ minLength, maxLength })
    .map((bytes): Hex => `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`)

const scenarios: fc.Arbitrary<Scenario> = fc.record({
  head: fc.record({ number: fc.nat({ max: 100_000 }), hash: hex(32, 32) }),
  steps: fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant('ticks' as const), count: fc.integer({ min: 1, max: 300 }) }),
      fc.record({ kind: fc.constant('send' as const), raw: hex(1, 200) }),
    ),
    { maxLength: 20 },
  ),
})

/** A scenario as text; those here are short enough for a link. */
async function packed(scenario: Scenario): Promise<string> {
  const text = await packScenario(scenario)
  invariant(text !== undefined, 'it fits into a link')
  return text
}

test('a packed scenario can be unpacked, and only has characters allowed in an address', async () => {
  await fc.assert(
    fc.asyncProperty(scenarios, async (scenario) => {
      const text = await packed(scenario)
      expect(text).toMatch(/^[\w-]+$/)
      expect(await unpackScenario(text)).toEqual(scenario)
    }),
    { numRuns: 60 },
  )
})

test('any other text is refused, with no other error', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), fc.base64String(), scenarios), async (given) => {
      const text = typeof given === 'string' ? given : (await packed(given)).slice(0, -3)
      await unpackScenario(text).then(
        (scenario) => expect(scenario.steps).toBeInstanceOf(Array),
        (error) => expect(error).toBeInstanceOf(ScenarioError),
      )
    }),
    { numRuns: 100 },
  )
})

test('a text that would grow without end is refused', async () => {
  const raw: Hex = `0x${'00'.repeat(120_000)}`
  const text = await packed({ head: { number: 0, hash: `0x${'0'.repeat(64)}` }, steps: [{ kind: 'send', raw }] })
  await expect(unpackScenario(text)).rejects.toThrow('too long when unpacked')
  await expect(unpackScenario('A'.repeat(MAX_LINK_CHARACTERS + 1))).rejects.toThrow('it is too long')
})
