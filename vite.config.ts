import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "connect-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "object-src 'none'",
].join('; ')

/** Puts the policy into the built page, for hosts that cannot set headers; dev needs inline scripts for hot reload. */
const contentSecurityPolicy: Plugin = {
  name: 'blinknet-content-security-policy',
  apply: 'build',
  transformIndexHtml: () => [
    { tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: PAGE_POLICY }, injectTo: 'head-prepend' },
  ],
}

const target = ['chrome123', 'firefox128', 'safari17.5']

export default defineConfig({
  // Routes are paths (`/block/7`), so assets must not be relative to them.
  base: '/',
  plugins: [react(), contentSecurityPolicy],
  worker: { format: 'es' },
  build: { outDir: 'dist/page', target, cssTarget: target, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  preview: {
    headers: {
      // A meta element cannot carry frame-ancestors.
      'Content-Security-Policy': `${PAGE_POLICY}; frame-ancestors 'self'`,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
    },
  },
})
