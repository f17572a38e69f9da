/** What a signature needs of a parameter of an ABI. */
interface TypedParameter {
  readonly type: string
  /** Members of a struct. */
  readonly components?: readonly TypedParameter[] | undefined
}

/** The canonical signature of a function, event or error, which is what is hashed: `f(uint256,(address,bool)[])`. */
export function signatureOf(name: string, parameters: readonly TypedParameter[]): string {
  return `${name}(${parameters.map(canonicalType).join(',')})`
}

function canonicalType({ type, components }: TypedParameter): string {
  if (!type.startsWith('tuple')) return type
  return `(${(components ?? []).map(canonicalType).join(',')})${type.slice('tuple'.length)}`
}
