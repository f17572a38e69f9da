import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromBase64 } from '#primitives/base64.ts'
import { type Hex, toQuantity, toWord } from '#primitives/hex.ts'
import { forkOf, WITHOUT_PROOFS } from '#testing/node/fork-of.ts'
import { createTestNode, devAccount } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { runsOf } from '#testing/primitives/runs.ts'
import { journalOfFile } from '../persistence/journal-of-file.ts'
import { MemoryJournal } from '../storage/memory-journal.ts'

/** Sets the slot of the first word to the second. */
const SETTER: Hex = '0x6020355f355500'
const setter: Hex = `0x${'52'.repeat(20)}`
const SLOTS = 24

const slot = fc.nat(SLOTS + 6)
/** Half of the writes delete, so that nodes of the trie move up. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('write' as const), slot, value: fc.constantFrom(0, 0, 1, 7) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('edit' as const), slot, value: fc.constantFrom(0, 3) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'tick' as const }) },
  { weight: 3, arbitrary: fc.constant({ kind: 'seal' as const }) },
)

test('a fork that has written and deleted opens from its journal and its file as it was, without its endpoint', async () => {
  const storage = Object.fromEntries(Array.from({ length: SLOTS }, (_, i) => [toWord(i), toWord(i + 1)]))
  const original = await createTestNode({ mode: 'manual', genesis: { [setter]: { code: SETTER, storage } } })
  await original.request('devnet_tick', [10])
  const property = fc.asyncProperty(
    fc.boolean(),
    fc.array(step, { minLength: 5, maxLength: 30 }),
    async (proven, steps) => {
      const journal = new MemoryJournal()
      const { node } = await forkOf(original, proven ? undefined : WITHOUT_PROOFS, 'manual', journal)
      let nonce = 0
      for (const each of steps) {
        if (each.kind === 'seal') await node.request('devnet_seal')
        else if (each.kind === 'tick') await node.request('devnet_tick')
        else if (each.kind === 'edit')
          await node.request('anvil_setStorageAt', [setter, toWord(each.slot), toWord(each.value)])
        else {
          const data: Hex = `${toWord(each.slot)}${toWord(each.value).slice(2)}`
          const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n }
          const tx = {
            type: 'eip1559',
            chainId: 31337,
            nonce: nonce++,
            to: setter,
            data,
            gas: 100_000n,
            ...fees,
          } as const
          await node.request('eth_sendRawTransaction', [await devAccount(0).signTransaction(tx)])
        }
      }
      const pending = await node.request('eth_getBlockByNumber', ['pending', false])
      const head = Number(await node.request('eth_blockNumber'))
      const written = steps.flatMap((each) => (each.kind === 'write' || each.kind === 'edit' ? [each.slot] : []))
      const file = fromBase64(await node.request('devnet_exportChain'))
      for (const kept of [journal.afterCrash(), (await journalOfFile(file, new FakeClock())).journal]) {
        const again = await createTestNode({}, { journal: kept })
        expect(await again.request('eth_getBlockByNumber', ['pending', false])).toEqual(pending)
        for (const at of new Set(written)) {
          for (let number = 2; number <= head; number++) {
            const where = [setter, toWord(at), toQuantity(number)]
            expect(await again.request('eth_getStorageAt', where)).toBe(await node.request('eth_getStorageAt', where))
          }
        }
        await again.node.close()
      }
    },
  )
  await fc.assert(property, { numRuns: runsOf(12) })
})
