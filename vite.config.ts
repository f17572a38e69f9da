import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { serviceWorker } from './.ci/service-worker-build.mjs'
import { walletScript } from './.ci/wallet-build.mjs'

/** @param hosts - Besides its own, those that the page may connect to. */
const policy = (hosts: string) =>
  [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self'",
    `connect-src 'self'${hosts}`,
    // Dapps of the same origin, which the page is a wallet for.
    "frame-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    // The one policy of src/client/trusted-script-url.ts.
    'trusted-types blinknet',
  ].join('; ')

const PAGE_POLICY = policy('')
/** Of the entry that attaches to a chain at any address; a policy that holds cannot be widened by the page. */
const REMOTE_POLICY = policy(' http: https: ws: wss:')
const REMOTE_PAGE = 'remote.html'

/** Puts the policy into the built page, for hosts that cannot set headers; dev needs inline scripts for hot reload. */
const contentSecurityPolicy: Plugin = {
  name: 'blinknet-content-security-policy',
  apply: 'build',
  transformIndexHtml: (_html, { path }) => {
    const content = path === `/${REMOTE_PAGE}` ? REMOTE_POLICY : PAGE_POLICY
    return [{ tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content }, injectTo: 'head-prepend' }]
  },
}

/** Has the preview send each entry its own policy: both a header and the meta element have to allow something. */
const remotePolicyHeader: Plugin = {
  name: 'blinknet-remote-policy-header',
  configurePreviewServer({ middlewares, config }) {
    middlewares.use(`${config.base}${REMOTE_PAGE}`, (_request, response, next) => {
      const setHeader = response.setHeader.bind(response)
      response.setHeader = (name, value) =>
        setHeader(name, name === 'Content-Security-Policy' ? withFrameAncestors(REMOTE_POLICY) : value)
      next()
    })
  },
}

/** A meta element cannot carry this part. */
function withFrameAncestors(pagePolicy: string): string {
  return `${pagePolicy}; frame-ancestors 'self'`
}

const target = ['chrome123', 'firefox128', 'safari17.5']

export default defineConfig({
  // Routes are paths (`/block/7`), so assets must not be relative to them. `--base /folder/` wins over the variable.
  base: process.env['BLINKNET_BASE'] ?? '/',
  plugins: [react(), contentSecurityPolicy, remotePolicyHeader, walletScript(), serviceWorker()],
  worker: { format: 'es' },
  build: {
    outDir: 'dist/page',
    target,
    cssTarget: target,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: ['index.html', REMOTE_PAGE] },
  },
  preview: {
    headers: {
      'Content-Security-Policy': withFrameAncestors(PAGE_POLICY),
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
    },
  },
})
