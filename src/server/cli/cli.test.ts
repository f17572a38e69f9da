// Longer than most files: the tables of all flags and of what contradicts what, which are read together.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { OPTION_RANGES } from '#rpc-types/option-ranges.ts'
import { NUMBERS } from '#rpc-types/option-tables.derived.ts'
import { parseCommand } from './cli.ts'
import { FLAG_GROUPS, type Flag, helpText } from './flags.ts'
import { FORK_DEFAULTS } from './fork-flags.ts'
import { OPTION_FLAGS } from './option-flags.derived.ts'

const RUN = {
  kind: 'run',
  hosts: ['127.0.0.1'],
  latest: 'sealed',
  cors: true,
  noMining: false,
  autoImpersonate: false,
  threads: 0,
  memoryBytes: 32 * 1024 * 1024,
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

test.each([
  ['--room', ['0.0.0.0'], {}],
  ['--room --room-url https://Room.example', ['0.0.0.0'], { url: 'https://room.example/' }],
  ['--room --host ::', ['::'], {}],
  ['--room --host 192.168.1.5', ['192.168.1.5'], {}],
  ['--room --host localhost,192.168.1.5', ['localhost', '192.168.1.5'], {}],
])('%s listens for guests where it is told, or on the network', (args, hosts, room) => {
  expect(parseCommand(args.split(' '))).toEqual({ ...RUN, hosts, room })
})

const EVERY_OPTION = [
  '--auto-impersonate --threads 2 --config-out c.json',
  '--no-ui --host ::1 --port=0 --latest preconfirmed --data chain --memory 3 --log warn --quiet',
  '--chain-id 1337 --seed 0 --gas-limit 30000000 --safe=3 --finalized 4 --allow-unprotected --allow-same-timestamp',
  '--allow-origin https://App.example/ --allow-origin * --allow-host Node.example --allow-host [::1]',
  '--code-size-limit 50000 --client-version anvil/v1 --allow-foreign-typed-data',
  `--coinbase 0x${'Cb'.repeat(20)}`,
  '--automine --throw-on-transaction-failures --partial-ms=50 --partials 4 --clock manual --speed 0.5 --tick-budget-ms 20',
  '--base-fee 9 --min-base-fee 0 --suggested-tip 2 --base-fee-denominator 8 --base-fee-elasticity 2',
  '--accounts 100 --balance 1.05 --mnemonic words --genesis g.json --genesis-timestamp 0',
].flatMap((line) => line.split(' '))

test('every option is understood, in both spellings', () => {
  expect(parseCommand(EVERY_OPTION)).toEqual({
    kind: 'run',
    hosts: ['::1'],
    port: 0,
    latest: 'preconfirmed',
    cors: true,
    noMining: false,
    autoImpersonate: true,
    threads: 2,
    configFile: 'c.json',
    allowOrigins: ['https://app.example', '*'],
    allowHosts: ['node.example', '[::1]'],
    data: 'chain',
    memoryBytes: 3 * 1024 * 1024,
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
      suggestedTip: 2,
      baseFeeDenominator: 8,
      baseFeeElasticity: 2,
      genesisTimestamp: 0,
      coinbase: `0x${'cb'.repeat(20)}`,
      tickBudgetMs: 20,
      safeDistance: 3,
      finalizedDistance: 4,
      allowUnprotected: true,
      allowSameTimestamp: true,
      allowForeignTypedData: true,
      throwOnTransactionFailures: true,
      codeSizeLimit: 50_000,
      clientVersion: 'anvil/v1',
    },
  })
})

test.each([
  ['--as anvil', true, {}],
  ['--as hardhat --base-fee 5', true, { baseFee: 5 }],
  ['--as anvil --no-mining', false, {}],
  ['--as anvil --clock manual', false, { mode: 'manual' }],
  ['--as anvil --block-time 2', false, { partialMs: 2_000, partialsPerBlock: 1 }],
  ['--as anvil --block-time 120', false, { partialMs: 60_000, partialsPerBlock: 2 }],
  ['--as anvil --block-time 2 --partial-ms 200', false, { partialMs: 200, partialsPerBlock: 10 }],
  ['--as blinknet', false, {}],
  // The rules of Osaka are what it gets.
  ['--as anvil --hardfork Prague', true, {}],
])('%s seals at once, or in whole blocks', (args, automine, options) => {
  const [, as] = args.split(' ')
  const noMining = args.includes('--no-mining')
  expect(parseCommand(args.split(' '))).toEqual({ ...RUN, automine, noMining, options: { as, ...options } })
})

