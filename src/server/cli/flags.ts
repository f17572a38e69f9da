import { LATEST_READINGS } from '#rpc-types/connection.ts'
import { type NumberKind, number, type WordKind, withDefault, wordOf } from '#rpc-types/option.ts'
import { FORK_RANGES } from './fork-ranges.ts'
import { OPTION_FLAGS, type OptionFlagName } from './option-flags.derived.ts'
import { REFUSED_FLAGS } from './refused-flags.ts'
import { SUBCOMMANDS_HELP } from './subcommand-help.ts'

/** One option of the command line. */
export interface Flag {
  /** The flag's argument, for `--help`; `undefined` if it has none. */
  readonly takes?: string
  /** Whether its argument may be left out. */
  readonly optional?: true
  /** Whether it may be given more than once. */
  readonly repeatable?: true
  /** Whether several arguments may follow it; they are joined with commas. */
  readonly several?: true
  /** Name in one letter. */
  readonly short?: string
  /** Aliases. */
  readonly also?: readonly string[]
  /** The flag's effect, for `--help`. The default follows if it has a kind. */
  readonly help: string
  /** What its argument may be, and its default. */
  readonly kind?: NumberKind | WordKind
  /** Whether `open` takes it, too: a film has the options and the time of its file. */
  readonly inFilm?: true
  /** What documents say beyond that, in Markdown. */
  readonly details?: string
}

