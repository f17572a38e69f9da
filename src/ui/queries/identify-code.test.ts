import { readFileSync } from 'node:fs'
import { type Abi, toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import type { Address, Hex } from '#primitives/hex.ts'
import { WELL_KNOWN } from '#ui/decode/well-known.ts'
import { wellKnownContract } from './identify-code.ts'

/** A code of the node, which the page's tests may not import. */
function codeIn(file: string, constant: string): Hex {
  const text = readFileSync(`src/node/spec/${file}.ts`, 'utf8')
  const code = new RegExp(`${constant}(?:: Hex)? =\\s*'(0x[0-9a-f]+)'`).exec(text)?.[1]
  if (code === undefined) throw new Error(`no ${constant} in ${file}`)
  return code as Hex
}

const DEPLOYER = codeIn('preinstalled-contracts', 'CREATE2_DEPLOYER_CODE')
const GENESIS: readonly { readonly name: string; readonly address: Address; readonly code: Hex }[] = [
  { name: 'CREATE2 deployer', address: '0x4e59b44847b379578588920ca78fbf26c0b4956c', code: DEPLOYER },
  { name: 'Safe factory', address: '0x914d7fec6aac8cd542e72bca78b30650d45643d7', code: DEPLOYER },
  {
    name: 'Multicall3',
    address: '0xca11bde05977b3631167028862be2a173976ca11',
    code: codeIn('preinstalled-contracts', 'MULTICALL3_CODE'),
  },
  {
    name: 'Permit2',
    address: '0x000000000022d473030f116ddee9f6b43ac78ba3',
    code: codeIn('preinstalled-contracts', 'PERMIT2_CODE'),
  },
  {
    name: 'Block hashes (EIP-2935)',
    address: '0x0000f90827f1c53a10cb7a02335b175320002935',
    code: codeIn('system-contracts', 'HISTORY_STORAGE_CODE'),
  },
  {
    name: 'Beacon roots (EIP-4788)',
    address: '0x000f3df6d732807ef1319fb7b8bb8522d0beac02',
    code: codeIn('system-contracts', 'BEACON_ROOTS_CODE'),
  },
]
const PERMIT2: Address = '0x000000000022d473030f116ddee9f6b43ac78ba3'
const permit2Code = codeIn('preinstalled-contracts', 'PERMIT2_CODE')

test.each(GENESIS)(
  'the genesis block’s $name is known by its code, and by no other',
  async ({ name, address, code }) => {
    const contract = await wellKnownContract(address, code)
    expect(contract?.name).toBe(name)
    // The contract has functions, or it says how it is called.
    expect((contract?.abi.length ?? 0) > 0).toBe(contract?.wellKnown?.about === undefined)
    expect(await wellKnownContract(address, code)).toBe(contract)
    const last = code.endsWith('0') ? '1' : '0'
    const changed = `${code.slice(0, -1)}${last}` as Hex
    expect(await wellKnownContract(address, changed)).toBeUndefined()
    expect(await wellKnownContract(address, '0x')).toBeUndefined()
  },
)

test('Permit2 of another chain has other immutable variables, and is known, too', async () => {
  const bytes = permit2Code.slice(2)
  const at = 2 * 6983
  const elsewhere: Hex = `0x${bytes.slice(0, at)}${'ab'.repeat(32)}${bytes.slice(at + 64)}`
  expect(await wellKnownContract(PERMIT2, elsewhere)).toMatchObject({ name: 'Permit2' })
  const other: Hex = `0x${bytes.slice(0, at - 2)}${'ab'.repeat(33)}${bytes.slice(at + 64)}`
  expect(await wellKnownContract(PERMIT2, other)).toBeUndefined()
})

test('an address that is not well-known has no such contract, whatever its code', async () => {
  expect(await wellKnownContract(`0x${'12'.repeat(20)}`, permit2Code)).toBeUndefined()
})

test('every ABI has the functions for which the contract is known', async () => {
  const selectors = new Map<string, string>([
    ['Multicall3', 'aggregate3((address,bool,bytes)[])'],
    ['Permit2', 'approve(address,address,uint160,uint48)'],
    ['Wrapped Ether', 'deposit()'],
    ['EntryPoint 0.6 (ERC-4337)', 'getNonce(address,uint192)'],
    ['EntryPoint 0.7 (ERC-4337)', 'getNonce(address,uint192)'],
    ['EntryPoint 0.8 (ERC-4337)', 'getDomainSeparatorV4()'],
    ['Batch delegate', 'execute((address,uint256,bytes)[])'],
  ])
  for (const { name, loadAbi } of WELL_KNOWN.values()) {
    const signature = selectors.get(name)
    expect(loadAbi !== undefined).toBe(signature !== undefined)
    const abi: Abi = (await loadAbi?.()) ?? []
    const own = abi.filter((item) => item.type === 'function').map(toFunctionSelector)
    if (signature !== undefined) expect(own).toContain(toFunctionSelector(signature))
  }
})
