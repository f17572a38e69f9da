import { setImmediate } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { fromBase64, toBase64 } from '#primitives/base64.ts'
import { ByteWriter } from '#primitives/byte-writer.ts'
import { type Hex, toQuantity, toWord } from '#primitives/hex.ts'
import { ask } from '#rpc-types/ask.ts'
import { forkOf, remoteOf, WITHOUT_PROOFS } from '#testing/node/fork-of.ts'
import { editFile, type FileEdit, setField } from '#testing/node/persistence/chain-files.ts'
import { SETTER, SUMMER, signSetSlot } from '#testing/node/slot-contracts.ts'
import { createTestNode, devAccount, signTransfer, type TestNode } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { createForkedNode } from '../forked-node.ts'
import { readChainRecord } from '../persistence/chain-record.ts'
import { journalOfFile } from '../persistence/journal-of-file.ts'
import { MemoryJournal } from '../storage/memory-journal.ts'
import { reopenFork } from './open-fork.ts'

/** Returns the hash of the block whose number is the first word. */
const HASHER: Hex = '0x5f35405f5260205ff3'
const summer: Hex = `0x${'51'.repeat(20)}`
const setter: Hex = `0x${'52'.repeat(20)}`
const hasher: Hex = `0x${'53'.repeat(20)}`
const STRANGER: Hex = `0x${'99'.repeat(20)}`
const FORKED_AT = 10

let original: TestNode
beforeAll(async () => {
  const storage = Object.fromEntries(Array.from({ length: 60 }, (_, slot) => [toWord(slot), toWord(slot + 1)]))
  const genesis = {
    [summer]: { code: SUMMER, storage },
    [setter]: { code: SETTER, storage },
    [hasher]: { code: HASHER },
  }
  original = await createTestNode({ mode: 'manual', genesis })
  await original.request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await original.request('devnet_tick', [10 * FORKED_AT])
})

const set = (nonce: number, slot: number, value: number) => signSetSlot(setter, nonce, slot, value)

/** What is asked of a fork before and after it was kept. */
const QUESTIONS = [
  ['eth_call', { to: summer, data: toWord(40) }, 'latest'],
  ['eth_call', { to: hasher, data: toWord(FORKED_AT - 3) }, 'latest'],
  ['eth_getBalance', devAccount(3).address, 'latest'],
  ['eth_getStorageAt', setter, toWord(2), 'pending'],
  ['eth_getCode', summer, toQuantity(FORKED_AT)],
  ['eth_getBlockByNumber', toQuantity(FORKED_AT), false],
  ['eth_getBlockByNumber', toQuantity(FORKED_AT - 1), true],
  ['eth_feeHistory', '0x5', 'latest', []],
  ['eth_getLogs', { fromBlock: '0x0' }],
  ['eth_getBlockByNumber', 'latest', true],
  ['eth_getBlockByNumber', 'pending', true],
] as const

const answersOf = async (node: TestNode) => {
  const answers: unknown[] = []
  for (const [method, ...params] of QUESTIONS) answers.push(await node.requestLoosely(method, params))
  return answers
}

/** A fork that has done something: deployed, written and deleted slots, and has a live block. */
async function usedFork(change?: typeof WITHOUT_PROOFS, journal = new MemoryJournal()) {
  const { node } = await forkOf(original, change, 'manual', journal)
  // A code that the fork's own state has, too.
  await node.request('anvil_setCode', [STRANGER, SUMMER])
  for (const [i, [slot, value]] of [
    [2, 7],
    [3, 0],
    [900, 5],
    [4, 0],
  ].entries()) {
    await node.request('eth_sendRawTransaction', [await set(1 + i, slot as number, value as number)])
    await node.request('devnet_seal')
  }
  await node.request('eth_sendRawTransaction', [await set(5, 900, 0)])
  await node.request('devnet_tick', [3])
  expect(Number((await node.request('eth_getBlockByNumber', ['pending', false]))?.gasUsed)).toBeGreaterThan(21_000)
  return { node, journal, answers: await answersOf(node) }
}

