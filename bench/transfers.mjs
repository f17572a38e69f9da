import { mnemonicToAccount } from 'viem/accounts'

const MNEMONIC = 'test test test test test test test test test test test junk'

/**
 * Plain transfers from one development account, with nonces counting up from 0.
 *
 * @param {number} [addressIndex]
 */
export function signedTransfers(addressIndex = 0) {
  const account = mnemonicToAccount(MNEMONIC, { addressIndex })
  let nonce = 0
  return (/** @type {number} */ count) =>
    Promise.all(
      Array.from({ length: count }, () =>
        account.signTransaction({
          type: 'eip1559',
          chainId: 31337,
          nonce: nonce++,
          to: `0x${'d0'.repeat(20)}`,
          value: 1n,
          gas: 21_000n,
          maxFeePerGas: 20_000_000_000n,
          maxPriorityFeePerGas: 1_000_000_000n,
        }),
      ),
    )
}
