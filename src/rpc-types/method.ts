import type { Address, Hash } from '#primitives/hex.ts'

/**
 * What a call does.
 *
 * - `reads`: it reads the chain or the node's settings.
 * - `exports`: it reads all of it, in one large answer.
 * - `signs`: it signs with a key of the node, and sends nothing.
 * - `session`: it changes what the node does for its callers, not the chain: subscriptions, filters, known sources.
 * - `wallet`: it is for a wallet, which asks a person; the node only answers.
 * - `submits`: it hands in a signed transaction. Its hash is the answer, so a second submission does no harm.
 * - `awaits`: it hands in a signed transaction and waits for its receipt. A second submission is refused as known.
 * - `changes`: it changes the chain, its clock or its settings.
 */
export type Effect = 'reads' | 'exports' | 'signs' | 'session' | 'wallet' | 'submits' | 'awaits' | 'changes'

/**
 * What an answer may be. `numbered` is an object that says which block it is, or is of; `bytes` are `0x` for what is not
 * there.
 */
export type AnswerShape = 'any' | 'boolean' | 'bytes' | 'list' | 'numbered' | 'object' | 'text'

/** Why a method about a block or a transaction is about this chain alone. */
type OwnReason =
  /** A call changes this chain. */
  | 'changes'
  /** The answer is about what this node was sent, and when. */
  | 'submission'
  /** The answer is about a block that was given, or one that this chain has made itself. */
  | 'block'
  /** A call executes step by step; no other node answers in this form. */
  | 'steps'
  /** The answer is about events to come. */
  | 'coming'
  /** The answer is a page of what this chain has, which no endpoint lists. */
  | 'listed'

/**
 * What a method is about. On a fork this decides who answers: the endpoint for what is up to the fork's block, this chain
 * for what comes after it. What the endpoint has after that block does not exist here.
 */
export type MethodSubject =
  /** No block, state or transaction is among its parameters, or only those that this node has. */
  | { readonly about: 'nothing' }
  | { readonly about: 'own'; readonly why: OwnReason }
  /** A block, at that place among its parameters. */
  | {
      readonly about: 'block'
      readonly at: number
      readonly by: 'hash' | 'number' | 'either'
      readonly answers: AnswerShape
    }
  /**
   * The state after a block, at that place among its parameters, or in that member of what is there. That of the fork's
   * block is here. `slots` are the slots that it names: some endpoints take only whole words.
   */
  | {
      readonly about: 'state'
      readonly at: number
      readonly member?: string
      readonly slots?: true
      readonly answers: AnswerShape
    }
  /** A transaction, whose hash is the first parameter. */
  | { readonly about: 'transaction'; readonly answers: AnswerShape }
  /** The logs that a query selects, its only parameter. */
  | { readonly about: 'logs' }
  /** The fees of a range of blocks, whose newest is the second parameter. */
  | { readonly about: 'fees' }
  /** Blocks of both sides: `node/fork/joined-methods.ts` has a function for it. */
  | { readonly about: 'both'; readonly answers: AnswerShape }

/**
 * A guest's right to call it, and its price: `call` reads something small, `heavy` executes, searches or answers much.
 * What is `never` a guest's is the speaker's.
 */
export type GuestRight = 'never' | 'call' | 'heavy' | 'transaction' | 'subscription'

/** What a wallet asks a person before the call, and where the account and the message are among the parameters. */
export type Approval =
  | { readonly asks: 'message'; readonly account: number; readonly message: number }
  | { readonly asks: 'typed-data' }
  | { readonly asks: 'transaction'; readonly sent: boolean }
  | { readonly asks: 'calls' }

/** All that is to know of a method besides its parameters, its result and its handler. */
export interface MethodFacts<Params extends readonly unknown[] = readonly unknown[]> {
  readonly effect: Effect
  readonly subject: MethodSubject
  readonly guest: GuestRight
  /** Other names, used by code for Base, for OpenRPC, for other wallets or for other development nodes. */
  readonly aliases?: readonly string[]
  readonly approval?: Approval
  /** Parameters that the console proposes, where the types alone do not say what makes sense. */
  readonly example?: Params
}

/** The facts of a namespace's methods. Does not compile while a method has none. */
export type FactsOf<Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends { readonly params: infer Params extends readonly unknown[] }
    ? MethodFacts<Params>
    : never
}

/** Things that are there on this chain, for examples. */
export interface ExampleContext {
  readonly account: Address
  readonly other: Address
  readonly blockHash: Hash
  readonly transactionHash: Hash
}

/** Stands in an example for a thing that is there on this chain. */
const placeholder = <Name extends keyof ExampleContext>(name: Name) => `{${name}}` as unknown as ExampleContext[Name]
export const ACCOUNT = placeholder('account')
export const OTHER = placeholder('other')
export const TRANSACTION = placeholder('transactionHash')

export const NOTHING = { about: 'nothing' } as const
export const LOGS = { about: 'logs' } as const
export const FEES = { about: 'fees' } as const
export const own = (why: OwnReason) => ({ about: 'own', why }) as const
export const blockBy = (by: 'hash' | 'number' | 'either', answers: AnswerShape) =>
  ({ about: 'block', at: 0, by, answers }) as const
export const stateAt = (at: number, answers: AnswerShape) => ({ about: 'state', at, answers }) as const
export const transaction = (answers: AnswerShape) => ({ about: 'transaction', answers }) as const
export const bothSides = (answers: AnswerShape) => ({ about: 'both', answers }) as const
