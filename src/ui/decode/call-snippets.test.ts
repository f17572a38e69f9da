import { encodeFunctionData, erc20Abi, erc721Abi } from 'viem'
import { expect, test } from 'vitest'
import type { Address } from '#primitives/hex.ts'
import { callSnippets } from './call-snippets.ts'
import { decodeCall } from './decode-call.ts'

const ALICE: Address = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const TOKEN: Address = '0x7070707070707070707070707070707070707070'
const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [ALICE, 7n] })
const call = { from: ALICE, to: TOKEN, value: '0x0', input: transfer, blockNumber: '0x5' } as const

test('code for the console of the page makes the call on the state before the block', () => {
  const { inConsole } = callSnippets(call, undefined, undefined)
  expect(inConsole).toBe(
    `await devnet.request({ method: 'eth_call', params: [{"from":"${ALICE}","to":"${TOKEN}","data":"${transfer}"},"0x4"] })`,
  )
  expect(callSnippets({ ...call, blockNumber: null }, undefined, undefined).inConsole).toContain('"latest"')
})

test('cast calls the function by its name, on the state before the block', () => {
  const { cast } = callSnippets(call, decodeCall(new Map(), TOKEN, transfer), undefined)
  expect(cast).toBe(
    `cast call --rpc-url 'http://127.0.0.1:8545' --from ${ALICE} --block 4 ${TOKEN} 'transfer(address,uint256)' 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266 7`,
  )
})

test('arguments that are not plain words, or not decoded, are passed as bytes', () => {
  const args = [ALICE, TOKEN, 1n, '0x'] as const
  const input = encodeFunctionData({ abi: erc721Abi, functionName: 'safeTransferFrom', args: [...args] })
  expect(callSnippets({ ...call, input: '0x1234' }, undefined, undefined).cast).toContain(`${TOKEN} --data 0x1234`)
  expect(callSnippets({ ...call, input }, decodeCall(new Map(), TOKEN, input), undefined).cast).toContain(
    "'safeTransferFrom(address,address,uint256,bytes)'",
  )
})

test('a transfer of ETH has no data, and a contract is created', () => {
  const plain = callSnippets({ ...call, input: '0x', value: '0x5', blockNumber: null }, undefined, 'http://a.example')
  expect(plain.cast).toBe(`cast call --rpc-url 'http://a.example' --from ${ALICE} --value 5 ${TOKEN}`)
  expect(callSnippets({ ...call, to: null, input: '0x6000' }, undefined, undefined).cast).toContain('--create 0x6000')
})

test('viem makes the same call, in the page or at the endpoint', () => {
  const { viem } = callSnippets(call, decodeCall(new Map(), TOKEN, transfer), undefined)
  expect(viem).toContain('custom(window.devnet)')
  expect(viem).toContain('// transfer(to: 0xf39f…2266, amount: 7)')
  expect(viem).toContain(`data: '${transfer}'`)
  expect(viem).toContain('blockNumber: 4n')
  expect(callSnippets(call, undefined, 'wss://a.example').viem).toContain('webSocket("wss://a.example")')
})
