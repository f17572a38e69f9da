import { expect, test } from 'vitest'
import { OtherOptionsError } from '#node/persistence/chain-record.ts'
import { explainOtherOptions } from './explain-other-options.ts'

test('an option that a stored chain has otherwise is named by its flag, and the chain by its directory', () => {
  const error = new OtherOptionsError('the stored chain was started with the default chainId, not 5', 'chainId')
  expect(explainOtherOptions(error, 'shop')).toBe(
    'shop (--data): the stored chain was started with the default chainId (--chain-id), not 5.',
  )
  expect(explainOtherOptions(new Error(error.message, { cause: error }))).toContain('chainId (--chain-id)')
})

test('another error is told as it is', () => {
  expect(explainOtherOptions(new Error('chainId is strange'), 'shop')).toBe('chainId is strange')
})