test('without a limit on code, a contract may be as large as any', () => {
  expect(parseCommand(['--disable-code-size-limit'])).toEqual({ ...RUN, options: { codeSizeLimit: 2 ** 24 } })
})

test.each(NUMBERS)('the option %s has a flag, which takes its least and its greatest number', (option) => {
  const { name = '' } = OPTION_FLAGS.find((flag) => flag.option === option) ?? {}
  const { min, max, fractional } = OPTION_RANGES[option]
  for (const value of [fractional ? max / 2 : min, max]) {
    expect(parseCommand([`--${name}`, String(value)])).toHaveProperty('options', { [option]: value })
  }
})

test('the help names every flag on a line of its own, with all explanations in one column', () => {
  const lines = helpText().split('\n')
  const columns = new Set<number>()
  const flags = Object.values<Readonly<Record<string, Flag>>>(FLAG_GROUPS).flatMap((group) => Object.entries(group))
  for (const [name, { help }] of flags) {
    const line = lines.find((candidate) => candidate.replace(/^ +(?:-\w, )?/u, '').split(' ')[0] === `--${name}`)
    columns.add(line?.indexOf(help) ?? -1)
  }
  expect(columns.size).toBe(1)
  expect(columns).not.toContain(-1)
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(120)
})

test('a fork has the endpoint, with the block after its @, and what else is said of it', () => {
  const fork = { url: 'http://127.0.0.1:1/v2/k', headers: [], retries: 5, backoffMs: 1_000, timeoutMs: 45_000 }
  expect(parseCommand(['-f', fork.url])).toEqual({ ...RUN, fork })
  expect(parseCommand(['--rpc-url', `${fork.url}@7`])).toEqual({ ...RUN, fork: { ...fork, blockNumber: 7 } })
  expect(parseCommand(['-f', fork.url, '--fork-block-number', '-3'])).toEqual({
    ...RUN,
    fork: { ...fork, blockNumber: -3 },
  })
  const name = 'http://user@127.0.0.1:1/'
  expect(parseCommand(['-f', name])).toEqual({ ...RUN, fork: { ...fork, url: name } })
})