async function exportOf(node: TestNode): Promise<Uint8Array> {
  return fromBase64(await node.request('devnet_exportChain'))
}

/** A node that has imported a file, as a colleague's. */
async function importedFrom(file: Uint8Array) {
  const journal = new MemoryJournal()
  let isReplaced = false
  const first = await createTestNode(
    { mode: 'manual', seed: 9 },
    { journal, clock: new FakeClock(), onReplaced: () => (isReplaced = true) },
  )
  await first.requestLoosely('devnet_importChain', [toBase64(file)])
  expect(isReplaced).toBe(true)
  await first.node.close()
  return createTestNode({}, { journal: journal.reopen() })
}

test.each([
  ['stored', new MemoryJournal()],
  ['in memory', undefined],
])('a fork that is %s refuses to become another chain, and goes on', async (_where, journal) => {
  const file = await original.request('devnet_exportChain')
  const { node } = await forkOf(original, undefined, 'manual', journal)
  const refused = { error: { message: expect.stringContaining('a fork cannot become another chain') as unknown } }
  await expect(node.request('devnet_importChain', [file])).rejects.toMatchObject(refused)
  await expect(node.request('devnet_startChain', [{}])).rejects.toMatchObject(refused)
  await node.request('anvil_mine')
  expect(Number(await node.request('eth_blockNumber'))).toBe(FORKED_AT + 1)
  expect(await node.request('devnet_getStorage')).toMatchObject({ canImport: false })
})

