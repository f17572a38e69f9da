import { describe, expect, test } from 'vitest'
import { type Hex, toWord } from '#primitives/hex.ts'
import { type ChangeAnswer, forkOf, WITHOUT_PROOFS } from '#testing/node/fork-of.ts'
import { SETTER, SUMMER, signSetSlot } from '#testing/node/slot-contracts.ts'
import { createTestNode, devAccount, signTransfer, type TestNode } from '#testing/node/test-node.ts'
import { HISTORY_STORAGE_ADDRESS } from '../spec/system-contracts.ts'
import { ForkError } from './fork-error.ts'

const summer: Hex = `0x${'51'.repeat(20)}`
const setter: Hex = `0x${'52'.repeat(20)}`
const STRANGER: Hex = `0x${'99'.repeat(20)}`

async function originalChain(): Promise<TestNode> {
  const storage = Object.fromEntries(Array.from({ length: 500 }, (_, slot) => [toWord(slot), toWord(slot + 1)]))
  const genesis = { [summer]: { code: SUMMER, storage }, [setter]: { code: SETTER, storage } }
  const original = await createTestNode({ mode: 'manual', genesis })
  await original.request('devnet_tick', [100])
  return original
}

const set = (nonce: number, slot: number, value: number) => signSetSlot(setter, nonce, slot, value)

async function send(node: TestNode, ...raw: readonly Hex[]): Promise<readonly Hex[]> {
  const hashes: Hex[] = []
  for (const each of raw) hashes.push(await node.request('eth_sendRawTransaction', [each]))
  await node.request('evm_mine')
  return hashes
}

const latest = async (node: TestNode) => (await node.request('eth_getBlockByNumber', ['latest', false])) as LatestBlock
interface LatestBlock {
  readonly number: Hex
  readonly hash: Hex
  readonly stateRoot: Hex
}