describe('the names of anvil', () => {
  test.each<[args: string, run: object]>([
    ['--no-priority-fee', { options: { suggestedTip: 0 } }],
    ['--ipc', { ipc: '/tmp/anvil.ipc' }],
    ['--ipc -q', { ipc: '/tmp/anvil.ipc', quiet: true }],
    ['--ipcpath ./node.ipc', { ipc: './node.ipc' }],
    ['-p 1 -a 2 -m words -q', { port: 1, quiet: true, accounts: { count: 2, mnemonic: 'words' } }],
    ['-p1 -a=2 --silent', { port: 1, quiet: true, accounts: { count: 2 } }],
    ['--host 127.0.0.1,::1', { hosts: ['127.0.0.1', '::1'] }],
    ['--host localhost --host 10.0.0.1', { hosts: ['localhost', '10.0.0.1'] }],
    ['--no-cors', { cors: false }],
    ['--jobs 3', { threads: 3 }],
    ['--block-time 12', { options: { partialMs: 200, partialsPerBlock: 60 } }],
    ['-b 1', { options: { partialMs: 200, partialsPerBlock: 5 } }],
    ['--blockTime 0.01', { options: { partialMs: 10, partialsPerBlock: 1 } }],
    ['--block-time 6000', { options: { partialMs: 60_000, partialsPerBlock: 100 } }],
    ['--block-time 1.5 --partials 3', { options: { partialMs: 500, partialsPerBlock: 3 } }],
    ['--block-time 1 --partial-ms 50', { options: { partialMs: 50, partialsPerBlock: 20 } }],
    ['--block-time 0.1 --partial-ms 50 --partials 2', { options: { partialMs: 50, partialsPerBlock: 2 } }],
    ['--no-mine', { noMining: true }],
    ['--auto-unlock', { autoImpersonate: true }],
    ['--slots-in-an-epoch 3', { options: { safeDistance: 3, finalizedDistance: 6 } }],
    ['--disable-block-gas-limit', { options: { gasLimit: 2 ** 40 } }],
    ['--block-base-fee-per-gas 7', { options: { baseFee: 7 } }],
    ['--timestamp 1000', { options: { genesisTimestamp: 1000 }, timeFrom: 1000 }],
    [
      '--fork-url http://a/ --timestamp 1000',
      { options: { forkTime: 1000 }, fork: { ...FORK_DEFAULTS, url: 'http://a/' } },
    ],
    [
      '--fork-url http://a/ --fork-time now',
      { options: { forkTime: 'now' }, fork: { ...FORK_DEFAULTS, url: 'http://a/' } },
    ],
    ['--timestamp 1800000000500', { options: { genesisTimestamp: 1_800_000_000 }, timeFrom: 1_800_000_000 }],
    ['--init g.json', { genesisFile: 'g.json' }],
    ['--entrypoint 0.7', { entryPoints: ['0.7'] }],
    ['--entrypoint 0.8,0.6 --entrypoint 0.8', { entryPoints: ['0.8', '0.6'] }],
    ['--load-state f', { loadState: { name: 'f', as: '--load-state', mayBeMissing: false } }],
    ['--dump-state f -s 5', { dumpState: { name: 'f', as: '--dump-state', intervalMs: 5_000 } }],
    [
      '--state f',
      { loadState: { name: 'f', as: '--state', mayBeMissing: true }, dumpState: { name: 'f', as: '--state' } },
    ],
    ['--mnemonic-random', { accounts: { randomWords: 12 } }],
    ['--mnemonic-random 24 -q', { accounts: { randomWords: 24 }, quiet: true }],
    ['--mnemonic-random -q', { accounts: { randomWords: 12 }, quiet: true }],
    ['--mnemonic-seed-unsafe 18446744073709551615', { accounts: { mnemonicSeed: 2n ** 64n - 1n } }],
    ["--derivation-path m/44'/60'/1'/0/", { accounts: { derivationPath: "m/44'/60'/1'/0" } }],
    [
      '--no-create2',
      { options: { genesis: { '0x4e59b44847b379578588920ca78fbf26c0b4956c': { nonce: 0, code: '0x' } } } },
    ],
  ])('%s', (args, run) => {
    expect(parseCommand(args.split(' '))).toEqual({ ...RUN, ...run })
  })

  test.each([
    '--hardfork osaka',
    '--hardfork Osaka',
    '--hardfork OSAKA',
    '--hardfork latest',
    '-n ethereum',
    '--order fees',
    '--enable-tx-gas-limit',
    '--gas-price 0',
    '--tracing',
    '--no-console-log',
    '--preserve-historical-states',
    '--prune-history',
    '--prune-history 10',
    '--color never',
    '-vvv --verbosity',
  ])('%s is so already, and changes nothing', (args) => {
    expect(parseCommand(args.split(' '))).toEqual(RUN)
  })

  test.each([
    ['--automine --block-time 1', '--automine and --block-time contradict each other: '],
    ['--room --flashblocks /ws', '--room and --flashblocks contradict each other: '],
    ['--automine --no-mine', '--automine and --no-mine contradict each other: '],
    ['-b 1 --no-mining', '-b and --no-mining contradict each other: '],
    ['--timestamp 1 --genesis-timestamp 1', '--timestamp and --genesis-timestamp contradict each other: '],
    [
      '--gas-limit 5000000 --disable-block-gas-limit',
      '--disable-block-gas-limit and --gas-limit contradict each other',
    ],
    ['--code-size-limit 5 --disable-code-size-limit', '--disable-code-size-limit and --code-size-limit contradict'],
    ['--safe 1 --slots-in-an-epoch 1', '--slots-in-an-epoch and --safe contradict each other: '],
    ['--finalized 1 --slots-in-an-epoch 1', '--slots-in-an-epoch and --finalized contradict each other: '],
    ['-m words --mnemonic-random', '--mnemonic-random and -m contradict each other: '],
    ['-m words --mnemonic-seed-unsafe 1', '--mnemonic-seed-unsafe and -m contradict each other: '],
    [
      '--mnemonic-random --mnemonic-seed-unsafe 1',
      '--mnemonic-seed-unsafe and --mnemonic-random contradict each other',
    ],
    [
      '--mnemonic-seed-unsafe 18446744073709551616',
      '--mnemonic-seed-unsafe takes a whole number below 2^64, not "18446744073709551616".',
    ],
    ['--data d --mnemonic-random', '--mnemonic-random and --data contradict each other: '],
    ['--entrypoint 0.5', '--entrypoint takes "0.6", "0.7", "0.8", or several, not "0.5".'],
    ['--entrypoint 0.7,', '--entrypoint takes "0.6", "0.7", "0.8", or several, not "0.7,".'],
    ['--state a --load-state b', '--state and --load-state contradict each other: '],
    ['--state a --dump-state b', '--state and --dump-state contradict each other: '],
    ['--state a --data b', '--state and --data contradict each other: '],
    ['--load-state a --data b', '--load-state and --data contradict each other: '],
    ['--state a --mnemonic-random', '--mnemonic-random and --state contradict each other: '],
    ['--state-interval 5', '--state-interval says how often the chain is written, and --state or --dump-state where.'],
    ['--state a -s 0', '-s takes a whole number from 1 to 86400, not "0".'],
    ['--state=', '--state takes the name of a file or a directory, not nothing.'],
    ['--room --no-ui', '--room and --no-ui contradict each other: guests need the page'],
    ['--room-url http://a.example', '--room-url says where guests reach the room, and --room opens it.'],
    [
      '--room --room-url http://a.example/x',
      '--room-url takes an address such as https://room.example/, without a path',
    ],
    ['--room --room-url javascript:1', '--room-url takes an address'],
    ['--room --room-url https://u:p@a.example', '--room-url takes an address'],
    ['--no-cors --allow-origin *', '--no-cors and --allow-origin contradict each other: '],
    ['--genesis a --init b', '--genesis and --init are the same option: give one of them.'],
    ['--block-time 1 --partials 3', '--block-time does not fit --partials: '],
    ['--block-time 1 --partial-ms 300', '--block-time does not fit --partial-ms: '],
    ['--block-time 1 --partial-ms 100 --partials 9', '--block-time does not fit --partial-ms × --partials: '],
    [
      '--block-time 0',
      '--block-time: a block of 0 ms cannot be divided into 1 to 100 partial blocks of 10 ms to 60 s each.',
    ],
    ['--block-time 60.013', '--block-time: a block of 60013 ms cannot be divided'],
    [
      '--block-time 1e3',
      '--block-time takes a number of seconds from 0.01 to 6000, with up to three decimals, not "1e3".',
    ],
    ['-b=x', '-b takes a number of seconds from 0.01 to 6000, with up to three decimals, not "x".'],
    ['--host 127.0.0.1,', '--host takes a host name or an address, not "127.0.0.1,".'],
    ['--hardfork prague', '--hardfork takes "osaka" or "latest", by whose rules every block runs, not "prague".'],
    ['--network optimism', '--network takes "ethereum", the only one, not "optimism".'],
    ['--order fifo', '--order takes "fees", the only one, not "fifo".'],
    ['--color always', '--color takes "auto" or "never": nothing is printed in colours, not "always".'],
    ['--mnemonic-random 13', '--mnemonic-random takes 12, 15, 18, 21 or 24, not "13".'],
    ['--derivation-path m/x', "--derivation-path takes a path such as m/44'/60'/0'/0/, not \"m/x\"."],
    ['--derivation-path m/2147483648', '--derivation-path takes a path'],
    ['--slots-in-an-epoch 500001', '--slots-in-an-epoch takes a whole number from 0 to 500000, not "500001".'],
    ['--fork-url=x', '--fork-url takes the address of a JSON-RPC endpoint, http: or https:, not "x".'],
    ['-f http://127.0.0.1:1 -f http://127.0.0.1:2', '--fork-url takes one endpoint'],
    ['--fork-url ws://127.0.0.1:1', '--fork-url takes the address of a JSON-RPC endpoint'],
    ['-f http://127.0.0.1:1@7 --fork-block-number 7', '--fork-url has a block after its @'],
    ['-f http://127.0.0.1:1 --fork-block-number 1.5', '--fork-block-number takes a whole number, not "1.5".'],
    ['-f http://127.0.0.1:1 --fork-header x', '--fork-header takes a header such as'],
    ['--fork-time now', '--fork-time is about a fork, and --fork-url says of which chain.'],
    ['-f http://a/ --fork-time soon', '--fork-time takes "block" or "now", not "soon".'],
    ['-f http://a/ --fork-time now --timestamp 5', '--fork-time and --timestamp contradict each other: '],
    ['--fork-block-number 7', '--fork-block-number is about a fork, and --fork-url says of which chain.'],
    ['--retries 7', '--retries is about a fork'],
    ['-f http://127.0.0.1:1 --genesis g', '-f and --genesis contradict each other'],
    ['--fork-transaction-hash 0x', '--fork-transaction-hash is refused: a fork begins after a whole block'],
    ['--mixed-mining', '--mixed-mining needs --block-time'],
    ['--mixed-mining --block-time 2 --automine', '--mixed-mining and --automine contradict each other'],
  ])('%s is refused with a sentence', (args, message) => {
    const command = parseCommand(args.split(' '))
    expect(command.kind).toBe('bad')
    expect(command).toHaveProperty('message', expect.stringContaining(message))
  })
})

