import { encodeErrorResult, encodeFunctionData, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Hex } from '#primitives/hex.ts'
import type { RpcConsoleLogs } from '#rpc-types/console.ts'
import { ENGINE_NAMES } from '#rpc-types/option-tables.derived.ts'
import { logging } from '#testing/node/rpc/console.ts'
import { at, CODES, from, send, withCodes, word } from '#testing/node/rpc/traces.ts'
import type { TestNode } from '#testing/node/test-node.ts'

const CONSOLE: Hex = '0x000000000000000000636f6e736f6c652e6c6f67'
const ABI = parseAbi(['function log(string)', 'function log(string,uint256)', 'function log(uint256)'])
const text = (words: string) => encodeFunctionData({ abi: ABI, functionName: 'log', args: [words] })
const count = (words: string, number: bigint) =>
  encodeFunctionData({ abi: ABI, functionName: 'log', args: [words, number] })

/** What the node has told since its start. */
const told = ({ notifications }: TestNode) => notifications.map(({ result }) => result as RpcConsoleLogs)
const textsOf = ({ lines }: RpcConsoleLogs) => lines.map((line) => line.text)

async function listening(node: TestNode): Promise<TestNode> {
  await node.request('eth_subscribe', ['consoleLogs'])
  return node
}

describe.each(ENGINE_NAMES)('with the %s engine', (engine) => {
  test('a transaction tells its lines once it is pre-confirmed, from calls of every kind and from frames that fail', async () => {
    const codes = {
      [at('all')]: logging([text('a'), count('b %d', 7n), text('c'), text('d')], 'revert', ['f1', 'f2', 'f4', 'fa']),
      [at('call')]: CODES.call,
    }
    const node = await listening(await withCodes(codes, { engine }))
    const hash = await send(node, 0, { to: at('call'), data: `0x${word(at('all'))}`, value: 1n })
    await expect.poll(() => told(node)).toHaveLength(1)
    const [logs] = told(node)
    expect(logs).toMatchObject({ transactionHash: hash, method: null, from, to: at('call'), error: null, more: 0 })
    expect(logs && textsOf(logs)).toEqual(['a', 'b 7', 'c', 'd'])
    expect(logs?.lines[1]).toEqual({
      input: count('b %d', 7n),
      text: 'b 7',
      values: ['b %d', '7'],
      signature: 'log(string,uint256)',
    })
    expect(await node.request('devnet_getConsoleLogs', [hash])).toEqual(logs)
    await node.request('evm_mine')
    expect(await node.request('devnet_getConsoleLogs', [hash])).toEqual(logs)
    expect(told(node)).toHaveLength(1)
  })

  test('a failed transaction keeps its lines', async () => {
    const node = await listening(
      await withCodes(
        { [at('revert')]: logging([text('r')], 'revert'), [at('fail')]: logging([text('f')], 'fail') },
        { engine },
      ),
    )
    const reverted = await send(node, 0, { to: at('revert') })
    const failed = await send(node, 1, { to: at('fail') })
    await expect.poll(() => told(node)).toHaveLength(2)
    expect(told(node)).toMatchObject([
      { transactionHash: reverted, error: 'execution reverted', lines: [{ text: 'r' }] },
      { transactionHash: failed, error: 'invalid opcode: INVALID', lines: [{ text: 'f' }] },
    ])
    expect(await node.request('devnet_getConsoleLogs', [failed])).toEqual(told(node)[1])
  })

  test('calls and estimates that fail are told once, others not', async () => {
    const codes = { [at('bad')]: logging([text('bad')], 'revert'), [at('good')]: logging([text('good')], 'succeed') }
    const node = await listening(await withCodes(codes, { engine }))
    await node.request('eth_call', [{ to: at('good') }])
    await node.request('eth_estimateGas', [{ to: at('good') }])
    for (const method of ['eth_call', 'eth_estimateGas'] as const) {
      await expect(node.request(method, [{ from, to: at('bad') }])).rejects.toThrow('execution reverted')
    }
    await expect.poll(() => told(node)).toHaveLength(2)
    const call = { transactionHash: null, from, to: at('bad'), error: 'execution reverted', lines: [{ text: 'bad' }] }
    expect(told(node)).toMatchObject([
      { ...call, method: 'eth_call' },
      { ...call, method: 'eth_estimateGas' },
    ])
    expect(await node.request('devnet_getConsoleLogs', [{ call: { from, to: at('bad') } }])).toEqual(told(node)[0])
  })

  test('the reason of a call that reverted is told both times', async () => {
    const node = await listening(await withCodes({ [at('bad')]: logging([text('bad')], 'echo') }, { engine }))
    const data = encodeErrorResult({ abi: parseAbi(['error Error(string)']), errorName: 'Error', args: ['too small'] })
    const call = { from, to: at('bad'), data }
    await expect(node.request('eth_call', [call])).rejects.toThrow('too small')
    await expect.poll(() => told(node)).toMatchObject([{ error: 'execution reverted: too small' }])
    expect(await node.request('devnet_getConsoleLogs', [{ call }])).toEqual(told(node)[0])
  })

  test('only so many lines of one execution are kept, and the rest is counted', async () => {
    const large: Hex = `0x${'00'.repeat(0x8000)}`
    // Calls the console in an endless loop with 32 KiB of nothing, which is no function of it.
    const loop: Hex = '0x5b5f5f6180005f6a636f6e736f6c652e6c6f675afa505f56'
    const node = await listening(await withCodes({ [at('loop')]: loop }, { engine }))
    const hash = await send(node, 0, { to: at('loop') })
    const logs = await node.request('devnet_getConsoleLogs', [hash])
    expect(logs.lines.map(({ input }) => input)).toEqual(Array(4).fill(large))
    expect(logs.lines[0]).toMatchObject({ text: '(unknown console call 0x00000000, 32768 bytes)', signature: null })
    expect(logs.more).toBeGreaterThan(100)
    await expect.poll(() => told(node)).toEqual([logs])
  })

  test('nothing is told where a contract stands at the address, or nothing is logged', async () => {
    const codes = { [at('log')]: logging([text('a')], 'succeed'), [CONSOLE]: '0x00' } as const
    const node = await listening(await withCodes(codes, { engine }))
    const hash = await send(node, 0, { to: at('log') })
    expect(await node.request('devnet_getConsoleLogs', [hash])).toMatchObject({ lines: [], more: 0, error: null })
    expect(told(node)).toEqual([])
  })
})

test('one partial block tells at most a mebibyte of lines', async () => {
  // 124 KiB of nothing each, nine times.
  const code: Hex = '0x5f5f6201f0005f6a636f6e736f6c652e6c6f675afa50'
  const node = await listening(await withCodes({ [at('large')]: code }))
  const raws = await Promise.all(
    Array.from({ length: 9 }, (_, nonce) =>
      node.request('eth_sendTransaction', [{ from, to: at('large'), nonce: `0x${nonce}`, gas: '0x30000' }]),
    ),
  )
  await node.request('devnet_tick')
  await expect.poll(() => told(node)).toHaveLength(raws.length)
  expect(told(node).map(({ lines, more }) => [lines.length, more])).toEqual(
    raws.map((_, i) => (i < 8 ? [1, 0] : [0, 1])),
  )
})
