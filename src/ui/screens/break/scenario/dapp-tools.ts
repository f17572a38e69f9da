import type { Address } from '#primitives/hex.ts'

/** How a dapp means what it shows. */
export type DappClaim =
  /** The dapp waits, and says so. */
  | 'busy'
  /** The payment is likely, and not final. */
  | 'early'
  /** The payment is made. */
  | 'paid'
  /** The payment was not made. */
  | 'failed'

/** What a subscription tells; `undefined`: the stream has ended. */
export type StreamEvent = Readonly<Record<string, unknown>> | undefined

/** A dapp's own code runs with these: its chain, its screen and its clock. */
export interface DappTools {
  /** @throws {CallError} As the chain, or what stands for it, answers. */
  readonly request: (method: string, params?: readonly unknown[]) => Promise<unknown>
  /** Shows one line to the person. */
  readonly show: (text: string, claim: DappClaim) => void
  /** The next tick of the chain's clock. */
  readonly tick: () => Promise<void>
  /**
   * The next event of a subscription, or that a subscription has ended.
   *
   * @param ticks - How long to wait at most. `'quiet'`: nothing came.
   */
  readonly event: (ticks?: number) => Promise<StreamEvent | 'quiet'>
}

/** A chain's refusal of a call. */
export class CallError extends Error {
  override readonly name = 'CallError'
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** What is paid for, and by whom. */
export interface Order {
  readonly from: Address
  readonly to: Address
  readonly value: `0x${string}`
}

/** What a dapp reads of a receipt. */
export interface ReceiptPart {
  /** Zero while the receipt is that of a pre-confirmation. */
  readonly blockHash: string
  readonly blockNumber: string
  readonly status: string
}

/** The code of a dapp: pays, and tells the person how it stands. */
export type Dapp = (tools: DappTools, order: Order) => Promise<void>

/** Whether a receipt is that of a sealed block. */
export const isSealed = ({ blockHash }: ReceiptPart): boolean => Number(blockHash) !== 0
