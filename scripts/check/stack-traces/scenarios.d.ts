/** What `explain-failure.test.ts` writes for the others to run. */
export interface Scenarios {
  /** The compiler's version. */
  readonly solc: string
  readonly variants: Readonly<Record<string, ScenarioVariant>>
}

/** One way to compile. */
export interface ScenarioVariant {
  /** Standard JSON. */
  readonly input: {
    readonly sources: Readonly<Record<string, { readonly content: string }>>
    readonly settings: { readonly viaIR?: boolean; readonly optimizer?: { readonly enabled: boolean } }
  }
  readonly output: unknown
  /** Transactions that deploy, in this order. */
  readonly creations: readonly { readonly from: string; readonly data: string; readonly gas: string }[]
  readonly calls: readonly ScenarioCall[]
  /** Where the library is. */
  readonly maths: string
}

/** A transaction that fails. */
export interface ScenarioCall {
  readonly name: string
  readonly from: string
  /** Left out, it creates a contract. */
  readonly to?: string
  readonly data: string
  readonly value: string
  readonly gas: string
}
