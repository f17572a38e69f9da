// What TypeScript knows of a storage layout that is written `as const`: its variables, the way to their parts, values.

/** A variable of a layout, or a member of a struct. */
interface PlaceLike {
  readonly label: string
  readonly slot: string
  readonly offset: number
  readonly type: string
}

/** A type of a layout. */
interface TypeLike {
  readonly encoding: string
  readonly label: string
  readonly numberOfBytes: string
  readonly base?: string | undefined
  readonly key?: string | undefined
  readonly value?: string | undefined
  readonly members?: readonly PlaceLike[] | undefined
}

/** What compilers write as `storageLayout`. With `as const` its variables and their values are checked. */
export interface StorageLayoutLike {
  readonly storage: readonly PlaceLike[]
  readonly types: Readonly<Record<string, TypeLike>> | null
}

/** An artifact that has it: Foundry's with `extra_output = ["storageLayout"]`, or a contract of a compiler's output. */
export interface StorageArtifactLike {
  readonly storageLayout: StorageLayoutLike
}

export type LayoutSource = StorageLayoutLike | StorageArtifactLike

type LayoutOf<Source extends LayoutSource> = Source extends StorageArtifactLike
  ? Source['storageLayout']
  : Source extends StorageLayoutLike
    ? Source
    : never

type IsKnown<Layout extends StorageLayoutLike> = string extends Layout['storage'][number]['label'] ? false : true

type TypeAt<Layout extends StorageLayoutLike, Id> = Id extends keyof Layout['types'] ? Layout['types'][Id] : never

type IdOf<Places extends readonly PlaceLike[], Name> = Extract<Places[number], { readonly label: Name }>['type']

/** Names of the variables; any text if TypeScript does not know them. */
export type VariableNames<Source extends LayoutSource> =
  IsKnown<LayoutOf<Source>> extends true ? LayoutOf<Source>['storage'][number]['label'] : string

type Key = bigint | number | boolean | string

type LeafOf<Label> = Label extends 'bool'
  ? boolean
  : Label extends 'string'
    ? string
    : Label extends `address${string}` | `contract ${string}` | `bytes${string}` | `function${string}`
      ? `0x${string}`
      : Label extends `${'u' | ''}int${string}`
        ? bigint | number
        : Label extends `enum ${string}`
          ? bigint | number
          : // A layout has the name alone of a user-defined value type.
            bigint | number | `0x${string}`

type ValueAt<Layout extends StorageLayoutLike, Id> =
  TypeAt<Layout, Id> extends { readonly encoding: 'mapping' }
    ? never
    : TypeAt<Layout, Id> extends { readonly members: infer Members extends readonly PlaceLike[] }
      ? { readonly [Member in Members[number] as Member['label']]?: ValueAt<Layout, Member['type']> }
      : TypeAt<Layout, Id> extends { readonly base: infer Base extends string }
        ? readonly ValueAt<Layout, Base>[]
        : TypeAt<Layout, Id> extends { readonly label: infer Label }
          ? LeafOf<Label>
          : unknown

type PartAt<Layout extends StorageLayoutLike, Id, Path extends readonly unknown[]> = Path extends readonly [
  infer First,
  ...infer Rest,
]
  ? TypeAt<Layout, Id> extends { readonly encoding: 'mapping'; readonly value: infer Value }
    ? PartAt<Layout, Value, Rest>
    : TypeAt<Layout, Id> extends { readonly members: infer Members extends readonly PlaceLike[] }
      ? PartAt<Layout, IdOf<Members, First>, Rest>
      : TypeAt<Layout, Id> extends { readonly base: infer Base extends string }
        ? PartAt<Layout, Base, Rest>
        : never
  : ValueAt<Layout, Id>

/** A value of the part that the keys lead to; `never` for a mapping, and for what the layout does not have. */
export type StorageValueOf<Source extends LayoutSource, Name, Keys extends readonly unknown[]> =
  IsKnown<LayoutOf<Source>> extends true
    ? PartAt<LayoutOf<Source>, IdOf<LayoutOf<Source>['storage'], Name>, Keys>
    : unknown

/** A place in the storage of a contract, as its source names it. */
export interface StoragePlace<
  Source extends LayoutSource,
  Name extends VariableNames<Source>,
  Keys extends readonly Key[],
> {
  /** The compiler's `storageLayout`, or an artifact that has it. */
  readonly layout: Source
  readonly variable: Name
  /** From the outside in: a key of each mapping, an index of each array, the name of a member of each struct. */
  readonly keys?: Keys
}
