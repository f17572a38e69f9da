import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSystemClock } from '#primitives/system-clock.ts'
import { parseCommand, type RunCommand } from '../../src/server/cli/cli.ts'
import { helpText } from '../../src/server/cli/flags.ts'
import { runNode } from '../../src/server/run-node.ts'
import { foundryBinary } from './support/foundry.ts'
import { startAnvil } from './support/running-node.ts'

const binary = foundryBinary('anvil')

/** An option as anvil's own help has it. */
interface AnvilFlag {
  /** With its dashes; the long name first, then the letter and the other names. */
  readonly names: readonly string[]
  readonly takes: 'nothing' | 'maybe' | 'always'
}

function readHelp(text: string): readonly AnvilFlag[] {
  const flags: { names: string[]; takes: AnvilFlag['takes'] }[] = []
  for (const line of text.split('\n')) {
    const [, short, long, argument] = /^ {2,6}(?:(-\w), )?(--[\w-]+)(?:\.\.\.)?(?: (\S+))?$/u.exec(line) ?? []
    if (long !== undefined) {
      const takes = argument === undefined ? 'nothing' : argument.startsWith('[') ? 'maybe' : 'always'
      flags.push({ names: [long, ...(short === undefined ? [] : [short])], takes })
    }
    const [, aliases] = /^ +\[aliases: (.*)\]$/u.exec(line) ?? []
    if (aliases !== undefined) flags.at(-1)?.names.push(...aliases.split(', '))
  }
  return flags
}

const RUN = parseCommand([]) as RunCommand

/** What an option of anvil does here: `run` is what it changes in the command, and nothing where it is so already. */
type Meaning =
  | {
      readonly kind: 'honoured'
      readonly argument?: string
      readonly run: Partial<RunCommand>
      readonly beside?: readonly string[]
    }
  | { readonly kind: 'already so'; readonly argument?: string }
  | { readonly kind: 'refused'; readonly argument?: string }
  | { readonly kind: 'help' | 'version' }

const honoured = (run: Partial<RunCommand>, argument?: string): Meaning & { kind: 'honoured' } => ({
  kind: 'honoured',
  run,
  ...(argument !== undefined && { argument }),
})
const FORK = { url: 'http://127.0.0.1', headers: [], retries: 5, backoffMs: 1_000, timeoutMs: 45_000 } as const
const withFork = (fork: object, argument: string): Meaning => ({
  ...honoured({ fork: { ...FORK, ...fork } }, argument),
  beside: ['--fork-url', FORK.url],
})
const alreadySo = (argument?: string): Meaning => ({ kind: 'already so', ...(argument !== undefined && { argument }) })
const refused = (argument?: string): Meaning => ({ kind: 'refused', ...(argument !== undefined && { argument }) })

