import { expect, test } from 'vitest'
import { parseTransfer, type TransferFields } from './transfer-form.ts'

const BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

function errorsOf(fields: TransferFields) {
  return fields.ok ? {} : fields.errors
}

test('a checksummed address and a decimal amount make a transfer', () => {
  expect(parseTransfer({ to: ` ${BOB} `, value: '0.01' })).toEqual({
    ok: true,
    to: BOB.toLowerCase(),
    value: 10n ** 16n,
  })
  expect(parseTransfer({ to: BOB, value: '.5' })).toMatchObject({ ok: true, value: 5n * 10n ** 17n })
})

test('a wrong checksum and something that is not an address give different errors', () => {
  const broken = parseTransfer({ to: BOB.replace('0x70997970C', '0x70997970c'), value: '1' })
  expect(errorsOf(broken).to).toContain('checksum')
  const nonsense = parseTransfer({ to: '0x1234', value: '1' })
  expect(errorsOf(nonsense).to).toContain('40 hexadecimal digits')
})

test('every wrong field is reported at once', () => {
  const result = parseTransfer({ to: '', value: '-1' })
  expect(Object.keys(errorsOf(result))).toEqual(['to', 'value'])
})

test('amounts that cannot be expressed in wei are refused', () => {
  for (const value of ['', '1e3', '1,5', `0.${'1'.repeat(19)}`]) {
    expect(errorsOf(parseTransfer({ to: BOB, value })).value).toMatch(/\.$/)
  }
})
