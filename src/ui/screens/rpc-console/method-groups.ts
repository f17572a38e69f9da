/** Methods that share what stands before the underscore. */
export interface MethodGroup<Method> {
  readonly namespace: string
  readonly methods: readonly Method[]
}

/** What a newcomer needs first; the others follow by the alphabet. */
const FIRST = ['eth', 'chain', 'devnet', 'debug', 'txpool', 'net', 'web3', 'wallet', 'personal', 'rpc']

/** `eth` of `eth_call`; `rpc` of `rpc.discover`. */
function namespaceOf(name: string): string {
  return /^[^_.]*/.exec(name)?.[0] ?? name
}

/**
 * The methods whose name or summary has every word of the search in it, by namespace. Those that have them in their
 * name come first in their group.
 */
export function groupMethods<Method extends { readonly name: string; readonly summary: string }>(
  methods: readonly Method[],
  search: string,
): readonly MethodGroup<Method>[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const groups = new Map<string, Method[]>()
  for (const method of methods) {
    const text = `${method.name} ${method.summary}`.toLowerCase()
    if (!words.every((word) => text.includes(word))) continue
    const namespace = namespaceOf(method.name)
    groups.set(namespace, [...(groups.get(namespace) ?? []), method])
  }
  const inName = ({ name }: Method) => words.every((word) => name.toLowerCase().includes(word))
  return [...groups]
    .toSorted(([a], [b]) => rank(a) - rank(b) || a.localeCompare(b))
    .map(([namespace, found]) => ({
      namespace,
      methods: found.toSorted((a, b) => Number(inName(b)) - Number(inName(a)) || a.name.localeCompare(b.name)),
    }))
}

function rank(namespace: string): number {
  const index = FIRST.indexOf(namespace)
  return index < 0 ? FIRST.length : index
}
