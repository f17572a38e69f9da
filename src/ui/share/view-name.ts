/** What a screen shows, as one would say it when sharing it. */
export function viewName(path: string): string {
  const [, screen = '', , tab] = path.split('/')
  if (tab === 'debug') return 'This view'
  return { tx: 'This transaction', block: 'This block', address: 'This account' }[screen] ?? 'This view'
}

/** The transaction whose screen this is. */
export function viewedTransaction(path: string): `0x${string}` | undefined {
  return /^\/tx\/(0x[\da-f]{64})(\/|$)/i.exec(path)?.[1]?.toLowerCase() as `0x${string}` | undefined
}