/** Every option of anvil. One that a new version brings is missing here, and fails the test until somebody decides. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  '--accounts': honoured({ accounts: { count: 3 } }, '3'),
  '--block-time': honoured({ options: { partialMs: 200, partialsPerBlock: 60 } }, '12'),
  '--balance': honoured({ accounts: { balance: 5n * 10n ** 18n } }, '5'),
  '--config-out': honoured({ configFile: 'c.json' }, 'c.json'),
  '--derivation-path': honoured({ accounts: { derivationPath: "m/44'/60'/1'/0" } }, "m/44'/60'/1'/0/"),
  '--dump-state': honoured({ dumpState: { name: 'f', as: '--dump-state' } }, 'f'),
  '--help': { kind: 'help' },
  '--hardfork': alreadySo('osaka'),
  '--init': honoured({ genesisFile: 'g.json' }, 'g.json'),
  '--ipc': honoured({ ipc: './c.ipc' }, './c.ipc'),
  '--threads': honoured({ threads: 2 }, '2'),
  '--load-state': honoured({ loadState: { name: 'f', as: '--load-state', mayBeMissing: false } }, 'f'),
  '--mnemonic': honoured({ accounts: { mnemonic: 'words' } }, 'words'),
  '--max-persisted-states': refused('1'),
  '--max-transactions': refused('1'),
  '--mixed-mining': {
    ...honoured({ automine: true, alsoEveryMs: 4_000, options: { partialMs: 200, partialsPerBlock: 20 } }),
    beside: ['--block-time', '4'],
  },
  '--mnemonic-random': honoured({ accounts: { randomWords: 24 } }, '24'),
  '--mnemonic-seed-unsafe': honoured({ accounts: { mnemonicSeed: 1n } }, '1'),
  '--no-mining': honoured({ noMining: true }),
  '--number': refused('1'),
  '--order': alreadySo('fees'),
  '--port': honoured({ port: 1 }, '1'),
  '--preserve-historical-states': alreadySo(),
  '--prune-history': alreadySo('1'),
  '--state-interval': {
    ...honoured({ dumpState: { name: 'f', as: '--dump-state', intervalMs: 60_000 } }, '60'),
    beside: ['--dump-state', 'f'],
  },
  '--slots-in-an-epoch': honoured({ options: { safeDistance: 2, finalizedDistance: 4 } }, '2'),
  '--state': honoured(
    { loadState: { name: 'f', as: '--state', mayBeMissing: true }, dumpState: { name: 'f', as: '--state' } },
    'f',
  ),
  '--timestamp': honoured({ timeFrom: 7, options: { genesisTimestamp: 7 } }, '7'),
  '--transaction-block-keeper': refused('1'),
  '--version': { kind: 'version' },
  '--color': alreadySo('never'),
  '--json': refused(),
  '--md': refused(),
  '--quiet': honoured({ quiet: true }),
  '--verbosity': alreadySo(),
  '--allow-origin': honoured({ allowOrigins: ['*'] }, '*'),
  '--cache-path': refused('c'),
  '--host': honoured({ hosts: ['127.0.0.1', '::1'] }, '127.0.0.1,::1'),
  '--no-cors': honoured({ cors: false }),
  '--no-request-size-limit': refused(),
  '--compute-units-per-second': refused('1'),
  '--fork-url': honoured({ fork: FORK }, FORK.url),
  '--fork-block-number': withFork({ blockNumber: 1 }, '1'),
  '--fork-chain-id': withFork({ chainId: 1 }, '1'),
  '--fork-header': withFork({ headers: [['a', 'b']] }, 'a: b'),
  '--fork-retry-backoff': withFork({ backoffMs: 1 }, '1'),
  '--fork-transaction-hash': refused('0x'),
  '--no-rate-limit': refused(),
  '--no-storage-caching': alreadySo(),
  '--retries': withFork({ retries: 1 }, '1'),
  '--timeout': withFork({ timeoutMs: 1 }, '1'),
  '--block-base-fee-per-gas': honoured({ options: { baseFee: 7 } }, '7'),
  '--chain-id': honoured({ options: { chainId: 7 } }, '7'),
  '--code-size-limit': honoured({ options: { codeSizeLimit: 7 } }, '7'),
  '--disable-block-gas-limit': honoured({ options: { gasLimit: 2 ** 40 } }),
  '--disable-code-size-limit': honoured({ options: { codeSizeLimit: 2 ** 24 } }),
  '--disable-min-priority-fee': honoured({ options: { suggestedTip: 0 } }),
  '--enable-tx-gas-limit': alreadySo(),
  '--gas-limit': honoured({ options: { gasLimit: 30_000_000 } }, '30000000'),
  '--gas-price': alreadySo('1'),
  '--auto-impersonate': honoured({ autoImpersonate: true }),
  '--disable-console-log': alreadySo(),
  '--disable-default-create2-deployer': honoured({
    options: { genesis: { '0x4e59b44847b379578588920ca78fbf26c0b4956c': { nonce: 0, code: '0x' } } },
  }),
  '--disable-pool-balance-checks': refused(),
  '--memory-limit': refused('1'),
  '--print-traces': refused(),
  '--steps-tracing': alreadySo(),
  '--celo': refused(),
  '--network': alreadySo('ethereum'),
}

describe.skipIf(binary === undefined)('of the options that the help of anvil has', () => {
  const flags = binary === undefined ? [] : readHelp(execFileSync(binary, ['--help'], { encoding: 'utf8' }))

  test('none is missed: each line with dashes is one, and each has a meaning here', () => {
    const help = execFileSync(binary as string, ['--help'], { encoding: 'utf8' })
    expect(flags).toHaveLength(help.match(/^ +(?:-\w, +)?--[a-z]/gmu)?.length ?? 0)
    expect(new Set(flags.map(({ names: [long] }) => long))).toEqual(new Set(Object.keys(MEANINGS)))
  })

  test.each(flags.flatMap(({ names, takes }) => names.map((name) => ({ name, of: names[0] as string, takes }))))(
    '$name is honoured, already so, or refused with a reason',
    ({ name, of, takes }) => {
      const meaning = MEANINGS[of]
      if (!meaning) throw new Error(`nobody has decided what ${of} means here`)
      const argument = 'argument' in meaning ? meaning.argument : undefined
      expect(argument === undefined ? 'nothing' : 'something').toBe(takes === 'nothing' ? 'nothing' : 'something')
      const beside = meaning.kind === 'honoured' ? (meaning.beside ?? []) : []
      const command = parseCommand([...beside, name, ...(argument === undefined ? [] : [argument])])
      switch (meaning.kind) {
        case 'help':
        case 'version':
          expect(command).toEqual({ kind: meaning.kind })
          return
        case 'honoured':
          expect(command).toEqual({ ...RUN, ...meaning.run })
          expect(command).not.toEqual(RUN)
          break
        case 'already so':
          expect(command).toEqual(RUN)
          break
        case 'refused':
          expect(command.kind).toBe('bad')
          expect(command).toHaveProperty('message', expect.stringMatching(/^\S+ is refused: .{15,}\.$/u))
          expect(command).toHaveProperty('message', expect.stringContaining(`${name} is refused`))
      }
      expect(helpText()).toMatch(new RegExp(`(?:^|[ ,])${of}(?:[ ;,]|$)`, 'mu'))
      if (takes === 'maybe') expect(parseCommand([name]).kind).toBe(meaning.kind === 'refused' ? 'bad' : 'run')
    },
  )
})

describe.skipIf(binary === undefined)('the accounts, their keys and the fees are those of anvil', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'blinknet-flags-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  test.each([
    [[]],
    [['-a', '3', '--balance', '5']],
    [['--derivation-path', "m/44'/60'/1'/0/", '-a', '2']],
    [['--derivation-path', "m/44'/60'/1'/0", '--accounts', '2']],
    [['-m', 'legal winner thank year wave sausage worth useful legal winner thank yellow', '-a', '12']],
    [['--mnemonic-seed-unsafe', '7', '-a', '1']],
    [['--mnemonic-seed-unsafe', '18446744073709551615', '--timestamp', '1000', '--base-fee', '7']],
  ])('%j', async (args) => {
    const [theirs, ours] = [path.join(folder, 'theirs.json'), path.join(folder, 'ours.json')]
    const anvil = await startAnvil(binary as string, [...args, '--config-out', theirs])
    const balance = await anvil.rpc('eth_getBalance', ((await anvil.rpc('eth_accounts')) as string[])[0], 'latest')
    await anvil.close()
    const command = parseCommand([...args, '--port', '0', '--no-mining', '--config-out', ours])
    if (command.kind !== 'run') throw new Error(JSON.stringify(command))
    const clock = createSystemClock(globalThis)
    const node = await runNode(command, { clock, log: () => {}, print: () => {} })
    const answer = await fetch(`http://127.0.0.1:${node.port}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'eth_getBalance',
        params: [(await configOf(ours)).available_accounts[0], 'latest'],
      }),
    })
    expect(await answer.json()).toMatchObject({ result: balance })
    await node.close()
    const [one, other] = [await configOf(ours), await configOf(theirs)]
    expect({ ...one, genesis_timestamp: '', gas_price: '', gas_limit: '' }).toEqual({
      ...other,
      genesis_timestamp: '',
      gas_price: '',
      gas_limit: '',
    })
    if (args.includes('--timestamp')) expect(one.genesis_timestamp).toBe(other.genesis_timestamp)
  })
})

interface Config {
  readonly available_accounts: readonly string[]
  readonly genesis_timestamp: string
}

async function configOf(file: string): Promise<Config> {
  return JSON.parse(await readFile(file, 'utf8')) as Config
}
