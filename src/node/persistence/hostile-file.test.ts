import { beforeAll, describe, expect, test } from 'vitest'
import { bytesToHex } from '#primitives/hex.ts'
import { editFile, type FileEdit, setField } from '#testing/node/persistence/chain-files.ts'
import { exportSample } from '#testing/node/persistence/sample-chain.ts'
import { createTestNode, devAccount, type TestNode } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { MemoryJournal } from '../storage/memory-journal.ts'
import { encodeJson } from './json-record.ts'
import { decodePooled } from './records.ts'

const MANUAL = { mode: 'manual' } as const
/** A state difference that gives account 0x11… nonce 0, 1 wei and the code with hash 0x22…, which does not exist. */
const STRANGE_CODE = `0x01${'11'.repeat(20)}0002000101${'22'.repeat(32)}00`
const account = (balance: string) => ({ address: devAccount(0).address.toLowerCase(), balance })

let file: Uint8Array
let victim: TestNode
let before: unknown

beforeAll(async () => {
  file = await exportSample()
  victim = await createTestNode(
    { ...MANUAL, seed: 9 },
    { journal: new MemoryJournal(), clock: new FakeClock(), onReplaced: () => {} },
  )
  await victim.request('anvil_mine', ['0x3'])
  before = await victim.request('eth_getBlockByNumber', ['latest', false])
})

/** The node's error for the file. */
async function refusalOf(changed: Uint8Array): Promise<string> {
  try {
    await victim.requestLoosely('devnet_importChain', [Buffer.from(changed).toString('base64')])
  } catch (error) {
    const { code, message } = (error as { error: { code: number; message: string } }).error
    expect({ code, message }).toMatchObject({ code: -32602 })
    expect(message.length).toBeLessThan(500)
    expect(await victim.request('eth_getBlockByNumber', ['latest', false])).toEqual(before)
    return message
  }
  throw new Error('the file was accepted')
}