describe.each([
  ['proven', undefined],
  ['trusted', WITHOUT_PROOFS],
])('a fork that is %s', (_kind, change) => {
  test('goes on from its journal without the endpoint, with all that was fetched and done', async () => {
    const { node, journal, answers } = await usedFork(change)
    await node.node.close()
    const again = await createTestNode({}, { journal: journal.reopen() })
    expect(await answersOf(again)).toEqual(answers)
    expect((await again.request('devnet_status')).fork).toMatchObject({ isProven: !change, isOffline: true })
    await again.request('eth_sendRawTransaction', [await set(6, 2, 8)])
    await again.request('devnet_seal')
    expect(await again.request('eth_getStorageAt', [setter, toWord(2), 'latest'])).toBe(toWord(8))
    // What was done without the endpoint is kept as well.
    await again.node.close()
    const third = await createTestNode({}, { journal: journal.reopen() })
    expect(await third.request('eth_getStorageAt', [setter, toWord(2), 'latest'])).toBe(toWord(8))
  })

  test('goes on after a crash', async () => {
    const { journal, answers } = await usedFork(change)
    expect(await answersOf(await createTestNode({}, { journal: journal.afterCrash() }))).toEqual(answers)
  })

  test('is imported from its file by a node that asks nobody', async () => {
    const { node, answers } = await usedFork(change)
    expect(await answersOf(await importedFrom(await exportOf(node)))).toEqual(answers)
  })

  test('without its endpoint refuses at once what was not fetched, and says so', async () => {
    const { journal, node } = await usedFork(change)
    await node.node.close()
    const again = await createTestNode({}, { journal: journal.reopen() })
    const other = devAccount(7).address
    await expect(again.request('eth_getBalance', [other, 'latest'])).rejects.toMatchObject({
      error: { message: expect.stringMatching(/was not asked of remote.example before.*--fork-url/) as unknown },
    })
    await expect(again.request('eth_getBlockByNumber', ['0x2', false])).rejects.toThrow('was not asked')
    // By this one, chains are told apart.
    expect(await again.request('eth_getBlockByNumber', ['0x0', false])).toMatchObject({ number: '0x0' })
    await expect(again.request('eth_sendRawTransaction', [await signTransfer(0, 6, { to: other })])).rejects.toThrow(
      'was not asked',
    )
  })

  test('goes on fetching from an endpoint that has its block, and asks for nothing twice', async () => {
    const { journal, node, answers } = await usedFork(change)
    await node.node.close()
    const { asked, remote } = remoteOf(original, change)
    const deps = { clock: new FakeClock(), log: () => {} }
    const opened = await createForkedNode({ remote }, {}, { ...deps, journal: journal.reopen() })
    // What system calls write is fetched ahead.
    await setImmediate()
    asked.length = 0
    const call = (method: string, params: readonly unknown[]) => ask(opened.node, method, ...params)
    expect(await Promise.all(QUESTIONS.map(([method, ...params]) => call(method, params)))).toEqual(answers)
    expect(asked).toEqual([])
    expect(await call('eth_getBalance', [devAccount(7).address, 'latest'])).toBe(
      await original.request('eth_getBalance', [devAccount(7).address, 'latest']),
    )
    expect(asked.length).toBeGreaterThan(0)
    await opened.node.close()
    const third = await createTestNode({}, { journal: journal.reopen() })
    expect(Number(await third.request('eth_getBalance', [devAccount(7).address, 'latest']))).toBeGreaterThan(0)
  })

  test('seals blocks without its endpoint, without system calls whose slots are unknown, and goes on with it', async () => {
    const { journal, node } = await usedFork(change)
    await node.node.close()
    const again = await createTestNode({}, { journal: journal.reopen() })
    await again.request('devnet_seal', [100])
    // In a trusted fork nobody reads what system calls overwrite.
    expect(again.logged.filter((line) => line.includes('has no system calls'))).toHaveLength(change ? 0 : 1)
    await again.request('eth_sendRawTransaction', [await set(6, 2, 8)])
    await again.request('devnet_tick', [2])
    const live = await again.request('eth_getBlockByNumber', ['pending', true])
    await again.node.close()
    const { remote } = remoteOf(original, change)
    const deps = { clock: new FakeClock(), log: () => {}, journal: journal.reopen() }
    const { node: third } = await createForkedNode({ remote }, {}, deps)
    // The live block stays as it was, though all that its system calls need can be fetched now.
    expect(await ask(third, 'eth_getBlockByNumber', 'pending', true)).toEqual(live)
    await ask(third, 'devnet_seal')
    expect(await ask(third, 'eth_getStorageAt', setter, toWord(2), 'latest')).toBe(toWord(8))
    await third.close()
  })

  test('keeps its snapshots, and its states for 256 blocks, over many blocks', async () => {
    const { journal, node } = await usedFork(change)
    const id = await node.request('evm_snapshot')
    await node.request('devnet_seal', [300])
    await node.request('eth_sendRawTransaction', [await set(6, 2, 8)])
    await node.request('devnet_seal')
    await node.node.close()
    const again = await createTestNode({}, { journal: journal.reopen() })
    const head = Number(await again.request('eth_blockNumber'))
    for (const back of [0, 1, 100, 250]) {
      const at = [setter, toWord(2), toQuantity(head - back)]
      expect(await again.request('eth_getStorageAt', at)).toBe(toWord(back === 0 ? 8 : 7))
    }
    expect(await answersOf(await importedFrom(await exportOf(again)))).toEqual(await answersOf(again))
    expect(await again.request('evm_revert', [id])).toBe(true)
    expect(Number(await again.request('eth_blockNumber'))).toBe(FORKED_AT + 5)
    expect(await again.request('eth_getStorageAt', [setter, toWord(2), 'latest'])).toBe(toWord(7))
  })
})

test('an endpoint of another chain is refused by a kept fork, which goes on with what it has', async () => {
  const { journal, node } = await usedFork()
  await node.node.close()
  const { remote } = remoteOf(await createTestNode({ mode: 'manual', chainId: 5 }))
  const record = await readChainRecord(journal.reopen())
  const clock = new FakeClock()
  const { fork } = await reopenFork(journal.reopen(), record?.fork as never, { clock, remote })
  const missing = { kind: 'account', address: `0x${'77'.repeat(20)}` } as const
  await expect(fork.fetch([missing])).rejects.toThrow('its chain id is 5, not 31337')
  expect(fork.block.state.account(devAccount(3).address)?.balance).toBeGreaterThan(0n)
})

