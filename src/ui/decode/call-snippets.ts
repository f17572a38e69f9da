import { type Hex, toQuantity } from '#primitives/hex.ts'
import type { RpcTransaction } from '#rpc-types/objects.ts'
import { DEFAULT_SERVER, IN_PAGE, shellQuote } from '#ui/format/elsewhere.ts'
import type { DecodedCall } from './decode-call.ts'
import type { ShownValue } from './decoded.ts'
import { decodedText } from './value-text.ts'

type Call = Pick<RpcTransaction, 'from' | 'to' | 'value' | 'input' | 'blockNumber'>

/**
 * Code that makes the call of a transaction without sending it, on the state before its block.
 *
 * @param remoteUrl - The attached endpoint; `undefined` for the page's own chain.
 */
export function callSnippets(
  tx: Call,
  decoded: DecodedCall | undefined,
  remoteUrl: string | undefined,
): { readonly inConsole: string; readonly viem: string; readonly cast: string } {
  return {
    inConsole: consoleSnippet(tx),
    viem: viemSnippet(tx, decoded, remoteUrl),
    cast: castSnippet(tx, decoded, remoteUrl),
  }
}

/** The sealed block before the call's block; `undefined` if the call is not in a sealed block. */
function blockBefore({ blockNumber }: Call): number | undefined {
  return blockNumber && blockNumber !== '0x0' ? Number(blockNumber) - 1 : undefined
}

/** Code for the browser's console, for any chain the page shows. */
function consoleSnippet(tx: Call): string {
  const block = blockBefore(tx)
  const call = {
    from: tx.from,
    ...(tx.to && { to: tx.to }),
    ...(tx.value !== '0x0' && { value: tx.value }),
    ...(tx.input !== '0x' && { data: tx.input }),
  }
  const params = [call, block === undefined ? 'latest' : toQuantity(block)]
  return `await devnet.request({ method: 'eth_call', params: ${JSON.stringify(params)} })`
}

function viemSnippet(tx: Call, decoded: DecodedCall | undefined, remoteUrl: string | undefined): string {
  const block = blockBefore(tx)
  const isSocket = remoteUrl !== undefined && /^wss?:/.test(remoteUrl)
  const transport = remoteUrl === undefined ? 'custom' : isSocket ? 'webSocket' : 'http'
  const fields = [
    `account: '${tx.from}'`,
    tx.to && `to: '${tx.to}'`,
    tx.value !== '0x0' && `value: ${BigInt(tx.value)}n`,
    tx.input !== '0x' && `data: '${tx.input}'`,
    block !== undefined && `blockNumber: ${block}n`,
  ]
  return [
    `import { createPublicClient, ${transport} } from 'viem'`,
    '',
    ...(remoteUrl === undefined ? [IN_PAGE] : []),
    `const client = createPublicClient({ transport: ${transport}(${remoteUrl === undefined ? 'window.devnet' : JSON.stringify(remoteUrl)}) })`,
    ...(decoded ? [`// ${decodedText(decoded)}`] : []),
    'const { data } = await client.call({',
    ...fields.filter((field) => typeof field === 'string').map((field) => `  ${field},`),
    '})',
    '',
  ].join('\n')
}

function castSnippet(tx: Call, decoded: DecodedCall | undefined, remoteUrl: string | undefined): string {
  const block = blockBefore(tx)
  const options = [
    `--rpc-url ${shellQuote(remoteUrl ?? DEFAULT_SERVER)}`,
    `--from ${tx.from}`,
    tx.value !== '0x0' && `--value ${BigInt(tx.value)}`,
    block !== undefined && `--block ${block}`,
  ]
  const what = tx.to ? `${tx.to} ${castData(tx.input, decoded)}` : `--create ${tx.input}`
  return `cast call ${options.filter((option) => typeof option === 'string').join(' ')} ${what}`.trim()
}

/** The function and its arguments if each of them is one plain word, otherwise the bytes. */
function castData(input: Hex, decoded: DecodedCall | undefined): string {
  const words = decoded?.exact ? decoded.args.map(({ value }) => plainWord(value)) : [undefined]
  if (decoded && /^\w+\(/.test(decoded.signature) && words.every((word) => word !== undefined)) {
    return [shellQuote(decoded.signature), ...words].join(' ')
  }
  return input === '0x' ? '' : `--data ${input}`
}

function plainWord(value: ShownValue): string | undefined {
  switch (value.kind) {
    case 'address':
      return value.address
    case 'integer':
      return value.integer < 0n ? undefined : String(value.integer)
    case 'boolean':
      return String(value.boolean)
    case 'bytes':
      return value.bytes
    case 'function':
    case 'text':
    case 'list':
    case 'tuple':
    case 'hashed':
      return undefined
  }
}
