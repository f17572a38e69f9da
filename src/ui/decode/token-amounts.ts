/** Which arguments of the calls, events and errors of ERC-20 tokens are amounts. */
const AMOUNTS: ReadonlyMap<string, readonly number[]> = new Map([
  ['Transfer(address,address,uint256)', [2]],
  ['Approval(address,address,uint256)', [2]],
  ['transfer(address,uint256)', [1]],
  ['approve(address,uint256)', [1]],
  ['transferFrom(address,address,uint256)', [2]],
  ['increaseAllowance(address,uint256)', [1]],
  ['decreaseAllowance(address,uint256)', [1]],
  ['mint(address,uint256)', [1]],
  ['burn(uint256)', [0]],
  ['burn(address,uint256)', [1]],
  ['burnFrom(address,uint256)', [1]],
  ['ERC20InsufficientBalance(address,uint256,uint256)', [1, 2]],
  ['ERC20InsufficientAllowance(address,uint256,uint256)', [1, 2]],
])

/** Read functions of ERC-20 tokens that answer an amount. */
const ANSWERS: ReadonlySet<string> = new Set([
  'totalSupply()',
  'balanceOf(address)',
  'allowance(address,address)',
  'cap()',
])

/** Positions of the arguments that are amounts of the token which is called, or which emits or reverts. */
export function amountArguments(signature: string): readonly number[] {
  return AMOUNTS.get(signature) ?? []
}

/** Whether a read function of a token answers an amount of that token. */
export function answersAmount(signature: string): boolean {
  return ANSWERS.has(signature)
}
