// Vite's plugins that build `wallet.js`, which a dapp of the same origin includes, into one file with a fixed name, for
// the build and the development server.
import { build } from 'vite'

const ENTRY = 'src/client/wallet/wallet-script.ts'
const OUTPUT = 'wallet.js'

/**
 * A second build beside the page's, as one script: a module sharing chunks with the page would import files with a hash
 * in their names. It is written before the bundle is closed, when the service worker's list of files is made.
 *
 * @returns {import('vite').Plugin[]}
 */
export function walletScript() {
  /** @type {import('vite').ResolvedConfig} */
  let config
  return [
    {
      name: 'blinknet-wallet-build',
      apply: 'build',
      configResolved(resolved) {
        config = resolved
      },
      async writeBundle() {
        await build({
          configFile: false,
          root: config.root,
          base: config.base,
          publicDir: false,
          logLevel: 'warn',
          build: {
            outDir: config.build.outDir,
            emptyOutDir: false,
            target: config.build.target,
            rolldownOptions: { input: ENTRY, output: { format: 'iife', entryFileNames: OUTPUT } },
          },
        })
      },
    },
    {
      name: 'blinknet-wallet-dev',
      apply: 'serve',
      configureServer(server) {
        // A module, so that the development server transforms its imports.
        server.middlewares.use(`${server.config.base}${OUTPUT}`, (_request, response) => {
          response.setHeader('Content-Type', 'text/javascript')
          response.end(`import '${server.config.base}${ENTRY}'\n`)
        })
      },
    },
  ]
}
