// The floor of what a page gets by `fetch` from a service worker: it reads the request and answers with a constant. It runs no chain.
addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(clients.claim()))
addEventListener('fetch', (event) => {
  if (new URL(event.request.url).pathname !== '/constant') return
  const answer = JSON.stringify({ jsonrpc: '2.0', id: 1, result: '0x1' })
  event.respondWith(
    event.request.text().then(() => new Response(answer, { headers: { 'Content-Type': 'application/json' } })),
  )
})