describe('a chain file is refused with a clear message, and the chain is unchanged, if', () => {
  const present = (path: string, value: unknown) => setField('present', path, value)
  const chain = (path: string, value: unknown) => setField('chain', path, value)
  const cases: readonly (readonly [what: string, edit: FileEdit, words: RegExp])[] = [
    ['a timing is 0', present('production.timing.partialMs', 0), /partialMs must be a whole number from 10 to 60000/],
    ['a timing is tiny', present('production.nextTiming.partialMs', 1e-9), /partialMs must be/],
    ['a block has too many ticks', present('production.timing.partialsPerBlock', 1e6), /partialsPerBlock must be/],
    ['it was saved before all time', present('savedAtMs', -1e300), /savedAtMs must be/],
    ['its clock is millions of years behind', present('production.offsetMs', -1e300), /offsetMs must be/],
    ['a time is a text', present('production.chainTimeMs', '5'), /chainTimeMs must be/],
    ['a time is null', present('production.slot.openedAtMs', null), /openedAtMs must be/],
    ['chain time lies beyond all dates', present('production.chainTimeMs', 1e300), /chainTimeMs must be/],
    ['a block is due in a thousand years', present('production.slot.dueAtMs', 3e13), /dueAtMs must be/],
    ['the speed is 0', present('production.speed', 0), /speed must be/],
    ['the speed is negative', present('production.speed', -1), /speed must be/],
    ['a seal is put off for ever', present('production.sealDelayMs', 1e12), /sealDelayMs must be/],
    ['ticks stall for ever', present('production.stalledTicks', 2 ** 40), /stalledTicks must be/],
    ['it lies ages from the clock', present('production.offsetMs', -1e300), /offsetMs must be/],
    ['seconds are shared by a word', present('production.sharesSeconds', 'yes'), /sharesSeconds must be true or false/],
    ['a withdrawal has an unknown fate', present('production.plannedWithdrawal', 'keep'), /plannedWithdrawal must be/],
    ['a header override is a number', present('production.wishes.next', 7), /wishes.next must be/],
    ['a gas limit is huge', present('production.wishes.lasting.gasLimit', `0x${'f'.repeat(300)}`), /gasLimit must be/],
    ['a gas limit is 1', present('live.header.gasLimit', '0x1'), /gasLimit must be/],
    ['a base fee is no number', present('production.wishes.next.baseFeePerGas', 'x'), /baseFeePerGas must be/],
    ['an override of the live block is no time', present('production.wishes.live.timestamp', '9'), /timestamp must be/],
    ['a mix hash is short', present('production.wishes.lasting.mixHash', '0x12'), /mixHash must be/],
    ['blocks are set ages apart', present('production.wishes.intervalSeconds', 2 ** 40), /intervalSeconds must be/],
    ['there are no overrides', present('production.wishes', undefined), /wishes must be an object/],
    ['a coinbase is none', present('production.wishes.next.coinbase', '0x12'), /coinbase must be/],
    ['a live block has millions of indices', present('live.counts', new Array(3e6).fill(0)), /counts must have/],
    ['a count is negative', present('live.counts', [3, -2]), /counts\[1\] must be/],
    ['the counts do not add up', present('live.counts', [0]), /counts must add up/],
    ['a live block names no transaction', present('live.transactions', 'zz'), /transactions must be/],
    ['an edit is at no place', present('live.edits.0.position', 1e9), /position must be/],
    ['an edit is no hex', present('live.edits.0.difference', '0xzz'), /difference must be/],
    ['an edit gives an account a code that does not exist', present('live.edits.0.difference', STRANGE_CODE), /code/],
    ['there is an endless number of snapshots', present('snapshotsTaken', 2 ** 53), /snapshotsTaken must be/],
    ['an impersonated account is not an address', present('impersonated.accounts', [{}]), /accounts\[0\] must be/],
    ['the present is a list', present('', []), /present.head must be|present must be/],
    ['the present has only a prototype', present('', JSON.parse('{"__proto__":{"head":1}}')), /present.head must be/],
    ['a chain has no options', chain('options', undefined), /options must be/],
    ['an option is out of its range', chain('options.partialMs', 1), /partialMs must be/],
    ['an option is of another type', chain('options.mode', { toString: 1 }), /mode must be/],
    ['an option is unknown', chain('options.constructor', 1), /no option/],
    ['an engine is unknown', chain('options.engine', '__proto__'), /engine must be/],
    ['a number has millions of digits', chain('options.chainId', '9'.repeat(3e6)), /chainId must be/],
    ['a balance has millions of digits', chain('options.accounts', [account('9'.repeat(3e6))]), /balance must be/],
    ['block 0 has no time', chain('genesisTimestamp', -1), /genesisTimestamp must be/],
    ['the hash of block 0 is megabytes long', chain('genesisHash', 'x'.repeat(1e6)), /genesisHash must be/],
    ['the format is a text', chain('format', 'x'.repeat(1e6)), /format must be/],
    ['the version is megabytes long', chain('version', 'x'.repeat(1e6)), /version must be/],
    ['an account has unknown members', chain('options.accounts', [{ deep: [[]] }]), /there is no "deep"/],
    ['the base does not exist', setField('base', 'number', 1e15), /base/],
    ['the base is between blocks', setField('base', 'number', 0.5), /base.number must be/],
  ]
  test.each(cases)('%s', async (_what, edit, words) => {
    expect(await refusalOf(editFile(file, edit))).toMatch(words)
  })

  test('the name of an entry is megabytes long', async () => {
    const long = editFile(file, (entries) => [
      ...entries,
      { part: 'meta', key: 'x'.repeat(2e6), value: new Uint8Array(1) },
    ])
    expect(await refusalOf(long)).toMatch(/name/)
  })

  test('an entry is there twice', async () => {
    expect(await refusalOf(editFile(file, (entries) => [...entries, ...entries.slice(0, 1)]))).toMatch(/twice/)
  })

  test('a transaction has the highest possible arrival number', async () => {
    const late = editFile(file, (entries) =>
      entries.map((entry) =>
        entry.part === 'transactions'
          ? { ...entry, value: Buffer.concat([Buffer.from('ffffffffffffff0f', 'hex'), entry.value.subarray(1)]) }
          : entry,
      ),
    )
    expect(await refusalOf(late)).toMatch(/transaction/)
  })

  test('the changes of a block do not match its state', async () => {
    const other = editFile(file, (entries) =>
      entries.map((entry) => (entry.part === 'diffs' ? { ...entry, value: Uint8Array.of(0) } : entry)),
    )
    expect(await refusalOf(other)).toMatch(/state/)
  })

  test('a state has deeply nested branches', async () => {
    const deep = editFile(file, (entries) =>
      entries.map((entry) =>
        entry.part === 'states' && entry.key.startsWith('base')
          ? { ...entry, value: Uint8Array.from({ length: 400_000 }, (_, i) => (i % 2 === 0 ? 3 : 1)) }
          : entry,
      ),
    )
    expect(await refusalOf(deep)).toMatch(/state/)
  })

  test('the sender of a transaction is not its signer', async () => {
    const forged = editFile(file, (entries) =>
      entries.map((entry) => {
        if (entry.part !== 'transactions') return entry
        const value = entry.value.slice()
        value[1] = (value[1] as number) ^ 1
        return { ...entry, value }
      }),
    )
    expect(await refusalOf(forged)).toMatch(/sender/)
  })
})

