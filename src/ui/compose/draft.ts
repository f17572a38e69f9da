import { create } from 'zustand'
import { quickRecipient } from '#ui/own/use-send.ts'

/** Kind of a transaction; `raw` is one that was signed elsewhere. */
export type DraftKind = 'transfer' | 'call' | 'deploy' | 'raw'

/** EIP-2718 type of what the page signs. */
export type DraftType = '0' | '1' | '2' | '4'

/** The typed fields, untouched. An empty nonce, gas limit or fee means: as the page suggests. */
export interface Draft {
  readonly to: string
  /** ETH that a transfer moves. */
  readonly value: string
  /** Address that a call goes to. */
  readonly contract: string
  /** ETH that goes with a call or a deployment. */
  readonly callValue: string
  /** The form in which a call's data is given. */
  readonly dataBy: 'signature' | 'bytes'
  /** `transfer(address,uint256)`. */
  readonly signature: string
  /** One text for each parameter of the signature. */
  readonly args: readonly string[]
  /** Hex. */
  readonly data: string
  /** Hex. */
  readonly bytecode: string
  /** Hex. */
  readonly constructorArgs: string
  /** Hex of a signed transaction. */
  readonly raw: string
  readonly type: DraftType
  /** Position of the development account that a type 4 transaction gives code; empty for the sender. */
  readonly authority: string
  /** The contract whose code it gets. */
  readonly delegate: string
  readonly nonce: string
  readonly gas: string
  /** Gwei: the fee cap, or the gas price of the types 0 and 1. */
  readonly feeCap: string
  /** Gwei. */
  readonly tip: string
  readonly copies: string
}

/** Code of ten bytes that returns 42, and the five instructions that deploy it. */
const ANSWER_INITCODE = '0x600a600c600039600a6000f3602a60005260206000f3'

const RECIPIENT = quickRecipient(0)
/** Contracts that the chain has from block 0 on; the first keeps allowances of any token. */
const PERMIT2 = '0x000000000022d473030f116ddee9f6b43ac78ba3'
const MULTICALL3 = '0xca11bde05977b3631167028862be2a173976ca11'

const INITIAL: Draft = {
  to: RECIPIENT,
  value: '0.01',
  contract: PERMIT2,
  callValue: '0',
  dataBy: 'signature',
  signature: 'approve(address token, address spender, uint160 amount, uint48 expiration)',
  args: [MULTICALL3, RECIPIENT, '1000', '0'],
  data: '0x',
  bytecode: ANSWER_INITCODE,
  constructorArgs: '0x',
  raw: '',
  type: '2',
  authority: '',
  delegate: MULTICALL3,
  nonce: '',
  gas: '',
  feeCap: '',
  tip: '',
  copies: '1',
}

/** The draft outlives the screen: nothing that was typed is lost by looking at something else. */
export const useDraft = create<Draft>()(() => INITIAL)

export function editDraft(change: Partial<Draft>): void {
  useDraft.setState(change)
}