test.each([
  ['0', 0n],
  ['10000', 10_000n * 10n ** 18n],
  ['0.000000000000000001', 1n],
  ['1000000000000', 10n ** 30n],
])('a balance of %s ETH is exact', (text, balance) => {
  expect(parseCommand(['--balance', text])).toEqual({ ...RUN, accounts: { balance } })
})

test('accounts are funded from the start: by commas, by spaces as in anvil, or by several flags', () => {
  const [one, two] = [`0x${'Aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`]
  const fundAccounts = { [one.toLowerCase()]: '1000000000000000000000', [two]: '500000000000000000' }
  const funded = { ...RUN, options: { fundAccounts } }
  expect(parseCommand(['--fund-accounts', `${one}:1000,${two}:0.5`])).toEqual(funded)
  expect(parseCommand([`--fund-accounts=${one}:1000, ${two}:0.5`])).toEqual(funded)
  expect(parseCommand(['--fund-accounts', `${one}:1000`, `${two}:0.5`])).toEqual(funded)
  expect(parseCommand(['--fund-accounts', `${one}:1000`, '--fund-accounts', `${two}:0.5`])).toEqual(funded)
  expect(parseCommand(['--fund-accounts', `${one}:1000`, `${two}:0.5`, '--port', '1'])).toEqual({ ...funded, port: 1 })
  expect(parseCommand(['--fork-url', 'http://a/', '--fund-accounts', `${two}:0.5`])).toMatchObject({
    options: { fundAccounts: { [two]: '500000000000000000' } },
  })
})