test('an import is stopped with a clear message if the live block takes too long to execute', async () => {
  const source = await createTestNode(MANUAL, { journal: new MemoryJournal() })
  // A contract creation that loops until it runs out of gas.
  const loop = { from: devAccount(0).address, data: '0x5b5f56', gas: '0xf42400' } as const
  for (let i = 0; i < 4; i++) await source.request('eth_sendTransaction', [loop])
  await source.request('devnet_tick', [8])
  expect(Number((await source.request('eth_getBlockByNumber', ['pending', false]))?.gasUsed)).toBe(64_000_000)
  const loops = await source.request('devnet_exportChain')

  /** Simulates a slow machine: a tenth of a second passes between looks at the clock. */
  class SlowClock extends FakeClock {
    override now(): number {
      this.jump(100)
      return super.now()
    }
  }
  const { requestLoosely, request } = await createTestNode(
    { ...MANUAL, seed: 9 },
    { journal: new MemoryJournal(), clock: new SlowClock(), onReplaced: () => {} },
  )
  await expect(requestLoosely('devnet_importChain', [loops])).rejects.toMatchObject({
    error: {
      code: -32602,
      message: 'the import was stopped: its live block and states take longer than 20 s to check. Nothing has changed',
    },
  })
  expect(await request('eth_blockNumber')).toBe('0x0')
})

describe('a file whose record of withdrawals no node wrote is refused', () => {
  const live = {
    hash: `0x${'11'.repeat(32)}`,
    header: {
      timestamp: 1,
      baseFeePerGas: '0x1',
      coinbase: `0x${'22'.repeat(20)}`,
      gasLimit: '0x1c9c380',
      mixHash: `0x${'33'.repeat(32)}`,
    },
    transactions: '',
    counts: [0],
    edits: [],
  }
  const taken = { number: 1, parent: `0x${'44'.repeat(32)}`, kept: -1, live, included: [] }
  test.each([
    ['no list', {}, /taken must be a list/],
    ['too many', Array.from({ length: 101 }, () => taken), /taken must have at most 100 entries/],
    ['block 0', [{ ...taken, number: 0 }], /taken\[0\].number must be/],
    ['more kept than there is', [{ ...taken, kept: 1 }], /taken\[0\].kept must be within the block/],
    ['counts that do not add up', [{ ...taken, live: { ...live, counts: [3] } }], /taken\[0\].live.counts must add up/],
    [
      'bytes that are no transaction',
      [{ ...taken, included: [['0x02', `0x${'55'.repeat(20)}`]] }],
      /record "taken" of the file/,
    ],
  ])('%s', async (_what, records, words) => {
    const changed = editFile(file, (entries) => [
      ...entries,
      { part: 'meta', key: 'taken', value: encodeJson(records) },
    ])
    expect(await refusalOf(changed)).toMatch(words)
  })

  test('a transaction whose sender did not sign it', async () => {
    const changed = editFile(file, (entries) => {
      const pooled = entries.find(({ part }) => part === 'transactions')
      const { tx } = decodePooled(pooled?.value ?? new Uint8Array())
      const included = [[bytesToHex(tx.raw), `0x${'66'.repeat(20)}`]]
      return [...entries, { part: 'meta', key: 'taken', value: encodeJson([{ ...taken, included }]) }]
    })
    expect(await refusalOf(changed)).toMatch(/was not signed by its sender/)
  })
})
