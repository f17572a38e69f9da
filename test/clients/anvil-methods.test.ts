import { createTestClient, encodeFunctionData, erc20Abi, type Hex, http, pad, publicActions } from 'viem'
import { expect, test } from 'vitest'
import type { Address, Hash } from '#primitives/hex.ts'
import { onEveryNode } from './support/on-every-node.ts'
import { CHAIN, devAccount } from './support/viem-clients.ts'

const SOMEBODY = '0x00000000000000000000000000000000000c0ffe'
const TOKEN = '0x00000000000000000000000000000000000c0de1'
/** Returns the value of the mapping in slot 0 for the word after the selector. */
const TOKEN_CODE = '0x6004355f525f60205260405f20545f5260205ff3'

onEveryNode('edits that anvil has of its own', (node) => {
  const client = () =>
    createTestClient({ mode: 'anvil', chain: CHAIN, transport: http(node().http) }).extend(publicActions)

  test('the balance of a token is set, and where none is found it is refused', async () => {
    await client().setCode({ address: TOKEN, bytecode: TOKEN_CODE })
    const holder = devAccount(0).address
    expect(await node().rpc('anvil_dealERC20', holder, TOKEN, '0x2a')).toBeNull()
    const balanceOf = (account: Address) => {
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [account] })
      return node().rpc('eth_call', { to: TOKEN, data }, 'latest')
    }
    expect(await balanceOf(holder)).toBe(pad('0x2a'))
    expect(await balanceOf(SOMEBODY)).toBe(pad('0x0'))
    // The answer to allowance comes from the owner's slot.
    expect(await node().rpc('anvil_setERC20Allowance', SOMEBODY, holder, TOKEN, '0x7')).toBeNull()
    expect(await balanceOf(SOMEBODY)).toBe(pad('0x7'))
    await expect(node().rpc('anvil_dealERC20', holder, SOMEBODY, '0x2a')).rejects.toThrow(/no slot/)
  })

  test('a reorg replaces blocks, with the transactions that it brings', async () => {
    await node().rpc('evm_setAutomine', true)
    const from = devAccount(1).address
    const sent: Hash[] = []
    for (const value of ['0x1', '0x2', '0x3']) {
      const receipt = await node().rpc('eth_sendTransactionSync', { from, to: SOMEBODY, value })
      sent.push((receipt as { transactionHash: Hash }).transactionHash)
    }
    const head = Number(await node().rpc('eth_blockNumber'))
    const raw = await devAccount(2).signTransaction({
      chainId: 31337,
      to: SOMEBODY,
      nonce: 0,
      gas: 21_000n,
      gasPrice: 10_000_000_000n,
      value: 9n,
    })
    expect(
      await node().rpc('anvil_reorg', 2, [
        [{ from, to: SOMEBODY, value: '0x7' }, 1],
        [raw, 0],
      ]),
    ).toBeNull()
    expect(Number(await node().rpc('eth_blockNumber'))).toBe(head)
    const valuesIn = async (number: number) => {
      const block = await node().rpc('eth_getBlockByNumber', `0x${number.toString(16)}`, true)
      return (block as { transactions: readonly { value: Hex }[] }).transactions.map(({ value }) => value)
    }
    expect([await valuesIn(head - 2), await valuesIn(head - 1), await valuesIn(head)]).toEqual([
      ['0x1'],
      ['0x9'],
      ['0x7'],
    ])
    expect(await node().rpc('eth_getTransactionByHash', sent[2])).toBeNull()
    // The nonce is used: anvil leaves it out without a word.
    const used = node().rpc('anvil_reorg', 1, [[{ from, to: SOMEBODY, nonce: '0x0', gas: '0x5208' }, 0]])
    await used.catch((error: unknown) => expect(error).toMatchObject({ message: 'nonce too low' }))
    expect(Number(await node().rpc('eth_blockNumber'))).toBe(head)
    expect(await valuesIn(head)).toEqual([])
    const beyond = node().rpc('anvil_reorg', 1, [[{ from, to: SOMEBODY }, 1]])
    await expect(beyond).rejects.toThrow(/^Block number for reorg tx will exceed the reorged chain height/)
    await expect(node().rpc('anvil_reorg', 10_000, [])).rejects.toMatchObject({ code: -32_602 })
  })
})