describe('an endpoint without proofs', () => {
  test('is taken at its word: its accounts, slots and codes are answered as it has them', async () => {
    const original = await originalChain()
    const { node } = await forkOf(original, WITHOUT_PROOFS)
    for (const [method, ...params] of [
      ['eth_getBalance', devAccount(0).address],
      ['eth_getBalance', STRANGER],
      ['eth_getCode', summer],
      ['eth_getStorageAt', summer, toWord(17)],
      ['eth_getStorageAt', summer, toWord(5_000)],
      ['eth_getTransactionCount', devAccount(0).address],
      ['eth_call', { to: summer, data: toWord(500) }],
      ['eth_estimateGas', { to: summer, data: toWord(20) }],
    ] as const) {
      const call = [...params, 'latest']
      expect(await node.request(method, call), method).toEqual(await original.request(method, call))
    }
  })

  test('is asked for each account and slot once, and for the slots of a call together', async () => {
    const { asked, node } = await forkOf(await originalChain(), WITHOUT_PROOFS)
    const before = asked.length
    const call = [{ to: summer, data: toWord(100) }, 'latest']
    await Promise.all([node.request('eth_call', call), node.request('eth_call', call)])
    const counts = (method: string) => asked.slice(before).filter((each) => each === method).length
    expect(counts('eth_getStorageAt')).toBe(100)
    // The contract and the sender.
    expect([counts('eth_getBalance'), counts('eth_getTransactionCount'), counts('eth_getCode')]).toEqual([2, 2, 2])
    const after = asked.length
    await node.request('eth_call', call)
    await node.request('evm_mine')
    expect(asked.length).toBe(after)
  })

  test('is said in devnet_status, and eth_getProof is refused', async () => {
    const { node } = await forkOf(await originalChain(), WITHOUT_PROOFS)
    expect((await node.request('devnet_status')).fork).toMatchObject({ endpoint: 'remote.example', isProven: false })
    await expect(node.request('eth_getProof', [summer, [], 'latest'])).rejects.toMatchObject({
      error: { code: -32000, message: expect.stringMatching(/takes its endpoint at its word/) as unknown },
    })
  })

  test('the same transactions have the same receipts as on the original chain, and are traced', async () => {
    const original = await originalChain()
    const { node } = await forkOf(original, WITHOUT_PROOFS)
    const raw = [
      await set(0, 3, 0),
      await set(1, 3, 9),
      await set(2, 1_000, 1),
      await signTransfer(1, 0, { to: STRANGER }),
      await signTransfer(2, 0, { to: summer, value: 0n }),
    ]
    const hashes = await send(original, ...raw)
    expect(await send(node, ...raw)).toEqual(hashes)
    for (const hash of hashes) {
      const {
        blockHash: _,
        logs: _logs,
        ...receipt
      } = (await original.request('eth_getTransactionReceipt', [hash])) ?? {}
      expect(await node.request('eth_getTransactionReceipt', [hash])).toMatchObject(receipt)
      expect(await node.request('debug_traceTransaction', [hash])).toEqual(
        await original.request('debug_traceTransaction', [hash]),
      )
    }
    for (const slot of [3, 4, 1_000]) {
      const at = [setter, toWord(slot), 'latest']
      expect(await node.request('eth_getStorageAt', at)).toBe(await original.request('eth_getStorageAt', at))
    }
  })

  test('state roots are those of what differs from the fork’s block, whatever else was read', async () => {
    const original = await originalChain()
    const { node: one } = await forkOf(original, WITHOUT_PROOFS)
    const { node: other } = await forkOf(original, WITHOUT_PROOFS)
    await other.request('eth_call', [{ to: summer, data: toWord(50) }, 'latest'])
    await other.request('eth_getBalance', [STRANGER, 'latest'])
    for (const node of [one, other]) await send(node, await set(0, 3, 9))
    expect((await latest(other)).stateRoot).toBe((await latest(one)).stateRoot)
    await one.request('anvil_setStorageAt', [setter, toWord(3), toWord(8)])
    await other.request('anvil_setStorageAt', [setter, toWord(3), toWord(7)])
    expect((await latest(other)).stateRoot).not.toBe((await latest(one)).stateRoot)
  })

  test('blocks have their system calls, whose slots are not asked for', async () => {
    const { asked, node } = await forkOf(await originalChain(), WITHOUT_PROOFS)
    const parent = await latest(node)
    await node.request('evm_mine')
    const at = [HISTORY_STORAGE_ADDRESS, toWord(Number(parent.number)), 'latest'] as const
    expect(await node.request('eth_getStorageAt', at)).toBe(parent.hash)
    expect(asked).not.toContain('eth_getStorageAt')
  })

  test('edits are replayed by a trace, and a snapshot goes back before them', async () => {
    const { node } = await forkOf(await originalChain(), WITHOUT_PROOFS)
    const snapshot = await node.request('evm_snapshot')
    await node.request('anvil_setBalance', [STRANGER, '0x5'])
    await node.request('anvil_setStorageAt', [summer, toWord(0), toWord(1_000)])
    await node.request('anvil_setCode', [setter, '0x'])
    const [hash = '0x'] = await send(node, await signTransfer(1, 0, { to: STRANGER }))
    const { gas } = (await node.request('debug_traceTransaction', [hash])) as { readonly gas: number }
    expect(gas).toBe(21_000)
    expect(await node.request('eth_getBalance', [STRANGER, 'latest'])).toBe('0x6')
    expect(await node.request('evm_revert', [snapshot])).toBe(true)
    expect(await node.request('eth_getBalance', [STRANGER, 'latest'])).toBe('0x0')
    expect(await node.request('eth_getStorageAt', [summer, toWord(0), 'latest'])).toBe(toWord(1))
    expect(await node.request('eth_getCode', [setter, 'latest'])).toBe(SETTER)
  })

  test('a fork block that was reorganised is noticed, and what is known is still answered', async () => {
    let isReorganised = false
    const { node } = await forkOf(await originalChain(), (method, params, answer) => {
      if (isReorganised && method === 'eth_getBlockByNumber') return { ...(answer as object), hash: toWord(1) }
      return WITHOUT_PROOFS(method, params, answer)
    })
    await node.request('eth_getBalance', [STRANGER, 'latest'])
    isReorganised = true
    node.clock.jump(31_000)
    for (let attempt = 0; attempt < 2; attempt++) {
      await expect(node.request('eth_getBalance', [summer, 'latest'])).rejects.toMatchObject({
        error: { code: -32000, message: expect.stringMatching(/any more: the chain was reorganised$/) as unknown },
      })
    }
    expect(await node.request('eth_getBalance', [STRANGER, 'latest'])).toBe('0x0')
    isReorganised = false
    expect(await node.request('eth_getBalance', [summer, 'latest'])).toBe('0x0')
  })

  const wrong: readonly (readonly [method: string, answer: unknown])[] = [
    ['eth_getBalance', 7],
    ['eth_getBalance', `0x${'f'.repeat(65)}`],
    ['eth_getTransactionCount', '0x10000000000000000'],
    ['eth_getCode', '0x123'],
    ['eth_getCode', null],
    ['eth_getStorageAt', '0x'],
    ['eth_getStorageAt', {}],
  ]
  test.each(wrong)('that answers %s with %j is refused, and the chain goes on', async (method, answer) => {
    const { node } = await forkOf(await originalChain(), (asked, params, right) =>
      asked === method && params[0] === summer ? answer : WITHOUT_PROOFS(asked, params, right),
    )
    await expect(node.request('eth_call', [{ to: summer, data: toWord(3) }, 'latest'])).rejects.toMatchObject({
      error: {
        code: -32000,
        message: expect.stringMatching(/^what remote\.example says of account 0x5151.* is refused: /) as unknown,
      },
    })
    await node.request('evm_mine')
  })
})

describe('an endpoint that has proofs is never taken at its word', () => {
  const refusing = (of: (params: readonly unknown[]) => boolean): ChangeAnswer => {
    return (method, params, answer) => (of(params) ? WITHOUT_PROOFS(method, params, answer) : answer)
  }

  test('not if it refuses one of the first proofs', async () => {
    const original = await originalChain()
    const one = refusing(([address]) => address === '0x4200000000000000000000000000000000000011')
    await expect(forkOf(original, one)).rejects.toThrow(/answers eth_getProof with an error/)
  })

  test('not if it limits how much may be asked', async () => {
    const message = 'daily request rate limit exceeded'
    const limited: ChangeAnswer = (method, _params, answer) => {
      if (method !== 'eth_getProof') return answer
      throw new ForkError(`remote.example answers ${method} with an error: ${message}`, {
        answered: { code: -32_000, message, data: undefined },
      })
    }
    await expect(forkOf(await originalChain(), limited)).rejects.toThrow(message)
  })

  test('not if it refuses a later one', async () => {
    const { asked, node } = await forkOf(
      await originalChain(),
      refusing(([address]) => address === summer),
    )
    await expect(node.request('eth_getBalance', [summer, 'latest'])).rejects.toMatchObject({
      error: { code: -32000, message: expect.stringMatching(/answers eth_getProof with an error/) as unknown },
    })
    expect(asked).not.toContain('eth_getBalance')
  })

  test('not if its proofs do not fit', async () => {
    const empty: ChangeAnswer = (method, _params, answer) =>
      method === 'eth_getProof' ? { ...(answer as object), accountProof: [] } : answer
    await expect(forkOf(await originalChain(), empty)).rejects.toThrow(/is refused: it ends above node 0 of the path$/)
  })
})
