import { encodeFunctionData, parseAbi } from 'viem'
import { compileStandard } from '../src/testing/solidity/solc.ts'
import { expect, type Playground } from './playground.ts'

type Hex = `0x${string}`

/** The development accounts 0 and 1. */
export const ALICE: Hex = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
export const BOB: Hex = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
export const MULTICALL3: Hex = '0xca11bde05977b3631167028862be2a173976ca11'

/** A token with the calls, events and errors of ERC-20 and ERC-6093; the deployer has 1,000. */
const SOURCE = `
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Token {
  error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed);
  event Transfer(address indexed from, address indexed to, uint256 amount);
  mapping(address => uint256) public balanceOf;
  constructor() { balanceOf[msg.sender] = 1000; emit Transfer(address(0), msg.sender, 1000); }
  function transfer(address to, uint256 amount) external returns (bool) {
    uint256 balance = balanceOf[msg.sender];
    if (balance < amount) revert ERC20InsufficientBalance(msg.sender, balance, amount);
    balanceOf[msg.sender] = balance - amount;
    balanceOf[to] += amount;
    emit Transfer(msg.sender, to, amount);
    return true;
  }
}`

export const tokenAbi = parseAbi([
  'function transfer(address to, uint256 amount) returns (bool)',
  'function balanceOf(address) view returns (uint256)',
])

/** The token's initcode. */
export function compileToken(): Hex {
  const { contracts } = compileStandard({ 'Token.sol': SOURCE }).output
  return `0x${contracts['Token.sol']?.['Token']?.evm.bytecode.object ?? ''}`
}

/** Sends a transaction from a development account. Returns its hash. */
export async function sendFrom(
  playground: Playground,
  tx: { from: Hex; to?: Hex; input?: Hex; value?: Hex; gas?: Hex },
): Promise<Hex> {
  return (await playground.request('eth_sendTransaction', [tx])) as Hex
}

/** Deploys the token from Alice's account and pre-confirms it. */
export async function deployToken(playground: Playground): Promise<{ address: Hex; hash: Hex }> {
  const hash = await sendFrom(playground, { from: ALICE, input: compileToken() })
  await playground.tick()
  const receipt = (await playground.request('eth_getTransactionReceipt', [hash])) as { contractAddress: Hex }
  expect(receipt.contractAddress).toMatch(/^0x/)
  return { address: receipt.contractAddress, hash }
}

export const transferData = (to: Hex, amount: bigint): Hex =>
  encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [to, amount] })
