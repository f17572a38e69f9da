import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { JournalError } from '#node/storage/journal.ts'
import { DEV_KEYS, DEV_MNEMONIC, type DevKey } from '#rpc-types/dev-keys.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { VERSION } from '#rpc-types/version.ts'
import { banner, explainJournalError, explainListenError } from './banner.ts'

test('the banner shows the address, the chain, and that the keys are public', () => {
  const text = banner(
    { hosts: ['127.0.0.1'], port: 8545, latest: 'sealed', automine: false, page: false },
    {
      options: { partialMs: 100, partialsPerBlock: 5, speed: 2 },
      ownMnemonic: false,
      notes: ['A note.'],
    },
  )
  expect(text).toContain('http://127.0.0.1:8545 and ws://127.0.0.1:8545')
  expect(text).toContain('Chain id 31337; a partial block every 100 ms, sealed every 500 ms, at speed 2.')
  expect(text).toContain('never send anything of value')
  expect(text).toContain(`Mnemonic: ${DEV_MNEMONIC}\n\nA note.\nChain id`)
  expect(text.match(/ {2}10,000 ETH$/gm)).toHaveLength(10)
  for (const { address, privateKey } of DEV_KEYS) {
    expect(text).toContain(address)
    expect(text).toContain(privateKey)
  }
})

test('the banner says when the chain’s time will run ahead of the clock, and only then', () => {
  const at = { hosts: ['127.0.0.1'], port: 8545, latest: 'sealed', automine: false, page: false } as const
  const say = (options: NodeOptions, how = {}) =>
    banner({ ...at, ...how }, { options, ownMnemonic: false, notes: [] }).includes('--allow-same-timestamp')
  const fast = { partialMs: 100, partialsPerBlock: 5 }
  expect(say(fast)).toBe(true)
  expect(say({}, { automine: true, alsoEveryMs: 500 })).toBe(true)
  expect(say({ partialMs: 100 })).toBe(false)
  expect(say({ ...fast, allowSameTimestamp: true })).toBe(false)
  expect(say({ ...fast, mode: 'manual' })).toBe(false)
  expect(say(fast, { noMining: true })).toBe(false)
  expect(say(fast, { automine: true })).toBe(false)
})

test('with automine latest has what receipts tell of, so the banner advises no other reading', () => {
  const resolved = { options: {}, ownMnemonic: false, notes: [] }
  const at = { hosts: ['127.0.0.1'], port: 8545, latest: 'sealed', automine: true, page: false } as const
  expect(banner(at, resolved)).not.toContain('?latest=')
})

test('the banner names the address at which latest reads the other way', () => {
  const resolved = { options: {}, ownMnemonic: false, notes: [] }
  const address = { hosts: ['127.0.0.1'], port: 8545 }
  expect(banner({ ...address, latest: 'sealed', automine: false, page: false }, resolved)).toContain(
    'http://127.0.0.1:8545/?latest=preconfirmed',
  )
  expect(banner({ ...address, latest: 'preconfirmed', automine: true, page: false }, resolved)).toMatch(
    /; automine: each transaction is sealed at once\.\n[^]*http:\/\/127\.0\.0\.1:8545\/\?latest=sealed/u,
  )
})

test('the banner names every host, and an error names the host that could not be used', () => {
  const at = { hosts: ['127.0.0.1', '::1'], port: 8545, latest: 'sealed', automine: false, page: false } as const
  expect(banner(at, { options: {}, ownMnemonic: false, notes: [] })).toMatch(
    /Listening on http:\/\/127\.0\.0\.1:8545 [^]*Listening on http:\/\/\[::1\]:8545 /u,
  )
  const taken = Object.assign(new Error(), { code: 'EADDRINUSE', address: '::1' })
  expect(explainListenError(taken, at.hosts, 80)).toContain('Port 80 of ::1 is taken')
})

test('without mining the banner says who seals', () => {
  const at = { hosts: ['::1'], port: 1, latest: 'sealed', automine: false, noMining: true, page: false } as const
  expect(banner(at, { options: {}, ownMnemonic: false, notes: [] })).toContain(
    'no mining: the chain waits for evm_mine',
  )
})

test('a new mnemonic is printed with its keys, which nobody has yet', () => {
  const [{ address, privateKey }] = DEV_KEYS as readonly [DevKey]
  const text = banner(
    { hosts: ['::1'], port: 1, latest: 'sealed', automine: false, page: false },
    {
      options: { accounts: [{ address, privateKey, balance: '1' }] },
      ownMnemonic: true,
      newMnemonic: 'some new words',
      notes: [],
    },
  )
  expect(text).toContain('Test accounts made for this run')
  expect(text).toContain('Mnemonic: some new words')
  expect(text).toContain(privateKey)
})

