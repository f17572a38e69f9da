/** Gas refunded at the end of the transaction (EIP-3529). */
export let refunded: i64 = 0

export function setRefund(gas: i64): void {
  refunded = gas
}

export function refund(gas: i64): void {
  refunded += gas
}
