import fc from 'fast-check'
import { expect, test } from 'vitest'
import { OPTION_RANGES } from '#rpc-types/option-ranges.ts'
import { parseCommand } from './cli.ts'
import { FLAG_GROUPS, type Flag, helpText } from './flags.ts'

const RUN = {
  kind: 'run',
  host: '127.0.0.1',
  latest: 'sealed',
  port: 8545,
  allowOrigins: [],
  allowHosts: [],
  logLevel: 'info',
  quiet: false,
  automine: false,
  ui: true,
  options: {},
  accounts: {},
} as const

test('without arguments the node runs on this machine only, with the defaults', () => {
  expect(parseCommand([])).toEqual(RUN)
})

const EVERY_OPTION = [
  '--no-ui --host ::1 --port=0 --latest preconfirmed --data chain --log warn --quiet',
  '--chain-id 1337 --seed 0 --gas-limit 30000000 --safe=3 --finalized 4 --allow-unprotected',
  '--allow-origin https://App.example/ --allow-origin * --allow-host Node.example --allow-host [::1]',
  '--code-size-limit 50000 --client-version anvil/v1 --allow-foreign-typed-data',
  `--coinbase 0x${'Cb'.repeat(20)}`,
  '--automine --partial-ms=50 --partials 4 --clock manual --speed 0.5 --tick-budget-ms 20',
  '--base-fee 9 --min-base-fee 0 --base-fee-denominator 8 --base-fee-elasticity 2',
  '--accounts 100 --balance 1.05 --mnemonic words --genesis g.json --genesis-timestamp 0',
].flatMap((line) => line.split(' '))

test('every option is understood, in both spellings', () => {
  expect(parseCommand(EVERY_OPTION)).toEqual({
    kind: 'run',
    host: '::1',
    port: 0,
    latest: 'preconfirmed',
    allowOrigins: ['https://app.example', '*'],
    allowHosts: ['node.example', '[::1]'],
    data: 'chain',
    logLevel: 'warn',
    quiet: true,
    automine: true,
    ui: false,
    accounts: { count: 100, balance: 1_050_000_000_000_000_000n, mnemonic: 'words' },
    genesisFile: 'g.json',
    options: {
      chainId: 1337,
      seed: 0,
      partialMs: 50,
      partialsPerBlock: 4,
      mode: 'manual',
      speed: 0.5,
      gasLimit: 30_000_000,
      baseFee: 9,
      minBaseFee: 0,
      baseFeeDenominator: 8,
      baseFeeElasticity: 2,
      genesisTimestamp: 0,
      coinbase: `0x${'cb'.repeat(20)}`,
      tickBudgetMs: 20,
      safeDistance: 3,
      finalizedDistance: 4,
      allowUnprotected: true,
      allowForeignTypedData: true,
      codeSizeLimit: 50_000,
      clientVersion: 'anvil/v1',
    },
  })
})

test('without a limit on code, a contract may be as large as any', () => {
  expect(parseCommand(['--disable-code-size-limit'])).toEqual({ ...RUN, options: { codeSizeLimit: 2 ** 24 } })
})

test('every number that a node takes has a flag', () => {
  const command = parseCommand(EVERY_OPTION)
  expect(command).toHaveProperty('options', expect.objectContaining(asKeys(Object.keys(OPTION_RANGES))))
})

const asKeys = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, expect.anything()]))

test('the help names every flag on a line of its own, with all explanations in one column', () => {
  const lines = helpText().split('\n')
  const columns = new Set<number>()
  const flags = Object.values<Readonly<Record<string, Flag>>>(FLAG_GROUPS).flatMap((group) => Object.entries(group))
  for (const [name, { help }] of flags) {
    const line = lines.find((candidate) => candidate.trim().split(' ')[0] === `--${name}`)
    columns.add(line?.indexOf(help) ?? -1)
  }
  expect(columns.size).toBe(1)
  expect(columns).not.toContain(-1)
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(120)
})

test.each([
  ['0', 0n],
  ['10000', 10_000n * 10n ** 18n],
  ['0.000000000000000001', 1n],
  ['1000000000000', 10n ** 30n],
])('a balance of %s ETH is exact', (text, balance) => {
  expect(parseCommand(['--balance', text])).toEqual({ ...RUN, accounts: { balance } })
})

test('help and version come before everything else', () => {
  expect(parseCommand(['--port', 'x', '--help'])).toEqual({ kind: 'help' })
  expect(parseCommand(['--version'])).toEqual({ kind: 'version' })
})

test.each([
  [['--port', '65536'], '--port takes a whole number from 0 to 65535, not "65536".'],
  [['--port', '-1'], "Option '--port' argument is ambiguous"],
  [
    ['--allow-origin', 'app.example'],
    '--allow-origin takes an origin such as https://app.example, null or *, not "app.example".',
  ],
  [
    ['--allow-host', 'node.example:80'],
    '--allow-host takes a host name or an address, without a port, not "node.example:80".',
  ],
  [['--port=-1'], '--port takes a whole number from 0 to 65535, not "-1".'],
  [['--host='], '--host takes a host name or an address, not nothing.'],
  [['--chain-id', '0'], '--chain-id takes a whole number from 1 to 4294967295, not "0".'],
  [['--partial-ms', '1e3'], '--partial-ms takes a whole number from 10 to 60000, not "1e3".'],
  [['--speed', '0'], '--speed takes a number above 0 and up to 100, not "0".'],
  [['--clock', 'stopped'], '--clock takes "auto" or "manual", not "stopped".'],
  [['--gas-limit', '1'], '--gas-limit takes a whole number from 5000000 to 1099511627776, not "1".'],
  [['--coinbase', '0x42'], '--coinbase takes an address, 0x and 40 hex digits, not "0x42".'],
  [['--accounts', '0'], '--accounts takes a whole number from 1 to 100, not "0".'],
  [['--accounts', '101'], '--accounts takes a whole number from 1 to 100, not "101".'],
  [['--balance', '1e3'], '--balance takes an amount of ETH up to 1000000000000, not "1e3".'],
  [['--balance', '0.0000000000000000001'], '--balance takes an amount of ETH'],
  [['--balance', '1000000000000.1'], '--balance takes an amount of ETH'],
  [['--mnemonic='], '--mnemonic takes the words of a mnemonic, not nothing.'],
  [['--data='], '--data takes the name of a directory, not nothing.'],
  [['--genesis='], '--genesis takes the name of a file, not nothing.'],
  [['--genesis-timestamp', '4294967296'], '--genesis-timestamp takes a whole number from 0 to 4294967295, not'],
  [['--latest', 'pending'], '--latest takes "sealed" or "preconfirmed", not "pending".'],
  [['--log', 'debug'], '--log takes "error", "warn" or "info", not "debug".'],
  [['--prot', '1'], "Unknown option '--prot'"],
  [['8545'], "Unexpected argument '8545'"],
  [['--seed'], "Option '--seed <value>' argument missing"],
])('%j is refused with a sentence', (args, message) => {
  const command = parseCommand(args)
  expect(command.kind).toBe('bad')
  expect(command).toHaveProperty('message', expect.stringContaining(message))
})

test('no command line makes the parser throw', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string(), fc.constantFrom('--seed', '--balance', '--log', '--coinbase', '1', '0x'))),
      (args) => {
        expect(['run', 'help', 'version', 'bad']).toContain(parseCommand(args).kind)
      },
    ),
  )
})