/** The flags that set no option of a chain, as `--help` groups them. */
const OTHER_FLAGS = {
  Server: {
    host: {
      takes: 'HOST',
      repeatable: true,
      help: 'address to listen on, or several, as 127.0.0.1,::1 (default 127.0.0.1)',
      inFilm: true,
    },
    port: {
      takes: 'PORT',
      short: 'p',
      kind: number({ min: 0, max: 65_535, default: 8545 }),
      help: 'port of HTTP and WebSocket; 0 takes a free one',
      inFilm: true,
    },
    'allow-origin': {
      takes: 'ORIGIN',
      repeatable: true,
      help: 'origin whose pages may call, * for all; repeatable (default: localhost)',
      inFilm: true,
      details: 'An origin is `https://app.example`',
    },
    'no-cors': { help: 'pages of no other origin may call, not even those on localhost', inFilm: true },
    'allow-host': {
      takes: 'HOST',
      repeatable: true,
      help: 'another name of this server; repeatable (default: local ones)',
      inFilm: true,
    },
    latest: {
      takes: 'READING',
      kind: wordOf(LATEST_READINGS),
      help: 'state that "latest" names, sealed or preconfirmed',
      inFilm: true,
      details: 'An address may say otherwise: [two readings](#two-readings-of-latest)',
    },
    flashblocks: {
      takes: 'PATH',
      help: "Base's Flashblocks stream, a raw WebSocket at this path, such as /ws",
      details: '[What it sends](#the-flashblocks-stream---flashblocks)',
    },
    ipc: {
      takes: 'PATH',
      optional: true,
      also: ['ipcpath'],
      help: 'listen at a Unix socket as well (default /tmp/anvil.ipc)',
      details: 'Only its owner can open it',
    },
    room: {
      help: 'a QR code for an audience on this network, who may read and send',
      details: "The next port is the speaker's: [the room](#a-room-that-takes-part---room)",
    },
    'room-url': { takes: 'URL', help: 'where guests reach the room, if not by an address of this machine' },
    'no-ui': { help: 'no page at this address, JSON-RPC only', inFilm: true },
    threads: {
      takes: 'N',
      short: 'j',
      also: ['jobs'],
      kind: number({ min: 0, max: 1024, default: 0 }),
      help: 'threads in all; 0: as many as the machine has cores',
      inFilm: true,
      details: "The node's own thread counts",
    },
    'js-tracers': {
      help: 'run tracers in JavaScript (debug_traceCall), which bundlers such as alto send',
      details:
        'In a sandbox of 32 MiB without access to anything but the trace, on the reference engine; a slow script holds up the chain, so it is off by default',
      inFilm: true,
    },
    artifacts: {
      takes: 'DIR',
      help: 'your project’s out/ or artifacts/: errors then say where in the sources',
      details: 'So does the log. Files that change are read again',
    },
    'config-out': {
      takes: 'FILE',
      help: 'where to write accounts, keys and fees as JSON',
      details: "The format is anvil's",
    },
    log: {
      takes: 'LEVEL',
      help: 'how much to log: error, warn or info (default info)',
      inFilm: true,
      details: 'Errors go to standard error, everything else to standard output, as with anvil',
    },
    quiet: { short: 'q', also: ['silent'], help: 'print nothing but errors, not even the accounts', inFilm: true },
    help: { short: 'h', help: 'print this text' },
    version: { short: 'V', help: 'print the version' },
  },
  'Several chains in one server': {
    chains: {
      takes: 'LIST',
      repeatable: true,
      help: 'each at its path: 1,base=8453, NAME=URL for a fork, or a .json file',
      details: 'The other options are for all of them: [several chains](#several-chains---chains)',
    },
    pool: {
      help: 'a new chain at each /pool/NAME that is called, for tests side by side',
      details: 'In memory, with the options of the server: [chains on demand](#chains-on-demand---pool)',
    },
    'pool-size': {
      takes: 'N',
      kind: number({ min: 1, max: 1_000, default: 100 }),
      help: 'how many of them there may be',
    },
    'pool-idle': {
      takes: 'SECONDS',
      kind: number({ min: 1, max: 86_400, default: 600 }),
      help: 'time without use after which one is gone',
      details: 'One with an open WebSocket is in use',
    },
  },
  'Where the chain is kept (default: in memory only)': {
    data: { takes: 'DIR', help: 'where the chain lives, and goes on when it is there' },
    memory: {
      takes: 'MB',
      kind: number({ min: 0, max: 65_536, default: 32 }),
      help: 'memory for blocks of --data; older ones are read from there',
      details: 'What that means: [what stays in memory](storage.md#what-stays-in-memory)',
    },
    rescue: {
      takes: 'NEWDIR',
      help: 'save what is intact of a damaged --data there, list what is missing, and end',
      details: 'What counts as intact: [a damaged chain](storage.md#a-damaged-chain)',
    },
    state: {
      takes: 'FILE',
      help: 'load the chain of this file if it is there, and write it there at the end',
      details: 'The same as `--load-state` and `--dump-state` of that file',
    },
    'load-state': { takes: 'FILE', help: "begin with the chain of a file, or with the accounts of anvil's JSON" },
    'dump-state': {
      takes: 'FILE',
      help: 'write the chain there at the end, as a chain file',
      details: 'Ctrl-C and SIGTERM are such an end, too',
    },
    'state-interval': { takes: 'SECONDS', short: 's', help: 'write it this often as well' },
  },
  'Fork: continue a real chain, fetched and proven, in memory': {
    'fork-url': {
      takes: 'URL',
      short: 'f',
      also: ['rpc-url'],
      help: 'an endpoint that has eth_getProof, or URL@BLOCK',
      details: 'What is fetched, and how it is proven: [a fork](#a-fork)',
    },
    fork: {
      takes: 'FILE',
      help: 'a fork file of blinknet record, in the place of an endpoint',
      details: 'What is in it, and how it is made: [a fork as a file](testing.md#a-fork-as-a-file)',
    },
    'fork-block-number': {
      takes: 'N',
      also: ['fork-block'],
      help: 'after this block; below 0: before the newest, the default',
    },
    'fork-chain-id': { takes: 'N', help: 'the chain id that the endpoint has to have' },
    'fork-header': { takes: 'HEADER', repeatable: true, help: 'HTTP header for the endpoint, as "Name: value"' },
    'fork-retry-backoff': {
      takes: 'MS',
      kind: FORK_RANGES.backoffMs,
      help: 'time before the first retry; it doubles from one to the next',
      details: 'An endpoint may ask for another time. A wait of five seconds or more is logged, once a minute',
    },
    retries: { takes: 'N', kind: FORK_RANGES.retries, help: 'how often a request that failed is sent again' },
    timeout: { takes: 'MS', kind: FORK_RANGES.timeoutMs, help: 'how long a request may take' },
  },
  Chain: {
    'disable-block-gas-limit': { help: 'the highest gas limit there is, 1099511627776' },
    'slots-in-an-epoch': { takes: 'N', help: 'the same as --safe N --finalized 2N' },
    'auto-impersonate': { also: ['auto-unlock'], help: 'anyone may send for any account, without its key' },
    'disable-code-size-limit': { help: 'contracts of any size that a transaction can have' },
  },
  Time: {
    'block-time': {
      takes: 'SECONDS',
      short: 'b',
      also: ['blockTime'],
      help: 'a block this often, in partials of about 200 ms (default 2)',
      details:
        'It may be `12` or `0.5`: partial blocks get as close to 200 ms as whole numbers allow. With `--partial-ms` or `--partials` the other one follows; where none fits, the command is refused',
    },
    automine: {
      help: 'seal each transaction at once, in a block of its own',
      details: 'Only then is its send answered, as in Hardhat and anvil; `devnet_resume` goes back to the clock',
    },
    'mixed-mining': {
      help: 'automine, and a block every --block-time as well',
      details: 'Nothing is pre-confirmed',
    },
    'no-mining': {
      also: ['no-mine'],
      help: 'only evm_mine, devnet_tick and the like seal',
      details:
        'The chain starts paused, and its time moves with these calls. `pending` is the block that `evm_mine` would seal now of what waits in the pool, which can still be replaced, dropped and reordered; so it is after `evm_setAutomine(false)`. After `devnet_pause`, `pending` has only what a `devnet_tick` has pre-confirmed',
    },
  },
  Fees: {
    'disable-min-priority-fee': { also: ['no-priority-fee'], help: 'the same as --suggested-tip 0' },
  },
  'Accounts and block 0': {
    accounts: {
      takes: 'N',
      short: 'a',
      kind: number({ min: 1, max: 100, default: 10 }),
      help: 'development accounts, 1 to 100',
    },
    balance: { takes: 'ETH', help: 'what each of them has (default 10000)' },
    mnemonic: {
      takes: 'WORDS',
      short: 'm',
      help: 'where they come from (default: test … junk, which everyone knows)',
    },
    'mnemonic-random': {
      takes: 'N',
      optional: true,
      help: 'from a new mnemonic of N words (default 12), which is printed',
      details: 'The keys are printed, too',
    },
    'mnemonic-seed-unsafe': {
      takes: 'N',
      help: 'from the mnemonic of a number, which anyone can guess',
      details: 'It is the one that anvil makes, and is printed with its keys',
    },
    'derivation-path': { takes: 'PATH', help: "path of their keys without the last number (default m/44'/60'/0'/0/)" },
    genesis: { takes: 'FILE', also: ['init'], help: "geth's genesis.json, or only its alloc: accounts of block 0" },
    timestamp: {
      takes: 'SECONDS',
      help: "block 0's timestamp; time goes on from there, also a fork's or in the past",
      details: "A stored or loaded chain's time goes on from the present",
    },
    entrypoint: {
      takes: 'VERSION',
      repeatable: true,
      help: 'the EntryPoint 0.6, 0.7 or 0.8, or several, where it is on every chain',
      details:
        'From `@account-abstraction/contracts` in your project; a chain that has it keeps it: [smart accounts](testing.md#smart-accounts-and-bundlers)',
    },
    'disable-default-create2-deployer': {
      also: ['no-create2'],
      help: 'nothing at 0x4e59b448…, CREATE2’s deployer',
    },
  },
  "anvil's, already so here": {
    hardfork: { takes: 'NAME', help: 'osaka or latest, the only ones' },
    network: { takes: 'NAME', short: 'n', help: 'ethereum, the only one' },
    order: { takes: 'ORDER', help: 'fees, the only one' },
    'enable-tx-gas-limit': { also: ['tx-gas-limit'], help: 'a transaction has at most 16777216 gas (EIP-7825)' },
    'no-storage-caching': { help: 'nothing that a fork fetches is written to disk' },
    'preserve-historical-states': { help: 'a chain file has the states of the newest 256 blocks' },
    'gas-price': { takes: 'WEI', help: 'changes nothing, as in anvil: eth_gasPrice follows the base fee' },
    'steps-tracing': { also: ['tracing'], help: 'debug_trace* always has the steps' },
    'disable-console-log': { also: ['no-console-log'], help: "contracts' console.log is never printed" },
    'prune-history': { takes: 'N', optional: true, help: 'the states of the newest 256 blocks are kept, no others' },
    color: { takes: 'WHEN', help: 'auto or never: nothing is printed in colours' },
    verbosity: { short: 'v', repeatable: true, help: 'the log says all that it can, at --log info' },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Flag>>>>

type Groups = typeof OTHER_FLAGS
type OtherFlagName = { [Group in keyof Groups]: keyof Groups[Group] }[keyof Groups]
/** The flags of the server that have a number. */
export type NumberFlagName = {
  [Group in keyof Groups]: {
    [Name in keyof Groups[Group]]: Groups[Group][Name] extends { readonly kind: NumberKind } ? Name : never
  }[keyof Groups[Group]]
}[keyof Groups]
/** Name of an option of the command line, without its dashes. */
export type FlagName = OptionFlagName | OtherFlagName

/** Every option of the command line, as `--help` groups them. */
export const FLAG_GROUPS: Readonly<Record<string, Readonly<Record<string, Flag>>>> = Object.fromEntries(
  Object.entries(OTHER_FLAGS).map(([group, others]) => [
    group,
    {
      ...Object.fromEntries(OPTION_FLAGS.filter((flag) => flag.group === group).map((flag) => [flag.name, flag])),
      ...others,
    },
  ]),
)

/** Every option of the command line. */
export const FLAGS = Object.assign({}, ...Object.values(FLAG_GROUPS)) as Readonly<Record<FlagName, Flag>>

/** Longest line of the text of `--help`. */
const LINE_LENGTH = 119

/** The text of `--help`. */
export function helpText(): string {
  const groups = Object.entries(FLAG_GROUPS).map(
    ([title, flags]) =>
      [title, Object.entries(flags).map(([name, flag]) => [spell(name, flag), explain(flag)] as const)] as const,
  )
  const width = Math.max(...groups.flatMap(([, lines]) => lines.map(([flag]) => flag.length)))
  const sections = groups.map(([title, lines]) =>
    [`${title}:`, ...lines.map(([flag, help]) => `  ${flag.padEnd(width)}  ${help}`)].join('\n'),
  )
  const refused = Object.keys(REFUSED_FLAGS).map((name) => `--${name}`)
  return [
    'Blinknet: an Ethereum-style layer-2 devnet that pre-confirms every transaction in 200 ms.',
    'Usage: blinknet [options]',
    [
      '       blinknet open FILE [options]',
      'shows the chain file of a failed test, or any other, as a film: read-only, on a free port, with a slider over all',
      'partial blocks. The options are those of the server, and --engine.',
      '       blinknet open FILE --html [OUT]',
      'writes the same as one HTML file, beside it or to OUT, which any browser opens from a disk, without a network.',
    ].join('\n'),
    SUBCOMMANDS_HELP,
    ...sections,
    ['Refused, each with its reason:', ...wrap(refused)].join('\n'),
  ].join('\n\n')
}

function spell(name: string, { short, takes, optional, several }: Flag): string {
  const names = short === undefined ? `    --${name}` : `-${short}, --${name}`
  if (takes === undefined) return names
  if (several) return `${names} ${takes}…`
  return optional ? `${names} [${takes}]` : `${names} ${takes}`
}

function explain({ help, kind, also = [] }: Flag): string {
  return [withDefault(help, kind), ...also.map((name) => `also --${name}`)].join('; ')
}

function wrap(words: readonly string[]): readonly string[] {
  const lines: string[] = []
  let line = ' '
  for (const word of words) {
    if (line.length + 1 + word.length > LINE_LENGTH) {
      lines.push(line)
      line = ' '
    }
    line += ` ${word}`
  }
  return [...lines, line]
}
