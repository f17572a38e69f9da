// What TypeScript knows of an ABI that is written `as const`: names and arguments of its events, errors and functions.

/** A parameter as ABIs have it. */
export interface AbiParameterLike {
  readonly name?: string | undefined
  readonly type: string
  readonly components?: readonly AbiParameterLike[] | undefined
  /** Whether the parameter of an event is one of the topics of its logs. */
  readonly indexed?: boolean | undefined
}

/** An entry of an ABI. */
export interface AbiItemLike {
  readonly type: string
  readonly name?: string | undefined
  readonly inputs?: readonly AbiParameterLike[] | undefined
  readonly outputs?: readonly AbiParameterLike[] | undefined
  /** Whether the logs of an event do not say that they are of it. */
  readonly anonymous?: boolean | undefined
}

/** An ABI. With `as const` its names and arguments are checked. */
export type AbiLike = readonly AbiItemLike[]

/** Kinds of entries that have a name and arguments. */
export type AbiKind = 'event' | 'error' | 'function'

/** Names of an ABI's errors, and of Solidity's own two, which no ABI lists. */
export type ErrorNames<Abi extends AbiLike> = AbiNames<Abi, 'error'> | 'Error' | 'Panic'

type ItemsOf<Abi extends AbiLike, Kind extends AbiKind> = Extract<Abi[number], { readonly type: Kind }>

/** Names of an ABI's events, errors or functions; any text if TypeScript does not know them. */
export type AbiNames<Abi extends AbiLike, Kind extends AbiKind> = string extends Abi[number]['type']
  ? string
  : ItemsOf<Abi, Kind> extends { readonly name: infer Name extends string }
    ? Name
    : never

type ScalarOf<Type extends string> = Type extends 'address' | 'function' | `bytes${string}`
  ? `0x${string}`
  : Type extends 'bool'
    ? boolean
    : Type extends 'string'
      ? string
      : Type extends `${'u' | ''}int${string}`
        ? bigint | number
        : unknown

type ElementOf<Parameter extends AbiParameterLike, Element extends string> = Parameter extends {
  readonly components: infer Components extends readonly AbiParameterLike[]
}
  ? { readonly type: Element; readonly components: Components }
  : { readonly type: Element }

/** A value of a parameter: numbers as `bigint` or `number`, bytes and addresses in hex, tuples by their names. */
export type AbiValueOf<Parameter extends AbiParameterLike> = Parameter['type'] extends `${infer Element}[${infer Rest}`
  ? Rest extends `${string}[${string}`
    ? readonly unknown[]
    : readonly AbiValueOf<ElementOf<Parameter, Element>>[]
  : Parameter['type'] extends 'tuple'
    ? Parameter extends { readonly components: infer Components extends readonly AbiParameterLike[] }
      ? NamedValues<Components>
      : unknown
    : ScalarOf<Parameter['type']>

type NamedValues<Parameters extends readonly AbiParameterLike[]> = {
  readonly [Each in Parameters[number] as Each extends { readonly name: infer Name extends string }
    ? Name
    : never]?: AbiValueOf<Each>
}

type ValuesInOrder<Parameters extends readonly AbiParameterLike[]> = {
  readonly [Place in keyof Parameters]: AbiValueOf<Parameters[Place]>
}

/** Arguments of an event, an error or a function: some of them by their names, or all in their order. */
export type AbiArguments<
  Abi extends AbiLike,
  Kind extends AbiKind,
  Name extends string,
> = string extends Abi[number]['type']
  ? Readonly<Record<string, unknown>> | readonly unknown[]
  : Extract<ItemsOf<Abi, Kind>, { readonly name: Name }> extends {
        readonly inputs: infer Inputs extends readonly AbiParameterLike[]
      }
    ? NamedValues<Inputs> | ValuesInOrder<Inputs>
    : never

/** Numbers that are read as `number`, as viem reads them; larger ones are `bigint`. */
type SmallBits = '8' | '16' | '24' | '32' | '40' | '48'

/** A value as it is read from a log. */
type ReadValue<Parameter extends AbiParameterLike> = Parameter['type'] extends `${'u' | ''}int${infer Bits}`
  ? Bits extends SmallBits
    ? number
    : Bits extends `${string}[${string}`
      ? readonly unknown[]
      : bigint
  : Parameter['type'] extends `${string}[${string}` | 'tuple'
    ? unknown
    : ScalarOf<Parameter['type']>

/** The arguments of an event by their names, as they are read from a log; a text that is indexed is its hash. */
export type EventArguments<Abi extends AbiLike, Name extends string> = string extends Abi[number]['type']
  ? Readonly<Record<string, unknown>>
  : Extract<ItemsOf<Abi, 'event'>, { readonly name: Name }> extends {
        readonly inputs: infer Inputs extends readonly AbiParameterLike[]
      }
    ? {
        readonly [Each in Inputs[number] as Each extends { readonly name: infer Named extends string }
          ? Named
          : never]: ReadValue<Each>
      }
    : never

/** What a function returns: nothing, its one value, or all of them in their order. */
export type AbiReturns<Abi extends AbiLike, Name extends string> = string extends Abi[number]['type']
  ? unknown
  : Extract<ItemsOf<Abi, 'function'>, { readonly name: Name }> extends {
        readonly outputs: infer Outputs extends readonly AbiParameterLike[]
      }
    ? Outputs extends readonly []
      ? null
      : Outputs extends readonly [infer Only extends AbiParameterLike]
        ? AbiValueOf<Only>
        : ValuesInOrder<Outputs>
    : unknown
