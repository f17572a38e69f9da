/** One option of the command line. */
export interface Flag {
  /** The flag's argument, for `--help`; without one it takes nothing. */
  readonly takes?: string
  /** Whether it may be given more than once. */
  readonly repeatable?: true
  /** The flag's effect and default, for `--help`. */
  readonly help: string
}

/** The options of the command line, as `--help` groups them. */
export const FLAG_GROUPS = {
  Server: {
    host: { takes: 'HOST', help: 'address to listen on (default 127.0.0.1)' },
    port: { takes: 'PORT', help: 'port of HTTP and WebSocket; 0 takes a free one (default 8545)' },
    'allow-origin': {
      takes: 'ORIGIN',
      repeatable: true,
      help: 'another origin whose pages may call, * for all; repeatable (default: on localhost)',
    },
    'allow-host': {
      takes: 'HOST',
      repeatable: true,
      help: 'another name of this server; repeatable (default: localhost, local addresses)',
    },
    latest: {
      takes: 'READING',
      help: 'state that "latest" names, sealed or preconfirmed (default sealed)',
    },
    'no-ui': { help: 'no page at this address, JSON-RPC only' },
    data: { takes: 'DIR', help: 'where the chain lives, and goes on when it is there (default: in memory only)' },
    log: { takes: 'LEVEL', help: 'how much to log: error, warn or info (default info)' },
    quiet: { help: 'print nothing but errors, not even the accounts' },
    help: { help: 'print this text' },
    version: { help: 'print the version' },
  },
  Chain: {
    'chain-id': { takes: 'N', help: 'chain id (default 31337)' },
    seed: { takes: 'N', help: "source of the chain's fixed random fields (default 1)" },
    'gas-limit': { takes: 'N', help: 'gas of a block (default 400000000)' },
    coinbase: { takes: 'ADDRESS', help: 'who gets the tips (default 0x4200000000000000000000000000000000000011)' },
    engine: { takes: 'NAME', help: 'what executes code: wasm or reference (@ethereumjs/evm) (default wasm)' },
    safe: { takes: 'N', help: 'blocks from the head back to "safe" (default 32)' },
    finalized: { takes: 'N', help: 'blocks from the head back to "finalized" (default 64)' },
    'client-version': { takes: 'TEXT', help: 'what web3_clientVersion answers (default Blinknet/v…)' },
    'allow-foreign-typed-data': { help: 'sign typed data of other chain ids, such as a permit for mainnet' },
    'code-size-limit': { takes: 'N', help: 'bytes of a contract’s code (default 24576, EIP-170)' },
    'disable-code-size-limit': { help: 'contracts of any size that a transaction can have' },
    'allow-unprotected': { help: 'accept legacy transactions without a chain id' },
  },
  Time: {
    automine: { help: 'seal each transaction at once, in a block of its own; the clock drives nothing' },
    'partial-ms': { takes: 'N', help: 'milliseconds from one partial block to the next (default 200)' },
    partials: { takes: 'N', help: 'partial blocks to a block (default 10)' },
    clock: { takes: 'MODE', help: 'auto, or manual: only devnet_tick advances the chain (default auto)' },
    speed: { takes: 'FACTOR', help: 'chain time over real time, above 0 up to 100 (default 1)' },
    'tick-budget-ms': { takes: 'N', help: 'milliseconds of execution in a tick; the rest waits (default 120)' },
  },
  Fees: {
    'base-fee': { takes: 'WEI', help: 'base fee of block 0, per gas (default 1000000000)' },
    'min-base-fee': { takes: 'WEI', help: 'floor of the base fee (default 5000000)' },
    'base-fee-denominator': { takes: 'N', help: 'how slowly the base fee moves (default 250)' },
    'base-fee-elasticity': { takes: 'N', help: 'gas limit over gas target (default 6)' },
  },
  'Accounts and block 0': {
    accounts: { takes: 'N', help: 'development accounts, 1 to 100 (default 10)' },
    balance: { takes: 'ETH', help: 'what each of them has (default 10000)' },
    mnemonic: { takes: 'WORDS', help: 'where they come from (default: test … junk, which everyone knows)' },
    genesis: { takes: 'FILE', help: "geth's genesis.json, or only its alloc: accounts of block 0" },
    'genesis-timestamp': { takes: 'SECONDS', help: 'timestamp of block 0 (default now; 1735689600 on a manual clock)' },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Flag>>>>

type Groups = typeof FLAG_GROUPS
/** Name of an option of the command line, without its dashes. */
export type FlagName = { [Group in keyof Groups]: keyof Groups[Group] }[keyof Groups]

/** The text of `--help`. */
export function helpText(): string {
  const groups = Object.entries<Readonly<Record<string, Flag>>>(FLAG_GROUPS).map(
    ([title, flags]) =>
      [title, Object.entries(flags).map(([name, { takes, help }]) => [spell(name, takes), help] as const)] as const,
  )
  const width = Math.max(...groups.flatMap(([, lines]) => lines.map(([flag]) => flag.length)))
  const sections = groups.map(([title, lines]) =>
    [`${title}:`, ...lines.map(([flag, help]) => `  ${flag.padEnd(width)}  ${help}`)].join('\n'),
  )
  return [
    'Blinknet: an Ethereum-style layer-2 devnet that pre-confirms every transaction in 200 ms.',
    'Usage: blinknet [options]',
    ...sections,
  ].join('\n\n')
}

function spell(name: string, takes: string | undefined): string {
  return takes === undefined ? `--${name}` : `--${name} ${takes}`
}
