import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { compileStandard } from '#testing/solidity/solc.ts'
import { GAS_PRICE_ORACLE_CODE, L1_BLOCK_CODE, MESSAGE_PASSER_CODE, withPredeploys } from './predeploys.ts'

const CODES = {
  L1Block: L1_BLOCK_CODE,
  GasPriceOracle: GAS_PRICE_ORACLE_CODE,
  L2ToL1MessagePasser: MESSAGE_PASSER_CODE,
}

test.each(Object.entries(CODES))('the code of %s is compiled from the source beside it', (name, code) => {
  const content = readFileSync(path.join(import.meta.dirname, `${name}.sol`), 'utf8')
  const settings = {
    evmVersion: 'prague',
    optimizer: { enabled: true, runs: 200 },
    metadata: { bytecodeHash: 'none', appendCBOR: false },
  }
  const { output } = compileStandard({ [`${name}.sol`]: content }, settings)
  expect(`0x${output.contracts[`${name}.sol`]?.[name]?.evm.deployedBytecode.object}`).toBe(code)
})

test('an account of block 0 overrides fields of a predeploy, and slots of its storage', () => {
  const L1 = '0x4200000000000000000000000000000000000015'
  const slot = (number: number) => `0x${number.toString(16).padStart(64, '0')}` as const
  const alloc = withPredeploys({ [L1]: { balance: 5n, storage: { [slot(1)]: slot(7) } }, '0x01': { balance: 1n } })
  expect(alloc[L1]).toMatchObject({ balance: 5n, nonce: 1n, code: L1_BLOCK_CODE })
  expect(alloc[L1]?.storage).toMatchObject({ [slot(1)]: slot(7), [slot(7)]: slot(1_000_000_000) })
  expect(alloc['0x01']).toEqual({ balance: 1n })
})
