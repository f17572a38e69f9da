import { expect, test } from 'vitest'
import { ForkError } from '#node/fork/fork-error.ts'
import { openFork } from '#node/fork/open-fork.ts'
import type { Remote } from '#node/fork/state-source.ts'
import { type Hex, toWord } from '#primitives/hex.ts'
import { remoteOf } from '#testing/node/fork-of.ts'
import { createTestNode, type TestNode } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { keepAnswers } from './keep-answers.ts'
import type { KeptTexts } from './kept-texts.ts'

/** Returns the sum of its slots 0 and 1. */
const SUMMER: Hex = '0x5f546001540160005260205ff3'
const summer: Hex = `0x${'51'.repeat(20)}`
const stranger: Hex = `0x${'99'.repeat(20)}`
const MANUAL = { mode: 'manual' } as const

function textsInMemory(): KeptTexts & { readonly all: Map<string, string> } {
  const all = new Map<string, string>()
  return {
    all,
    get: async (group, names) => names.map((name) => all.get(`${group}/${name}`)),
    async put(group, texts) {
      for (const [name, text] of texts) all.set(`${group}/${name}`, text)
    },
  }
}

async function originalChain(): Promise<TestNode> {
  const storage = { [toWord(0)]: toWord(40), [toWord(1)]: toWord(2) }
  const original = await createTestNode({ ...MANUAL, genesis: { [summer]: { code: SUMMER, storage } } })
  await original.request('devnet_tick', [30])
  return original
}

const unreachable: Remote = {
  name: 'remote.example',
  ask: () => Promise.reject(new ForkError('remote.example does not answer: no network')),
}

async function forked(remote: Remote, texts: KeptTexts, blockNumber?: number): Promise<TestNode> {
  const clock = new FakeClock()
  const fork = await openFork({ remote: keepAnswers(remote, 'at it', texts), clock, blockNumber }, [])
  return createTestNode(MANUAL, { clock, fork })
}

const sum = (node: TestNode) => node.request('eth_call', [{ to: summer }, 'latest'])

test('a fork that was used once opens again without its endpoint, and answers what it has', async () => {
  const texts = textsInMemory()
  const original = await originalChain()
  expect(await sum(await forked(remoteOf(original).remote, texts))).toBe(toWord(42))

  // As the page's address then names it.
  const again = await forked(unreachable, texts, 3)
  expect(await sum(again)).toBe(toWord(42))
  await expect(again.request('eth_getBalance', [stranger, 'latest'])).rejects.toThrow('does not answer: no network')
  await again.request('devnet_tick', [10])
  expect((await again.request('eth_getBlockByNumber', ['latest', false]))?.number).toBe('0x4')
})

test('an endpoint that answers with an error is not replaced by what was kept', async () => {
  const texts = textsInMemory()
  const original = await originalChain()
  await sum(await forked(remoteOf(original).remote, texts))
  const answered = { code: -32_000, message: 'no such key', data: undefined }
  const refusing: Remote = {
    name: 'remote.example',
    ask: () => Promise.reject(new ForkError('remote.example answers with an error: no such key', { answered })),
  }
  await expect(forked(refusing, texts)).rejects.toThrow('no such key')
})

test('what is kept is not asked for again', async () => {
  const texts = textsInMemory()
  const original = await originalChain()
  await sum(await forked(remoteOf(original).remote, texts))
  const { asked, remote } = remoteOf(original)
  const node = await forked(remote, texts)
  const before = asked.length
  expect(await sum(node)).toBe(toWord(42))
  expect(asked.slice(before)).toEqual([])
})

test('what is kept and turns out wrong or damaged is asked for again', async () => {
  const texts = textsInMemory()
  const original = await originalChain()
  const lying = remoteOf(original, (method, _params, answer) =>
    method === 'eth_getCode' && answer === SUMMER ? '0x6001' : answer,
  )
  await expect(sum(await forked(lying.remote, texts))).rejects.toThrow('its code does not have the hash')
  expect(await sum(await forked(remoteOf(original).remote, texts))).toBe(toWord(42))

  for (const damaged of ['["0x00"', '["0x00"]', '7']) {
    for (const name of texts.all.keys()) if (name.includes(`${summer} 0x`)) texts.all.set(name, damaged)
    const { asked, remote } = remoteOf(original)
    const node = await forked(remote, texts)
    const before = asked.length
    expect(await sum(node)).toBe(toWord(42))
    expect(asked.slice(before)).toContain('eth_getProof')
  }
})
