/** The query of `GET rpc/events`: the parameters of `eth_subscribe`. */
export type AskedSubscription =
  | { readonly kind: string; readonly params: readonly unknown[] }
  /** Why the query is invalid, for people. */
  | { readonly problem: string }

/**
 * Reads `?kind=…&mode=…` or `?kind=…&params=…`. `mode` is the second parameter of `eth_subscribe` as a word (`diff`,
 * `true`). `params` is JSON: an array of all parameters after the kind, or a single one, such as a filter. The node
 * decides whether it knows the kind and accepts the parameters.
 */
export function subscriptionOf(query: URLSearchParams): AskedSubscription {
  const kind = query.get('kind')
  const mode = query.get('mode')
  const params = query.get('params')
  if (!kind) return { problem: 'missing kind: rpc/events?kind=newPartialBlocks' }
  if (mode !== null && params !== null) return { problem: 'mode and params exclude each other' }
  if (mode !== null) return { kind, params: [mode === 'true' || mode === 'false' ? mode === 'true' : mode] }
  if (params === null) return { kind, params: [] }
  try {
    const parsed = JSON.parse(params) as unknown
    return { kind, params: Array.isArray(parsed) ? (parsed as unknown[]) : [parsed] }
  } catch (error) {
    return { problem: `params is not JSON: ${(error as SyntaxError).message}` }
  }
}
