import { create } from 'zustand'
import { quickRecipient } from '#ui/own/use-send.ts'

/** Kind of a transaction; `raw` was signed elsewhere. */
export type DraftKind = 'transfer' | 'call' | 'deploy' | 'raw'

/** EIP-2718 type of a transaction signed by the page. */
export type DraftType = '0' | '1' | '2' | '4'

/** The fields as typed. An empty nonce, gas limit or fee means the page's suggestion. */
export interface Draft {
  readonly to: string
  /** Amount of a transfer in ETH. */
  readonly value: string
  /** Address of the called contract. */
  readonly contract: string
  /** Amount sent with a call or a deployment, in ETH. */
  readonly callValue: string
  /** How a call's data is entered. */
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
  /** Index of the development account that a type 4 transaction delegates; empty for the sender. */
  readonly authority: string
  /** The contract to whose code it delegates. */
  readonly delegate: string
  readonly nonce: string
  readonly gas: string
  /** The fee cap in gwei, or the gas price for types 0 and 1. */
  readonly feeCap: string
  /** Gwei. */
  readonly tip: string
  readonly copies: string
}

/** Code of ten bytes that returns 42, and the five instructions that deploy it. */
const ANSWER_INITCODE = '0x600a600c600039600a6000f3602a60005260206000f3'

const RECIPIENT = quickRecipient(0)
/** Contracts that exist from block 0 on; the first manages allowances of any token. */
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

/** The draft outlives the screen, so typed values survive a visit to another screen. */
export const useDraft = create<Draft>()(() => INITIAL)

export function editDraft(change: Partial<Draft>): void {
  useDraft.setState(change)
}