test('the banner says so if browsers get the page', () => {
  const at = { hosts: ['127.0.0.1'], port: 8545, latest: 'sealed', automine: false } as const
  const resolved = { options: {}, ownMnemonic: false, notes: [] }
  expect(banner({ ...at, page: true }, resolved)).toContain('Watch it live in a browser: http://127.0.0.1:8545\n')
  expect(banner({ ...at, page: false }, resolved)).not.toContain('browser')
})

test('an IPv6 address is written in brackets, and a manual clock is mentioned', () => {
  const text = banner(
    { hosts: ['::1'], port: 1, latest: 'sealed', automine: false, page: false },
    { options: { mode: 'manual', chainId: 5 }, ownMnemonic: false, notes: [] },
  )
  expect(text).toContain('http://[::1]:1')
  expect(text).toContain('Chain id 5; manual clock: the chain waits for devnet_tick.')
})

test('accounts of the user’s own mnemonic are announced without printing it or the keys', () => {
  const [{ address, privateKey }] = DEV_KEYS as readonly [DevKey]
  const text = banner(
    { hosts: ['::1'], port: 1, latest: 'sealed', automine: false, page: false },
    {
      options: { accounts: [{ address, privateKey, balance: '1234500000000000000001' }] },
      ownMnemonic: true,
      notes: [],
    },
  )
  expect(text).toContain('These accounts are from your mnemonic.')
  expect(text).toContain(`(0) ${address}  1,234.500000000000000001 ETH`)
  expect(text).not.toContain(privateKey.slice(2))
  expect(text).not.toContain('Everyone knows')
  expect(text).not.toContain('Mnemonic:')
})

test('accounts that are funded besides are printed, as many as fit', () => {
  const address = (i: number) => `0x${String(i).padStart(40, '0')}`
  const at = { hosts: ['::1'], port: 1, latest: 'sealed', automine: false, page: false } as const
  const printed = (count: number) => {
    const funds = Array.from({ length: count }, (_, i) => [address(i), String(BigInt(i) * 10n ** 17n)] as const)
    return banner(at, { options: { fundAccounts: Object.fromEntries(funds) }, ownMnemonic: false, notes: [] })
  }
  expect(printed(0)).not.toContain('Funded')
  expect(printed(6)).toContain(`Funded as well:\n    ${address(0)}  0 ETH\n`)
  expect(printed(6)).toContain(`    ${address(5)}  0.5 ETH\n`)
  expect(printed(12)).toContain('    and 2 more\n')
  expect(printed(12)).not.toContain(address(10))
})

test('a balance that the genesis changes is printed as it is', () => {
  const [{ address }] = DEV_KEYS as readonly [DevKey]
  const options = { genesis: { [address]: { balance: '0' } } }
  expect(
    banner(
      { hosts: ['::1'], port: 1, latest: 'sealed', automine: false, page: false },
      { options, ownMnemonic: false, notes: [] },
    ),
  ).toContain(`(0) ${address}  0 ETH`)
})

test.each([
  ['EADDRINUSE', 'Port 80 of ::1 is taken'],
  ['EACCES', 'may not listen on port 80'],
  ['EADDRNOTAVAIL', 'has no address ::1'],
])('%s is explained', (code, sentence) => {
  expect(explainListenError(Object.assign(new Error(), { code }), ['::1'], 80)).toContain(sentence)
})

test.each([
  ['quota', 'full.', 'full. Make room'],
  [
    'corrupt',
    'it is damaged',
    'it is damaged. To save what is intact into a new directory: blinknet --data ./chain --rescue NEWDIR.',
  ],
  ['newer', 'from the future.', 'from the future. Run that version'],
  ['unavailable', 'It is open in process 7. Stop that node first.', 'It is open in process 7. Stop that node first.'],
] as const)('of a directory that cannot be used (%s) it is said what to do', (code, message, sentence) => {
  expect(explainJournalError(new JournalError(code, message), './chain')).toContain(sentence)
})

test('an error of another kind gets no explanation', () => {
  expect(explainListenError(new TypeError('a bug'), ['::1'], 80)).toBeUndefined()
})

test('the version is that of the package', () => {
  expect(JSON.parse(readFileSync('package.json', 'utf8'))).toHaveProperty('version', VERSION)
})