test('a damaged chain is rescued from one directory into another, and nothing else is done', () => {
  expect(parseCommand(['--data', 'd', '--rescue', 'n'])).toEqual({ kind: 'rescue', data: 'd', into: 'n' })
  for (const [args, message] of [
    ['--rescue n', '--rescue names the directory to save into; name the damaged one with --data.'],
    ['--data d --rescue=', '--rescue takes the name of a directory, not nothing.'],
    ['--data d --rescue n --port 1', '--port does not go with --rescue: '],
    ['open f --rescue n', '--rescue does not go with open'],
  ] as const) {
    const parsed = parseCommand(args.split(' '))
    expect('message' in parsed && parsed.message).toContain(message)
  }
})

test('help and version come before everything else', () => {
  expect(parseCommand(['--port', 'x', '--help'])).toEqual({ kind: 'help' })
  expect(parseCommand(['help'])).toEqual({ kind: 'help' })
  expect(parseCommand(['--version'])).toEqual({ kind: 'version' })
})

test.each([
  [['--port', '65536'], '--port takes a whole number from 0 to 65535, not "65536".'],
  [['--port', '-1'], '--port takes a whole number from 0 to 65535, not "-1".'],
  [['-a', '-1'], '-a takes a whole number from 1 to 100, not "-1".'],
  [['--number', '-1'], '--number is refused: every chain begins with block 0.'],
  [['--quiet', '-1'], "Unknown option '-1'"],
  [['completions', 'bash'], 'completions is refused'],
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
  [['--gas-limit', '1'], '--gas-limit takes a whole number from 5000 to 1099511627776, not "1".'],
  [['--coinbase', '0x42'], '--coinbase takes an address, 0x and 40 hex digits, not "0x42".'],
  [['--accounts', '0'], '--accounts takes a whole number from 1 to 100, not "0".'],
  [['--accounts', '101'], '--accounts takes a whole number from 1 to 100, not "101".'],
  [['--balance', '1e3'], '--balance takes an amount of ETH up to 1000000000000, not "1e3".'],
  [['--balance', '0.0000000000000000001'], '--balance takes an amount of ETH'],
  [['--balance', '1000000000000.1'], '--balance takes an amount of ETH'],
  [['--fund-accounts'], "Option '--fund-accounts <value>' argument missing"],
  [['--fund-accounts', '0x42:1'], '--fund-accounts takes accounts with an amount of ETH up to 1000000000000 each'],
  [['--fund-accounts', `0x${'aa'.repeat(20)}`], '--fund-accounts takes accounts with an amount of ETH'],
  [['--fund-accounts', `0x${'aa'.repeat(20)}:1:2`], '--fund-accounts takes accounts with an amount of ETH'],
  [['--fund-accounts', `0x${'aa'.repeat(20)}:-1`], '--fund-accounts takes accounts with an amount of ETH'],
  [
    ['--fund-accounts', `0x${'aa'.repeat(20)}:1`, `0x${'AA'.repeat(20)}:2`],
    `--fund-accounts: 0x${'aa'.repeat(20)} is there twice.`,
  ],
  [['--mnemonic='], '--mnemonic takes the words of a mnemonic, not nothing.'],
  [['--data='], '--data takes the name of a directory, not nothing.'],
  [['--genesis='], '--genesis takes the name of a file, not nothing.'],
  [['--genesis-timestamp', '4294967296'], '--genesis-timestamp takes a whole number from 0 to 4294967295, not'],
  [['--latest', 'pending'], '--latest takes "sealed" or "preconfirmed", not "pending".'],
  [['--log', 'debug'], '--log takes "error", "warn" or "info", not "debug".'],
  [['--prot', '1'], "Unknown option '--prot': did you mean --port?"],
  [['--private-key', '1'], "Unknown option '--private-key'"],
  [['8545'], "Unexpected argument '8545'. Options begin with dashes, and a command (open, record,"],
  [['opne', 'a.blinknet'], "Unexpected argument 'opne': did you mean open?"],
  [['fork-url', 'http://127.0.0.1'], "Unexpected argument 'fork-url': did you mean --fork-url?"],
  [['--seed'], "Option '--seed <value>' argument missing"],
])('%j is refused with a sentence', (args, message) => {
  const command = parseCommand(args)
  expect(command.kind).toBe('bad')
  expect(command).toHaveProperty('message', expect.stringContaining(message))
})

