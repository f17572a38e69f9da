import { expect, test, vi } from 'vitest'
import { type Address, type Hex, toWord } from '#primitives/hex.ts'
import { at, withCodes, word } from '#testing/node/rpc/traces.ts'
import { devAccount, type TestNode } from '#testing/node/test-node.ts'

const HOLDER = devAccount(0).address
const SPENDER = devAccount(1).address
/** keccak256(CALLDATALOAD(4) . 0), the slot of a mapping; then its value. */
const LOAD_BALANCE = '6004355f525f60205260405f2054'
const RETURN = '5f5260205ff3'
/** Reads slot 1 as well, as a token that can be paused does. */
const TOKEN: Hex = `0x60015450${LOAD_BALANCE}${RETURN}`
/** keccak256(CALLDATALOAD(36) . keccak256(CALLDATALOAD(4) . 1)). */
const WITH_ALLOWANCE: Hex = `0x6004355f52600160205260405f206020526024355f5260405f2054${RETURN}`
const token = at('token')

const balanceOf = async ({ request }: TestNode, of: Address, contract = token, block = 'latest') =>
  BigInt(await request('eth_call', [{ to: contract, data: `0x70a08231${word(of)}` }, block]))

test('the balance of a token is set, seen at latest and pending, and no other changes', async () => {
  const node = await withCodes({ [token]: TOKEN })
  expect(await node.request('anvil_dealERC20', [HOLDER, token, '0x64'])).toBeNull()
  expect(await balanceOf(node, HOLDER)).toBe(100n)
  expect(await balanceOf(node, HOLDER, token, 'pending')).toBe(100n)
  expect(await balanceOf(node, SPENDER)).toBe(0n)
  expect(await node.request('eth_getStorageAt', [token, '0x1'])).toBe(toWord(0))
  await node.request('anvil_dealERC20', [HOLDER, token, (2n ** 256n - 1n).toString()])
  expect(await balanceOf(node, HOLDER)).toBe(2n ** 256n - 1n)
  await node.request('anvil_dealERC20', [HOLDER, token, 0])
  expect(await balanceOf(node, HOLDER)).toBe(0n)
})

test('the slot is the proxy’s where the token is a proxy', async () => {
  // DELEGATECALL of all that came; returns all that comes back.
  const proxy: Hex = `0x365f5f375f5f365f73${token.slice(2)}5af4503d5f5f3e3d5ff3`
  const node = await withCodes({ [token]: TOKEN, [at('proxy')]: proxy })
  await node.request('anvil_dealERC20', [HOLDER, at('proxy'), 7])
  expect([await balanceOf(node, HOLDER, at('proxy')), await balanceOf(node, HOLDER)]).toEqual([7n, 0n])
})

test('an allowance is set in the same way', async () => {
  const node = await withCodes({ [token]: WITH_ALLOWANCE })
  expect(await node.request('anvil_setERC20Allowance', [HOLDER, SPENDER, token, 9])).toBeNull()
  const allowance = (owner: Hex, spender: Hex) =>
    node.request('eth_call', [{ to: token, data: `0xdd62ed3e${word(owner)}${word(spender)}` }])
  expect(await allowance(HOLDER, SPENDER)).toBe(toWord(9))
  expect(await allowance(SPENDER, HOLDER)).toBe(toWord(0))
})

test.each<[string, Hex]>([
  ['no contract', '0x'],
  ['one that reverts', '0x5f5ffd'],
  ['one that answers the same to everybody', `0x602a${RETURN}`],
  ['one that answers half a word', `0x${LOAD_BALANCE}5f5260105ff3`],
  // A share in slot 1: a slot that is 0 makes every balance 0, and is not the balance.
  ['one that multiplies', `0x${LOAD_BALANCE}60015402${RETURN}`],
  [
    'one that reads other slots first',
    `0x${Array.from({ length: 32 }, (_, i) => `60${(i + 64).toString(16)}5450`).join('')}${LOAD_BALANCE}${RETURN}`,
  ],
])('of %s no balance is set, and nothing changes', async (_what, code) => {
  const node = await withCodes(code === '0x' ? {} : { [token]: code })
  const head = await node.request('eth_blockNumber')
  const hint = 'if it has one, set it with anvil_setStorageAt'
  await expect(node.request('anvil_dealERC20', [HOLDER, token, 0])).rejects.toMatchObject({
    error: { code: -32_000, message: `no slot of ${token} that holds the balance is found: ${hint}` },
  })
  expect(await node.request('eth_blockNumber')).toBe(head)
})

test('a token that takes too long is given up, and an amount beyond 256 bits is refused', async () => {
  const node = await withCodes({ [token]: '0x5b5f56' })
  await expect(node.request('anvil_dealERC20', [HOLDER, token, (2n ** 256n).toString()])).rejects.toMatchObject({
    error: { code: -32_602 },
  })
  let now = node.clock.now()
  vi.spyOn(node.clock, 'now').mockImplementation(() => (now += 100))
  await expect(node.request('anvil_dealERC20', [HOLDER, token, 1])).rejects.toMatchObject({
    error: { code: -32_000, message: 'execution timeout' },
  })
})
