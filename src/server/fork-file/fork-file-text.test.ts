import { beforeAll, describe, expect, test } from 'vitest'
import { BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS, SYSTEM_ADDRESS } from '#node/spec/system-contracts.ts'
import { type Address, bytesToHex, type Hash, toWord } from '#primitives/hex.ts'
import { remoteOf } from '#testing/node/fork-of.ts'
import { SUMMER } from '#testing/node/slot-contracts.ts'
import { createTestNode } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { type DeepAccount, deepChain, noise } from '#testing/server/deep-chain.ts'
import { decodeForkFile, encodeForkFile } from './fork-file-text.ts'
import { beginRecording, noRemote } from './open-recording.ts'
import { RecordedFork } from './recorded-fork.ts'
import { Recorder } from './recorder.ts'

const contract: Address = `0x${'51'.repeat(20)}`
const HOLDER: Address = `0x${'99'.repeat(20)}`
/** A development account, of which nothing was asked. */
const STRANGER: Address = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const clock = new FakeClock()

/** Numbers from 0 to 1 that are the same each time. */
function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const decode = (text: string) => decodeForkFile(text, { name: 'tests.fork', clock, remote: noRemote('tests.fork') })

let text: string
beforeAll(async () => {
  const storage = Object.fromEntries(Array.from({ length: 60 }, (_, slot) => [toWord(slot), toWord(slot + 1)]))
  const original = await createTestNode({ mode: 'manual', genesis: { [contract]: { code: SUMMER, storage } } })
  await original.request('anvil_setBalance', [HOLDER, '0x5'])
  for (let i = 0; i < 3; i++) await original.request('evm_mine')
  const { remote } = remoteOf(original)
  const recorder = new Recorder(await beginRecording(remote, {}, clock), remote)
  await recorder.prove(contract, [toWord(3), toWord(9), toWord(1_000)])
  await recorder.prove(HOLDER, [])
  for (const number of ['0x3', '0x2']) await recorder.ask('eth_getBlockByNumber', [number, false])
  await recorder.ask('eth_getLogs', [{ fromBlock: '0x0', toBlock: '0x3' }])
  text = encodeForkFile(recorder.recorded)
})

const lineOf = (start: string) => text.split('\n').find((line) => line.startsWith(start)) ?? ''
const without = (start: string) => text.replace(`${lineOf(start)}\n`, '')

test('a file that was read is written as the same text, in whichever order its lines come', async () => {
  expect(encodeForkFile(await decode(text))).toBe(text)
  const [magic, ...lines] = text.trimEnd().split('\n')
  const shuffled = [magic, ...[...lines].reverse(), ...lines.slice(0, 9)].join('\r\n')
  expect(encodeForkFile(await decode(shuffled))).toBe(text)
  expect(text).toContain(
    `slot ${contract} ${toWord(3)} 0x4\nslot ${contract} ${toWord(9)} 0xa\nslot ${contract} ${toWord(1_000)} 0x0\n`,
  )
  expect(text).toContain(`account ${HOLDER} nonce 0 balance 5\n`)
  expect(text.match(/^block /gm)).toHaveLength(2)
})

test('lines that two people have recorded at the same block are one file', async () => {
  const mine = without(`slot ${contract} ${toWord(3)}`)
  const yours = without(`slot ${contract} ${toWord(9)}`)
  const merged = [...new Set([...mine.split('\n'), ...yours.split('\n')])].join('\n')
  expect(encodeForkFile(await decode(merged))).toBe(text)
})

