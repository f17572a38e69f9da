import { gunzipSync, gzipSync } from 'node:zlib'

/** A file for a file chooser. */
export interface TestFile {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

export const RICH = '0x00000000000000000000000000000000000000aa'
export const SHELF = '0x00000000000000000000000000000000000000bb'
const SLOT = `0x${'0'.repeat(64)}` as const

/** The output of anvil 1.x with `--dump-state`, reduced to one block. */
const ANVIL_DUMP = {
  block: { number: 3, beneficiary: `0x${'0'.repeat(40)}`, timestamp: 1_700_000_000, gas_limit: 30_000_000 },
  accounts: {
    [RICH]: { nonce: 7, balance: '0x1bc16d674ec80000', code: '0x', storage: {} },
    [SHELF]: { nonce: 1, balance: '0x0', code: '0x60005460005260206000f3', storage: { [SLOT]: '0x2a' } },
  },
  best_block_number: 3,
  blocks: [],
  transactions: [],
  historical_states: null,
}

const json = (name: string, value: unknown): TestFile => ({
  name,
  mimeType: 'application/json',
  buffer: Buffer.from(JSON.stringify(value)),
})

export const anvilDump = json('state.json', ANVIL_DUMP)

/** The output of `cast rpc anvil_dumpState`. */
export const anvilDumpInHex: TestFile = {
  name: 'state.hex',
  mimeType: 'text/plain',
  buffer: Buffer.from(`"0x${gzipSync(JSON.stringify(ANVIL_DUMP)).toString('hex')}"\n`),
}

export const genesis = json('genesis.json', {
  config: { chainId: 777 },
  difficulty: '0x1',
  alloc: { [RICH.slice(2)]: { balance: '1000000000000000000' } },
})

export const brokenGenesis = json('genesis.json', { alloc: { [RICH]: { balance: 'plenty' } } })

export const garbage: TestFile = { name: 'holiday.txt', mimeType: 'text/plain', buffer: Buffer.from('sun and sea') }

/** A chain file with one bit flipped. */
export function damage(packed: Buffer): TestFile {
  const bytes = gunzipSync(packed)
  const at = Math.floor(bytes.length / 2)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  return { name: 'damaged.blinknet.gz', mimeType: 'application/gzip', buffer: gzipSync(bytes) }
}
