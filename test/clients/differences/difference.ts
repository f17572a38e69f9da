import type { DialectFacts } from '#rpc-types/dialects.ts'
import type { MethodName } from '#rpc-types/methods.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'

// Where Blinknet and other nodes differ, as data: one table for each node, in a file or a folder of its name. `npm run docs`
// makes the tables of DIFFERENCES.md and of docs/moving.md from them. Cells are Markdown. Only tests import this.

/** A fact of `DIALECTS` besides its options. */
export type FactName = Exclude<keyof DialectFacts, 'options'>

/** What of `--as` makes a difference go away. At least one of these is there. */
export interface MadeEqual {
  /** Options that it puts on. */
  readonly options?: readonly (keyof NodeOptions)[]
  /** Facts of its entry in `DIALECTS`. */
  readonly facts?: readonly FactName[]
  /** Methods that it answers in its own way. */
  readonly manners?: readonly MethodName[]
  /** Methods that it does not have. */
  readonly lacks?: readonly string[]
  /** The beginning of its words for a refusal, as its source has them. */
  readonly words?: readonly string[]
  /** Tests that show it. */
  readonly tests?: readonly Evidence[]
}

/** A file of tests and the title of a test, or of a group of calls that it compares. */
export type Evidence = readonly [file: string, title: string]

/** What to write here in place of what is written for the other node. */
export interface Instead {
  readonly from: string
  readonly to: string
}

export interface Difference {
  readonly about: string
  readonly here: string
  readonly there: string
  readonly as?: MadeEqual
  readonly instead?: Instead | readonly Instead[]
}

/** All differences from a node, by the section that has their table. */
export interface NodeDifferences {
  /** As heads of tables name it. */
  readonly name: string
  readonly sections: Readonly<Record<string, readonly Difference[]>>
  /** What to write instead where the rows above say nothing of it. */
  readonly moves?: readonly Instead[]
}
