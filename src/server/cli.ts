import { parseArgs } from 'node:util'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { parseRangedOption, type RangedOption, rangeInWords } from '#rpc-types/option-ranges.ts'

/** What the command line asks for. */
export type Command =
  | { readonly kind: 'run'; readonly host: string; readonly port: number; readonly options: NodeOptions }
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  /** It makes no sense; `message` is a sentence that says why. */
  | { readonly kind: 'bad'; readonly message: string }

export const HELP = `Blinknet: an Ethereum-style layer-2 devnet that pre-confirms every transaction in 200 ms.

Usage: npm run node -- [options]

  --host HOST         address to listen on (default 127.0.0.1)
  --port PORT         port of HTTP and WebSocket; 0 takes a free one (default 8545)
  --chain-id N        chain id (default 31337)
  --seed N            source of the chain's fixed random fields (default 1)
  --partial-ms N      milliseconds from one partial block to the next (default 200)
  --partials N        partial blocks to a block (default 10)
  --clock MODE        auto, or manual: only devnet_tick advances the chain (default auto)
  --speed FACTOR      chain time over real time, above 0 up to 100 (default 1)
  --gas-limit N       gas of a block (default 400000000)
  --help              print this text
  --version           print the version`

const FLAGS = {
  host: { type: 'string' },
  port: { type: 'string' },
  'chain-id': { type: 'string' },
  seed: { type: 'string' },
  'partial-ms': { type: 'string' },
  partials: { type: 'string' },
  clock: { type: 'string' },
  speed: { type: 'string' },
  'gas-limit': { type: 'string' },
  help: { type: 'boolean' },
  version: { type: 'boolean' },
} as const

const NUMBERS = [
  ['chain-id', 'chainId'],
  ['seed', 'seed'],
  ['partial-ms', 'partialMs'],
  ['partials', 'partialsPerBlock'],
  ['speed', 'speed'],
  ['gas-limit', 'gasLimit'],
] as const satisfies readonly (readonly [flag: keyof typeof FLAGS, option: RangedOption])[]

/** Reads the command line; never throws. */
export function parseCommand(args: readonly string[]): Command {
  let values: { -readonly [Flag in keyof typeof FLAGS]?: string | boolean | undefined }
  try {
    values = parseArgs({ args: [...args], options: FLAGS, strict: true, allowPositionals: false }).values
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return bad(error.message)
  }
  if (values.help) return { kind: 'help' }
  if (values.version) return { kind: 'version' }

  const options: { -readonly [Name in keyof NodeOptions]: NodeOptions[Name] } = {}
  for (const [flag, option] of NUMBERS) {
    const text = values[flag]
    if (typeof text !== 'string') continue
    const value = parseRangedOption(option, text)
    if (value === undefined) return bad(`--${flag} takes ${rangeInWords(option)}, not "${text}".`)
    options[option] = value
  }
  const { clock, host = '127.0.0.1', port = '8545' } = values as { clock?: string; host?: string; port?: string }
  if (clock === 'auto' || clock === 'manual') options.mode = clock
  else if (clock !== undefined) return bad(`--clock takes "auto" or "manual", not "${clock}".`)
  if (host === '') return bad('--host takes a host name or an address, not nothing.')
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    return bad(`--port takes a whole number from 0 to 65535, not "${port}".`)
  }
  return { kind: 'run', host, port: Number(port), options }
}

function bad(message: string): Command {
  return { kind: 'bad', message }
}
