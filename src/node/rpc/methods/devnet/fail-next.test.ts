import { expect, test } from 'vitest'
import { createTestNode } from '#testing/node/test-node.ts'

const manual = () => createTestNode({ mode: 'manual' })

test('the next calls of chosen methods fail as planned, and are counted down', async () => {
  const { request } = await manual()
  const error = { code: -32005, message: 'limit exceeded', data: { retryAfterMs: 5 } }
  const methods = ['eth_chainId', 'net_version']
  await request('devnet_failNext', [{ methods, error, times: 2 }])
  await expect(request('eth_chainId')).rejects.toMatchObject({ error })
  expect((await request('devnet_status')).faults.failNext).toEqual([{ methods, error, times: 1 }])
  expect(await request('eth_blockNumber')).toBe('0x0')
  await expect(request('net_version')).rejects.toMatchObject({ error })
  expect(await request('eth_chainId')).toBe('0x7a69')
  expect((await request('devnet_status')).faults.failNext).toEqual([])
})

test('a planned failure can be cancelled', async () => {
  const { request } = await manual()
  await request('devnet_failNext', [{ methods: ['eth_chainId'], error: { code: 1, message: 'no' }, times: 9 }])
  await request('devnet_failNext', [{ methods: ['eth_chainId'], times: 0 }])
  expect(await request('eth_chainId')).toBe('0x7a69')
})

test('no failure can be planned for what ends failures', async () => {
  const { request } = await manual()
  for (const method of ['devnet_failNext', 'devnet_reset']) {
    const planned = request('devnet_failNext', [{ methods: ['eth_chainId', method], delayMs: 600_000, times: 1_000 }])
    await expect(planned).rejects.toMatchObject({
      error: { code: -32602, message: `invalid argument 0: ${method} always works, as it ends faults` },
    })
  }
  expect(await request('eth_chainId')).toBe('0x7a69')
})

test('a delayed answer does not delay other calls', async () => {
  const { request, clock } = await createTestNode()
  await request('devnet_failNext', [{ methods: ['eth_chainId'], delayMs: 3_000 }])
  const answers: string[] = []
  const late = request('eth_chainId').then((id) => answers.push(id))
  await clock.advance(2_999)
  expect(await request('net_version')).toBe('31337')
  expect(answers).toEqual([])
  await clock.advance(1)
  await late
  expect(answers).toEqual(['0x7a69'])
})

const planOf = (data: string, message = 'no') =>
  `{"jsonrpc":"2.0","id":1,"method":"devnet_failNext","params":[{"methods":["eth_chainId"],"error":{"code":1,"message":${JSON.stringify(message)},"data":${data}}}]}`

test('data nested 200,000 levels deep is refused, and the node keeps answering', async () => {
  const { request, raw, logged } = await manual()
  const answer = await raw(planOf('['.repeat(200_000) + ']'.repeat(200_000)))
  expect(JSON.parse(answer ?? '')).toMatchObject({
    id: null,
    error: { code: -32600, message: expect.stringContaining('256 levels') as string },
  })
  expect(await request('eth_chainId')).toBe('0x7a69')
  expect((await request('devnet_status')).faults.failNext).toEqual([])
  expect(logged).toEqual([])
})

test('planned errors are limited in depth, size and number, and the refusal names the limit', async () => {
  const { request, raw } = await manual()
  const tooDeep = await raw(planOf('['.repeat(33) + ']'.repeat(33)))
  expect(JSON.parse(tooDeep ?? '')).toMatchObject({
    error: { code: -32602, message: expect.stringContaining('more than 32 levels') as string },
  })
  const tooLong = await raw(planOf('0', 'x'.repeat(65_536)))
  expect(JSON.parse(tooLong ?? '')).toMatchObject({
    error: { code: -32602, message: expect.stringContaining('send at most 65536') as string },
  })
  const deepest = planOf('['.repeat(32) + ']'.repeat(32))
  for (let i = 0; i < 100; i++) expect(JSON.parse((await raw(deepest)) ?? '')).toMatchObject({ result: true })
  expect(JSON.parse((await raw(deepest)) ?? '')).toMatchObject({
    error: { code: -32005, message: expect.stringContaining('too many planned failures: at most 100') as string },
  })
  await expect(request('eth_chainId')).rejects.toMatchObject({ error: { code: 1 } })
  expect(JSON.parse((await raw(deepest)) ?? '')).toMatchObject({ result: true })
})
