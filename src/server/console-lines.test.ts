import { encodeFunctionData, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import type { Hex } from '#primitives/hex.ts'
import type { RpcConsoleLogs } from '#rpc-types/console.ts'
import { logging } from '#testing/node/rpc/console.ts'
import { serverOfEachTest } from '#testing/server/test-server.ts'
import { describeConsole } from './console-lines.ts'

const server = serverOfEachTest()
const LOGGER: Hex = `0x${'c0'.repeat(20)}`
const text = (words: string) =>
  encodeFunctionData({ abi: parseAbi(['function log(string)']), functionName: 'log', args: [words] })

const LOGS: RpcConsoleLogs = {
  ...{ transactionHash: null, method: 'eth_call', from: LOGGER, to: null, blockNumber: '0x5', error: null },
  ...{ lines: [], more: 0 },
}
const line = (words: string) => ({ input: '0x' as const, text: words, values: [words], signature: 'log(string)' })

test('a server prints what a transaction and a failed call have logged', async () => {
  await server.start('--clock', 'manual')
  const banner = server.printed
  await server.rpc('anvil_setCode', LOGGER, logging([text('hello'), text('two\nlines')], 'succeed'))
  const [from] = (await server.rpc('eth_accounts')) as string[]
  const hash = await server.rpc('eth_sendTransaction', { from, to: LOGGER, gas: '0x30000' })
  await server.rpc('devnet_tick')
  const block = await server.rpc('eth_getBlockByNumber', 'pending', false)
  expect(block).toMatchObject({ transactions: [hash] })
  const { number } = block as { number: string }
  await expect
    .poll(() => server.printed.slice(banner.length))
    .toBe(`Transaction ${String(hash)} in block ${Number(number)}\n  console.log:\n    hello\n    two\n    lines\n`)
  const printed = server.printed.length
  await server.rpc('anvil_setCode', LOGGER, logging([text('before')], 'revert'))
  await expect(server.rpc('eth_call', { from, to: LOGGER })).rejects.toThrow('execution reverted')
  await expect
    .poll(() => server.printed.slice(printed))
    .toBe(`eth_call from ${from} to ${LOGGER} failed: execution reverted\n  console.log:\n    before\n`)
})

test('a silent server prints none of it', async () => {
  await server.start('--clock', 'manual', '--silent')
  await server.rpc('anvil_setCode', LOGGER, logging([text('before')], 'revert'))
  await expect(server.rpc('eth_call', { to: LOGGER })).rejects.toThrow('execution reverted')
  await server.rpc('eth_chainId')
  expect(server.printed).not.toContain('console.log')
})

test('texts of contracts command no terminal, hide nothing and have an end', () => {
  const shown = describeConsole({
    ...LOGS,
    error: 'execution reverted: \u001b[2J\u202egnp',
    lines: [line('\u001b]0;title\u0007'), line('a\u200bb\r\nc\rd'), line('x'.repeat(2_000)), line('\n'.repeat(500))],
    more: 7,
  }).split('\n')
  expect(shown.slice(0, 5)).toEqual([
    `eth_call from ${LOGGER} to a new contract failed: execution reverted: \\u{1b}[2J\\u{202e}gnp`,
    '  console.log:',
    '    \\u{1b}]0;title\\u{7}',
    '    a\\u{200b}b',
    '    c\\u{d}d',
  ])
  expect(shown[5]).toBe(`    ${'x'.repeat(1_000)}…`)
  expect(shown.at(-2)).toBe('    (401 more lines)')
  expect(shown.at(-1)).toBe('    (7 more)')
})