describe('a file is refused, with the value that is wrong', () => {
  const changed = (start: string, change: (line: string) => string) => () =>
    text.replace(lineOf(start), change(lineOf(start)))
  const lastOf = (line: string) => line.replace(/.$/, (digit) => (digit === '1' ? '2' : '1'))
  const slotLine = `slot ${contract} ${toWord(9)}`
  const CASES: readonly (readonly [what: string, make: () => string, why: RegExp])[] = [
    ['that is something else', () => '{}', /^it is no fork file$/],
    ['of a later version', () => text.replace('file 1', 'file 2'), /another version of Blinknet/],
    [
      'whose slot has another value',
      changed(slotLine, lastOf),
      /^slot 0x0+9 of 0x5151.* is 0x1 in its line, and 0xa by its proof$/,
    ],
    [
      'whose balance is another',
      changed(`account ${HOLDER}`, lastOf),
      /^account 0x9999.* is "nonce 0 balance 1" in its line, and "nonce 0 balance 5" by its proof$/,
    ],
    [
      'whose account is said to be absent',
      changed(`account ${HOLDER}`, () => `account ${HOLDER} absent`),
      /^account 0x9999.*is "absent"/,
    ],
    [
      'with a slot that is not proven',
      () => `${text}slot ${contract} ${toWord(5)} 0x6\n`,
      /^account 0x5151.*slot 0x0+5: it ends above node/,
    ],
    [
      'with an account that is not proven',
      () => `${text}account ${STRANGER} absent\n`,
      /^account 0x7099.* ends above node/,
    ],
    [
      'with slots of an account that has no line',
      () => without(`account ${contract}`),
      /^account 0x5151.* has slots and no line of its own/,
    ],
    ['without a node', () => text.replace(/(?<=\n)node .*\n/g, ''), /ends above node 0/],
    ['without a code', () => text.replace(/(?<=\n)code .*\n/g, ''), /its code does not have the hash/],
    [
      'whose code is another',
      changed('code ', (line) => line.replace(/ (?=\S+$).{4}/, ' AAAA')),
      /the stored code does not match its hash/,
    ],
    [
      'whose header is another',
      changed('header ', (line) => line.replace('"gasUsed":"0x0"', '"gasUsed":"0x1"')),
      /its header has the hash 0x/,
    ],
    ['whose block is another', changed('at ', lastOf), /^it says that its block is/],
    ['without a block', () => without('at '), /^a line is missing/],
    ['of two blocks', () => `${text}at 5 ${toWord(7)}\n`, /^it has two blocks .*take one side/],
    [
      'with a conflict of Git',
      () => text.replace('\nat ', '\n<<<<<<< HEAD\nat '),
      /^line 3 is none.*Git has left a conflict/,
    ],
    [
      'with two values of a slot',
      () => `${text}${slotLine} 0xb\n`,
      /^slot 0x0+9 of 0x51.* has two lines that contradict/,
    ],
    [
      'with a block that is no ancestor',
      changed(
        'block ',
        () =>
          `block ${lineOf('answer [["eth_getBlockByNumber",["0x0"')
            .slice(0, -2)
            .replace(/^.*?\{"result":/, '')}`,
      ),
      /is not 0x.*, its child's parent/,
    ],
    ['with a line of another kind', () => `${text}constructor 1\n`, /^line \d+ is none of a fork file: constructor 1/],
    ['with a member of every object', () => `${text}__proto__ {"a":1}\n`, /^line \d+ is none/],
    ['with an answer that is none', () => `${text}answer [["eth_call"],{"result":1}]\n`, /^line \d+ is none/],
    ['with JSON that is nested', () => `${text}answer ${'['.repeat(200)}${']'.repeat(200)}\n`, /128 levels/],
    ['with JSON that is broken', () => `${text}answer [\n`, /JSON/],
    ['with characters that hide', () => `${text}\u202Eslot\n`, /^line \d+ is none of a fork file: \\u\{202e\}slot/],
    [
      'with a number that is too large',
      () => text.replace('\nchain 31337', `\nchain 9${'9'.repeat(40)}`),
      /^line 2 is none/,
    ],
    [
      'with a block by number that is another',
      () => `${text}answer [["eth_getBlockByNumber",["0x9",true]],{"result":${lineOf('header ').slice(7)}}]\n`,
      /^the block 0x9 is another one: 4, 0x/,
    ],
    ['with more lines than any', () => `${text}${'\n'.repeat(300_001)}`, /more than 300000 lines/],
  ]
  test.each(CASES)('%s', async (_what, make, why) => {
    await expect(decode(make())).rejects.toThrow(why)
    await expect(decode(make())).rejects.toMatchObject({ name: 'ForkFileError' })
  })

  test('and every change of a byte of a proof', async () => {
    const nodes = text.split('\n').filter((line) => line.startsWith('node '))
    for (const [i, line] of nodes.entries()) {
      const at = 5 + ((i * 7) % 40)
      const other = `${line.slice(0, at)}${line[at] === 'A' ? 'B' : 'A'}${line.slice(at + 1)}`
      await expect(decode(text.replace(line, other))).rejects.toMatchObject({ name: 'ForkFileError' })
    }
  })

  test('and any other change says nothing that is not proven', async () => {
    const random = seededRandom(7)
    const said = new Set(text.split('\n').filter((line) => /^(?:account|slot|code|at) /.test(line)))
    let accepted = 0
    for (let i = 0; i < 400; i++) {
      const lines = text.split('\n')
      for (let edits = 1 + Math.floor(random() * 3); edits > 0; edits--) {
        const at = 1 + Math.floor(random() * (lines.length - 1))
        const line = lines[at] ?? ''
        const from = Math.floor(random() * line.length)
        const pieces = [line.slice(0, from), line.slice(from + 1)]
        const other = lines[Math.floor(random() * lines.length)] ?? ''
        lines[at] =
          [line, '', pieces.join('0'), pieces.join(''), `${pieces[0]}${other}`, other][Math.floor(random() * 6)] ?? ''
      }
      const edited = lines.join('\n')
      try {
        const again = encodeForkFile(await decode(edited))
        accepted++
        for (const line of again.split('\n')) {
          if (/^(?:account|slot|code|at) /.test(line)) expect(said).toContain(line)
        }
      } catch (error) {
        expect(error).toMatchObject({ name: 'ForkFileError' })
      }
    }
    expect(accepted).toBeGreaterThan(10)
  })

  test('its names are no members of objects', async () => {
    const call = '["eth_getLogs",[{"__proto__":{"x":1}}]]'
    const recorded = await decode(`${text}answer [${call},{"result":{"__proto__":{"polluted":true}}}]\n`)
    expect(recorded.answer('eth_getLogs', JSON.parse('[{"__proto__":{"x":1}}]') as unknown[])).toBeDefined()
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })
})

