import { expect, test } from 'vitest'
import { createTestNode } from '#testing/node/test-node.ts'

const ACCOUNT = `0x${'c0'.repeat(20)}` as const
const MOST = `0x${'00'.repeat(524_288)}` as const
const TOO_MUCH = `${MOST}00` as const
const REFUSED = 'max code size exceeded: code size 524289 limit 524288'

test('a call may override half a mebibyte of code, and no more', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  const call = (code: string) => request('eth_call', [{ to: ACCOUNT }, 'latest', { [ACCOUNT]: { code } }])
  expect(await call(MOST)).toBe('0x')
  await expect(call(TOO_MUCH)).rejects.toMatchObject({
    error: { code: -32602, message: `invalid argument 2: ${REFUSED}` },
  })
})

test('an account can be given the same amount of code, and no more', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  await request('anvil_setCode', [ACCOUNT, MOST])
  expect(await request('eth_getCode', [ACCOUNT, 'latest'])).toBe(MOST)
  for (const method of ['anvil_setCode', 'hardhat_setCode'] as const) {
    await expect(request(method, [ACCOUNT, TOO_MUCH])).rejects.toThrow(`invalid argument 1: ${REFUSED}`)
  }
  const account = { nonce: '0x1', balance: '0x0', code: TOO_MUCH }
  const dump = { format: 'blinknet-state', version: 1, accounts: { [ACCOUNT]: account } }
  await expect(request('devnet_importState', [dump])).rejects.toThrow(`invalid argument 0: ${REFUSED}`)
})
