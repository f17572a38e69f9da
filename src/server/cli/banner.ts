import type { ChainSpec } from '#node/spec/chain-spec.ts'
import { createSpec } from '#node/spec/create-spec.ts'
import type { JournalError } from '#node/storage/journal.ts'
import { bytesToHex } from '#primitives/hex.ts'
import { DEV_MNEMONIC } from '#rpc-types/dev-keys.ts'
import { VERSION } from '#rpc-types/version.ts'
import type { RunCommand } from './cli.ts'
import type { ResolvedOptions } from './resolve-options.ts'

const WEI_DIGITS = 18
/** Funded accounts that are printed. */
const MAX_FUNDED_LINES = 10

/** What blocks that come more often than once a second do to a chain's time. */
export const RUNS_AHEAD =
  'Each block is at least one second later than the one before, so timestamps run ahead of the clock; --allow-same-timestamp lets blocks share a second.'

/** Where a chain is served, and whether browsers get the page there. */
export interface ServedAt extends Pick<RunCommand, 'hosts' | 'port'> {
  readonly page: boolean
}

/** What the banner has from the command line. */
export type BannerCommand = ServedAt &
  Pick<RunCommand, 'latest' | 'automine' | 'ipc' | 'alsoEveryMs' | 'pool' | 'flashblocks'> & { noMining?: boolean }

/** The server's first lines once it listens: where, which chain, and the accounts to use. */
export function banner(command: BannerCommand, described: ResolvedOptions): string {
  const spec = createSpec(described.options)
  return [
    `Blinknet ${VERSION}`,
    '',
    ...accountLines(described, spec),
    '',
    ...described.notes,
    `Chain id ${spec.chainId}; ${timeInWords(command, described, spec)}.`,
    ...(runsAhead(command, spec) ? [RUNS_AHEAD] : []),
    ...addressLines(command),
  ].join('\n')
}

/** The development accounts of a chain, with their keys and their mnemonic where the user does not have them already. */
export function accountLines(
  { ownMnemonic, newMnemonic }: ResolvedOptions,
  { accounts, alloc, funded }: ChainSpec,
): readonly string[] {
  const hidden = ownMnemonic && newMnemonic === undefined
  const list = accounts.flatMap(({ address, balance, privateKey }, index) => [
    `(${index}) ${address}  ${formatEth(alloc[address]?.balance ?? balance)} ETH`,
    ...(privateKey === undefined || hidden ? [] : [`    key ${bytesToHex(privateKey)}`]),
  ])
  return [
    newMnemonic !== undefined
      ? 'Test accounts made for this run, and their keys: never send anything of value to them.'
      : ownMnemonic
        ? 'These accounts are from your mnemonic. Whoever reaches this node can have it sign with their keys: use a mnemonic that holds nothing of value anywhere.'
        : 'Public test accounts. Everyone knows these keys: never send anything of value to them.',
    ...list,
    ...(hidden ? [] : [`Mnemonic: ${newMnemonic ?? DEV_MNEMONIC}`]),
    ...fundedLines(funded),
  ]
}

/** Accounts that have ether besides, whose keys the node does not have. */
function fundedLines(funded: ChainSpec['funded']): readonly string[] {
  const all = Object.entries(funded)
  const rest = all.length - MAX_FUNDED_LINES
  return all.length === 0
    ? []
    : [
        'Funded as well:',
        ...all.slice(0, MAX_FUNDED_LINES).map(([address, wei]) => `    ${address}  ${formatEth(wei)} ETH`),
        ...(rest > 0 ? [`    and ${rest} more`] : []),
      ]
}

/** How a chain's blocks come. */
export function timeInWords(
  { automine, noMining = false, alsoEveryMs }: Pick<BannerCommand, 'automine' | 'noMining' | 'alsoEveryMs'>,
  { options }: ResolvedOptions,
  { mode, partialMs, partialsPerBlock }: ChainSpec,
): string {
  if (automine) {
    return `automine: each transaction is sealed at once${alsoEveryMs === undefined ? '' : `, and a block every ${alsoEveryMs} ms`}`
  }
  if (noMining) return 'no mining: the chain waits for evm_mine or devnet_tick'
  if (mode === 'manual') return 'manual clock: the chain waits for devnet_tick'
  const speed = options.speed === undefined || options.speed === 1 ? '' : `, at speed ${options.speed}`
  return `a partial block every ${partialMs} ms, sealed every ${partialMs * partialsPerBlock} ms${speed}`
}

