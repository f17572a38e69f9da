import { DEFAULT_SERVER, NO_PORT, shellQuote } from '#ui/format/elsewhere.ts'

/** A way to make the same call elsewhere. */
export interface Snippet {
  readonly name: 'console' | 'fetch' | 'curl' | 'viem' | 'cast'
  /** The shell or program that it is for. */
  readonly note: string
  readonly text: string
  /** The code reaches another chain, on a server that the person has to start first. */
  readonly needsServer: boolean
}

/** The request, and the address of the node. */
export interface SnippetTarget {
  /** For scripts of this site, through the service worker; `undefined` if there is none. */
  readonly pageUrl: string | undefined
  /** The attached endpoint; `undefined` for the page's own chain. */
  readonly remoteUrl: string | undefined
}

/** A call for the browser's console, for scripts, and for other programs. */
export function snippetsOf(
  method: string,
  params: readonly unknown[],
  { pageUrl, remoteUrl }: SnippetTarget,
): readonly Snippet[] {
  const server = remoteUrl ?? DEFAULT_SERVER
  const isSocket = /^wss?:/.test(server)
  const needsServer = remoteUrl === undefined
  const outside = { note: needsServer ? 'your own server' : 'the endpoint of this page', needsServer }
  const inside = { needsServer: false }
  // Shell snippets have no comment: zsh does not allow them at its prompt.
  const comment = needsServer ? `// ${NO_PORT}\n` : ''
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const snippets: (Snippet | false)[] = [
    { name: 'console', note: 'the console of this page', text: consoleSnippet(method, params), ...inside },
    pageUrl !== undefined && {
      name: 'fetch',
      note: 'any script of this site',
      text: fetchSnippet(pageUrl, body),
      ...inside,
    },
    !isSocket && {
      name: 'curl',
      ...outside,
      text: `curl -s ${shellQuote(server)} -H 'content-type: application/json' --data-raw ${shellQuote(body)}`,
    },
    { name: 'viem', ...outside, text: `${comment}${viemSnippet(method, params, server, isSocket)}` },
    {
      name: 'cast',
      ...outside,
      text: `cast rpc --rpc-url ${shellQuote(server)} ${shellQuote(method)} --raw ${shellQuote(JSON.stringify(params))}`,
    },
  ]
  return snippets.filter((snippet) => snippet !== false)
}

function consoleSnippet(method: string, params: readonly unknown[]): string {
  return `await devnet.request({ method: ${JSON.stringify(method)}, params: ${JSON.stringify(params)} })`
}

function fetchSnippet(url: string, body: string): string {
  return [
    `const response = await fetch(${JSON.stringify(url)}, {`,
    `  method: 'POST',`,
    `  headers: { 'content-type': 'application/json' },`,
    `  body: ${JSON.stringify(body)},`,
    '})',
    'console.log(await response.json())',
  ].join('\n')
}

function viemSnippet(method: string, params: readonly unknown[], url: string, isSocket: boolean): string {
  const transport = isSocket ? 'webSocket' : 'http'
  return [
    `import { createPublicClient, ${transport} } from 'viem'`,
    '',
    `const client = createPublicClient({ transport: ${transport}(${JSON.stringify(url)}) })`,
    `console.log(await client.request({ method: ${JSON.stringify(method)}, params: ${JSON.stringify(params)} }))`,
  ].join('\n')
}