test('no command line makes the parser throw', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.string(),
          fc.constantFrom('--seed', '--balance', '--log', '--coinbase', '--fund-accounts', '1', '0x'),
        ),
      ),
      (args) => {
        expect(['run', 'help', 'version', 'bad']).toContain(parseCommand(args).kind)
      },
    ),
  )
})

describe('the commands about a file', () => {
  const said = (...args: readonly string[]) => {
    const command = parseCommand(args)
    return command.kind === 'bad' ? command.message : command.kind
  }

  test('record, check and update take an endpoint, with the flags about it', () => {
    expect(
      parseCommand(['record', 'a.fork', '--fork-url', 'http://a/@5', '--retries', '1', '--', 'npx', 'x', '--', '-y']),
    ).toMatchObject({
      kind: 'record',
      file: 'a.fork',
      fork: { url: 'http://a/', blockNumber: 5, retries: 1 },
      command: ['npx', 'x', '--', '-y'],
    })
    expect(parseCommand(['record', 'a.fork', '--', 'x'])).toEqual({ kind: 'record', file: 'a.fork', command: ['x'] })
    expect(parseCommand(['check', 'a.fork', '-f', 'http://a/'])).toMatchObject({ kind: 'check', file: 'a.fork' })
    expect(parseCommand(['update', 'a.fork', '-f', 'http://a/', '--fork-block', '7'])).toMatchObject({
      kind: 'update',
      fork: { blockNumber: 7 },
    })
  })

  test('prepare takes the options of a chain, which seals at once, on a free port', () => {
    expect(parseCommand(['prepare', 'a.blinknet', '--chain-id', '10', '--', 'forge', 'script'])).toMatchObject({
      kind: 'prepare',
      file: 'a.blinknet',
      command: ['forge', 'script'],
      run: { port: 0, automine: true, quiet: true, options: { chainId: 10 } },
    })
    expect(parseCommand(['prepare', 'a.blinknet', '--port', '46101', '--', 'x'])).toMatchObject({
      run: { port: 46_101 },
    })
  })

  test('say how they are written', () => {
    expect(said('record')).toMatch(/^record takes the name of a file: blinknet record FILE/)
    expect(said('record', 'a.fork')).toMatch(/^record runs a command, which comes after --/)
    expect(said('record', 'a.fork', '--', '')).toBe('record')
    expect(said('prepare', '--', 'x')).toMatch(/^prepare takes the name of a file/)
    expect(said('check', 'a.fork')).toMatch(/^check asks an endpoint: blinknet check FILE --fork-url URL/)
    expect(said('check', 'a.fork', '--fork-url', 'http://a/', '--', 'x')).toMatch(/^check runs no command/)
    expect(said('update', 'a.fork', '--fork-url', 'http://a/', '--port', '1')).toMatch(
      /^--port does not go with update/,
    )
    expect(said('prepare', 'a', '--data', 'x', '--', 'y')).toBe(
      '--data does not go with prepare: the chain is written to the file.',
    )
    expect(said('prepare', 'a', '--fork', 'x', '--fork-url', 'http://a/', '--', 'y')).toMatch(/contradict each other/)
    expect(said('record', 'a.fork', '--fork-url', 'http://a/', '--fork-time', 'now', '--', 'y')).toMatch(
      /^--fork-time does not go with record/,
    )
    expect(said('check', '--help')).toBe('help')
  })

  test('--fork takes a fork file, and no address', () => {
    expect(parseCommand(['--fork', 'tests.fork'])).toMatchObject({ kind: 'run', forkFile: 'tests.fork' })
    expect(said('--fork', 'https://rpc.example')).toMatch(
      /^--fork takes the name of a fork file; an endpoint is --fork-url/,
    )
    expect(said('--fork', 'tests.fork', '--fork-url', 'http://a/')).toMatch(/contradict each other/)
    expect(said('--fork', 'tests.fork', '--fork-block-number', '5')).toMatch(/--fork-url says of which chain/)
    expect(parseCommand(['--fork', 'tests.fork', '--fork-time', 'now'])).toMatchObject({ options: { forkTime: 'now' } })
    expect(parseCommand(['--fork', 'tests.fork', '--timestamp', '2000000000'])).toMatchObject({
      options: { forkTime: 2_000_000_000 },
    })
  })
})

test.each(['ws', '/', '/ws/', '/a b', '/ws?brotli', '/../ws', '//ws', 'ws://localhost/ws', `/${'a'.repeat(65)}`])(
  '--flashblocks %s is refused: it is no path',
  (path) => {
    const message = `--flashblocks takes a path such as /ws, not "${path}".`
    expect(parseCommand(['--flashblocks', path])).toEqual({ kind: 'bad', message })
  },
)

test('--flashblocks takes a path of several parts', () => {
  expect(parseCommand(['--flashblocks', '/flash/ws.v1'])).toEqual({ ...RUN, flashblocks: '/flash/ws.v1' })
})