test('a stored chain that is no fork does not become one, nor a fork one of another block', async () => {
  const { remote } = remoteOf(original)
  const deps = { clock: new FakeClock(), log: () => {} }
  const plain = new MemoryJournal()
  await (await createTestNode({ mode: 'manual' }, { journal: plain })).node.close()
  await expect(createForkedNode({ remote }, {}, { ...deps, journal: plain.reopen() })).rejects.toThrow('is no fork')
  const { journal, node } = await usedFork()
  await node.node.close()
  for (const [wanted, message] of [
    [{ blockNumber: 3 }, 'is a fork after block 10, not 3'],
    [{ chainId: 1 }, 'is a fork of chain 31337, not 1'],
  ] as const) {
    const opening = createForkedNode({ remote, ...wanted }, {}, { ...deps, journal: journal.reopen() })
    await expect(opening).rejects.toThrow(message)
  }
})

describe('a file of a fork is refused if', () => {
  let file: Uint8Array
  beforeAll(async () => {
    file = await exportOf((await usedFork()).node)
  })
  const rows = (change: (value: Uint8Array, index: number) => Uint8Array | undefined): FileEdit => {
    return (entries) => {
      let index = 0
      return entries.flatMap((entry) => {
        if (!entry.key.startsWith('fork-')) return [entry]
        const value = change(entry.value, index++)
        return value ? [{ ...entry, value }] : []
      })
    }
  }
  /** Changes a byte of the longest row, which has nodes. */
  const withByteChanged = (at: number): FileEdit => {
    return (entries) => {
      const all = entries.filter(({ key }) => key.startsWith('fork-')).map(({ value }) => value)
      const longest = all.filter((value) => value[0] === 0).toSorted((a, b) => b.length - a.length)[0]
      return rows((value) => {
        if (value !== longest) return value
        const copy = value.slice()
        copy[copy.length - at] = (copy[copy.length - at] as number) ^ 1
        return copy
      })(entries)
    }
  }
  /** A proof of 20,001 slots. */
  const manySlots = new ByteWriter()
    .uint(0)
    .hex(setter)
    .list(
      Array.from({ length: 20_001 }, (_, i) => toWord(i)),
      (slot, writer) => writer.hex(slot),
    )
    .uint(0)
    .finish()
  /** 20,001 nodes. */
  const manyNodes = new ByteWriter()
    .uint(2)
    .list(
      Array.from({ length: 20_001 }, () => new Uint8Array()),
      (node, writer) => writer.bytes(node),
    )
    .finish()
  const deepHeader = new ByteWriter()
    .uint(4)
    .bytes(Buffer.from('['.repeat(20_000)))
    .finish()
  /** Leaves nothing of the proof at a place. */
  const withProofEmptied = (place: number): FileEdit => {
    let at = 0
    return rows((value) => (value[0] === 0 && at++ === place ? Uint8Array.of(2, 0) : value))
  }
  const cases: readonly (readonly [what: string, edit: FileEdit, words: RegExp])[] = [
    ['a node of a proof is changed', withByteChanged(5), /another|ends above|refused/],
    ['a row is missing', rows((value, index) => (index === 3 ? undefined : value)), /a row .* is missing/],
    ['the nodes of an account are missing', withProofEmptied(1), /ends above|not fetched|cannot be listed/],
    ['the nodes of slots are missing', withProofEmptied(7), /ends above|not fetched|cannot be listed/],
    ['a row has more slots than a call may fetch', rows((value, i) => (i === 0 ? manySlots : value)), /20000 slots/],
    [
      'a row has nodes without end that take no bytes',
      rows((value, i) => (i === 0 ? manyNodes : value)),
      /20000 slots or/,
    ],
    ['a header before it is nested without end', rows((value) => (value[0] === 4 ? deepHeader : value)), /is none/],
    ['a row is endless', rows((value, i) => (i === 0 ? new Uint8Array(17 << 20) : value)), /more than 16 MiB/],
    ['a row is of an unknown kind', rows((value, i) => (i === 0 ? Uint8Array.of(77) : value)), /unknown kind/],
    ['a row ends too early', rows((value, i) => (i === 0 ? value.subarray(0, 9) : value)), /end too early/],
    ['all of it is left out', rows(() => undefined), /not fetched|inconsistent/],
    ['its block has another state', setField('chain', 'fork.block.stateRoot', toWord(1)), /its header has the hash/],
    ['its block is another', setField('chain', 'genesisHash', toWord(1)), /its block 0 is/],
    ['its block is nothing', setField('chain', 'fork.block', {}), /refused/],
    ['it is said to be no fork', setField('chain', 'fork', undefined), /block 0 is|is no fork/],
    ['the name of its endpoint would command a terminal', setField('chain', 'fork.endpoint', '\u001b[2J'), /endpoint/],
    ['the name of its endpoint has a header in it', setField('chain', 'fork.endpoint', 'a\r\nX-Key:b'), /endpoint/],
    ['the name of its endpoint has no end', setField('chain', 'fork.endpoint', 'a'.repeat(301)), /endpoint/],
    ['its chain id is a text', setField('chain', 'fork.chainId', '0x1'), /chainId must be/],
    ['it lacks a code', (entries) => entries.filter(({ key }) => !key.startsWith('code-')), /code/],
    [
      'a header before it is another',
      rows((value) => (value[0] === 4 ? value.map((byte) => (byte === 0x61 ? 0x62 : byte)) : value)),
      /refused/,
    ],
  ]
  test.each(cases)('%s', async (_what, edit, words) => {
    const victim = await createTestNode(
      { mode: 'manual', seed: 9 },
      { journal: new MemoryJournal(), onReplaced: () => expect.unreachable() },
    )
    const before = await victim.request('eth_getBlockByNumber', ['latest', false])
    const importing = victim.requestLoosely('devnet_importChain', [toBase64(editFile(file, edit))])
    await expect(importing).rejects.toMatchObject({ error: { code: -32602 } })
    await expect(importing).rejects.toThrow(words)
    expect(await victim.request('eth_getBlockByNumber', ['latest', false])).toEqual(before)
  })

  test('of a trusted one, a value that was told is none', async () => {
    const told = await exportOf((await usedFork(WITHOUT_PROOFS)).node)
    const withAccount = (nonce: bigint, balance: bigint, codeHash: Hex) =>
      new ByteWriter().uint(3).hex(summer).uint(1).bigint(nonce).bigint(balance).hex(codeHash).uint(0).finish()
    for (const [row, words] of [
      [withAccount(2n ** 64n, 0n, toWord(0)), /too large/],
      [withAccount(0n, 2n ** 256n, toWord(0)), /too large/],
      [withAccount(0n, 0n, toWord(1)), /the code of 0x5151.* is missing/],
    ] as const) {
      const edited = editFile(
        told,
        rows((value, i) => (i === 1 ? row : value)),
      )
      await expect(importedFrom(edited)).rejects.toThrow(words)
    }
  })

  test('its rows stand in the file of a chain that is no fork', async () => {
    const plain = await exportOf(await createTestNode({ mode: 'manual' }))
    const stray = editFile(plain, (entries) => [
      ...entries,
      { part: 'states', key: 'fork-00000000', value: Uint8Array.of(2, 0) },
    ])
    await expect(importedFrom(stray)).rejects.toThrow(/no fork/)
  })

  test('an answer that it has is nested without end: that one is left out', async () => {
    const { journal } = await journalOfFile(file, new FakeClock())
    const node = await createTestNode({}, { journal })
    expect(await node.request('eth_getBlockByNumber', [toQuantity(FORKED_AT), false])).toMatchObject({
      number: toQuantity(FORKED_AT),
    })
    const deep = editFile(
      file,
      rows((value) => {
        if (value[0] !== 5) return value
        const text = `["eth_getBlockByNumber",["${toQuantity(FORKED_AT)}",false]]`
        const call = Buffer.from(text)
        const json = Buffer.from('['.repeat(20_000) + ']'.repeat(20_000))
        return Buffer.concat([Uint8Array.of(5, call.length), call, Uint8Array.of(0xc0, 0xb8, 0x02), json])
      }),
    )
    const other = await createTestNode({}, { journal: (await journalOfFile(deep, new FakeClock())).journal })
    await expect(other.request('eth_getBlockByNumber', [toQuantity(FORKED_AT), false])).rejects.toThrow('was not asked')
  })
})