/** Whether blocks come more often than once a second, and the timestamps follow them. */
export function runsAhead(
  { automine, noMining = false, alsoEveryMs }: Pick<BannerCommand, 'automine' | 'noMining' | 'alsoEveryMs'>,
  { allowSameTimestamp, mode, partialMs, partialsPerBlock }: ChainSpec,
): boolean {
  const everyMs = automine ? alsoEveryMs : noMining || mode === 'manual' ? undefined : partialMs * partialsPerBlock
  return everyMs !== undefined && everyMs < 1000 && !allowSameTimestamp
}

/** The host of the first address, as browsers take it. */
export function shownHost({ hosts }: Pick<ServedAt, 'hosts'>): string {
  const [first = ''] = hosts
  // Not every browser accepts 0.0.0.0 or ::, which stand for all addresses of this machine.
  return first === '0.0.0.0' || first === '::' ? '127.0.0.1' : first
}

/** Where it listens, and at which addresses to call it. */
export function addressLines(command: BannerCommand): readonly string[] {
  const { hosts, port, latest, page, ipc, pool, flashblocks, automine } = command
  const at = authority(shownHost(command), port)
  const url = `http://${at}`
  return [
    ...hosts.map((each) => `Listening on http://${authority(each, port)} and ws://${authority(each, port)}`),
    ...(ipc === undefined ? [] : [`Listening at the socket ${ipc}`]),
    ...(flashblocks === undefined ? [] : [`Flashblocks: ws://${at}${flashblocks}`]),
    ...(pool
      ? [
          `A new chain for each NAME: ${url}/pool/NAME (up to ${pool.size}, gone after ${pool.idleSeconds} s without use)`,
        ]
      : []),
    ...(page ? [`Watch it live in a browser: ${url}`] : []),
    ...(latest === 'preconfirmed'
      ? [`State at "latest" is that of the live block; that of the newest sealed block: ${url}/?latest=sealed`]
      : // With automine "latest" has what a receipt tells of.
        automine
        ? []
        : [`For tools that read state at "latest" (cast, forge, web3.js): ${url}/?latest=preconfirmed`]),
  ]
}

/** ETH with commas between the thousands and as many decimals as there are. */
function formatEth(wei: bigint): string {
  const unit = 10n ** BigInt(WEI_DIGITS)
  const decimals = String(wei % unit)
    .padStart(WEI_DIGITS, '0')
    .replace(/0+$/, '')
  // Not by `toLocaleString`, whose first call loads the tables of languages: 10 ms of the start and more.
  const whole = String(wei / unit).replace(/\B(?=(\d{3})+$)/g, ',')
  return `${whole}${decimals === '' ? '' : `.${decimals}`}`
}

/** Why the directory of `--data` cannot be used, and what to do. */
export function explainJournalError({ code, message }: JournalError, directory: string): string {
  const why = message.endsWith('.') ? message : `${message}.`
  switch (code) {
    case 'quota':
      return `${why} Make room, or choose another directory with --data.`
    case 'corrupt':
      return `${why} To save what is intact into a new directory: blinknet --data ${directory} --rescue NEWDIR. To start over, move ${directory} away.`
    case 'newer':
      return `${why} Run that version, or choose another directory with --data.`
    case 'unavailable':
    case 'busy':
    case 'taken-over':
      return why
  }
}

/** Why the server cannot listen, as a sentence that says what to do; `undefined` for any other error. */
export function explainListenError(error: unknown, hosts: readonly string[], port: number): string | undefined {
  const { code, syscall, address } = error as NodeJS.ErrnoException & { readonly address?: string }
  const host = hosts.length === 1 || address === undefined ? hosts.join(', ') : address
  if (code === 'EADDRINUSE') {
    return `Port ${port} of ${host} is taken, perhaps by another node: stop it, or choose a port with --port (0 takes a free one).`
  }
  if (code === 'EACCES') return `This user may not listen on port ${port}: choose one above 1023 with --port.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || syscall === 'getaddrinfo') {
    return `This machine has no address ${host} to listen on: choose another with --host, such as 127.0.0.1 or 0.0.0.0.`
  }
  return undefined
}

export function authority(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}