test('a swap and a lending market of a chain as deep as the main net take less than 2 MB', async () => {
  const address = (name: string): Address => bytesToHex(noise(name, 20))
  const slotsOf = (name: string, count: number): ReadonlyMap<Hash, bigint> =>
    new Map(
      Array.from({ length: count }, (_, i) => [
        bytesToHex(noise(`${name} slot ${i}`, 32)),
        BigInt(bytesToHex(noise(`${name} ${i}`, 20))),
      ]),
    )
  const make = (name: string, codeBytes: number, slots: number, depth: number): DeepAccount => ({
    address: address(name),
    code: noise(`code ${name}`, codeBytes),
    slots: slotsOf(name, slots),
    depth,
  })
  const times = (count: number, one: (i: number) => DeepAccount) => Array.from({ length: count }, (_, i) => one(i))
  const ring = (at: Address, first: readonly number[], depth: number): DeepAccount => ({
    address: at,
    code: noise(at, 100),
    slots: new Map(
      first.flatMap((start) => Array.from({ length: 48 }, (_, i): [Hash, bigint] => [toWord(start + i), 1n << 200n])),
    ),
    depth,
  })
  const accounts: readonly DeepAccount[] = [
    // Tokens that millions hold, behind proxies.
    ...times(6, (i) => make(`token ${i}`, 12_000, 16, 6)),
    ...times(4, (i) => make(`token proxy ${i}`, 2_200, 4, 2)),
    // Two pools, the routers, a quoter, the factory.
    ...times(2, (i) => make(`pool ${i}`, 22_000, 24, 4)),
    ...times(4, (i) => make(`router ${i}`, 20_000, 6, 3)),
    // The market: pool, libraries, its tokens, strategies, oracles and their aggregators.
    make('lending pool', 24_000, 60, 5),
    ...times(8, (i) => make(`library ${i}`, 14_000, 0, 0)),
    ...times(8, (i) => make(`market token ${i}`, 11_000, 10, 5)),
    ...times(6, (i) => make(`oracle ${i}`, 7_000, 8, 4)),
    // People and keepers.
    ...times(16, (i) => make(`account ${i}`, 0, 0, 0)),
    ring(BEACON_ROOTS_ADDRESS, [0, 8_191], 3),
    ring(HISTORY_STORAGE_ADDRESS, [0], 3),
    { address: SYSTEM_ADDRESS, code: new Uint8Array(), slots: new Map(), depth: 0 },
  ]
  const remote = deepChain(accounts)
  const recorder = new Recorder(await beginRecording(remote, {}, clock), remote)
  for (const { address: each, slots } of accounts) {
    await recorder.prove(
      each,
      each === BEACON_ROOTS_ADDRESS || each === HISTORY_STORAGE_ADDRESS
        ? [...slots.keys()].slice(0, 16)
        : [...slots.keys()],
    )
  }
  const file = encodeForkFile(recorder.recorded)
  const slots = recorder.recorded.accounts().reduce((sum, [, each]) => sum + each.length, 0)
  expect(slots).toBeGreaterThan(400)
  expect(file.length).toBeLessThan(2_000_000)
  expect(encodeForkFile(await decode(file))).toBe(file)
})

test('a recording takes no more than its file does', async () => {
  const slots = new Map(Array.from({ length: 400 }, (_, i): [Hash, bigint] => [bytesToHex(noise(`slot ${i}`, 32)), 1n]))
  const large = { address: HOLDER, code: noise('code', 10), slots, depth: 4 }
  const system = [BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS, SYSTEM_ADDRESS].map((address) => ({
    address,
    code: new Uint8Array(),
    slots: new Map<Hash, bigint>(),
    depth: 0,
  }))
  const remote = deepChain([large, ...system])
  const { fork } = await beginRecording(remote, {}, clock)
  const recorder = new Recorder(new RecordedFork(fork, 300_000), remote)
  const prove = async () => {
    for (const slot of slots.keys()) await recorder.prove(HOLDER, [slot])
  }
  await expect(prove()).rejects.toThrow('the fork file has 300000 bytes, its limit')
  const { length } = encodeForkFile(recorder.recorded)
  expect(length).toBeGreaterThan(200_000)
  expect(length).toBeLessThan(300_000)
})
