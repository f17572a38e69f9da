import { runnerImport } from 'vite'

/**
 * Works out the tables of `*.derived.ts` while building: the scripts then have the tables themselves, as JSON, and not the
 * values that they are made of.
 *
 * @returns {import('vite').Plugin}
 */
export function derivedTables() {
  return {
    name: 'blinknet-derived-tables',
    apply: 'build',
    load: {
      filter: { id: /\.derived\.ts$/ },
      async handler(id) {
        const { module, dependencies } = await runnerImport(id, { configFile: false, logLevel: 'error' })
        for (const file of dependencies) this.addWatchFile(file)
        return Object.entries(/** @type {Record<string, unknown>} */ (module))
          .map(([name, table]) => `export const ${name} = ${asJson(name, table)}`)
          .join('\n')
      },
    },
  }
}

/**
 * @param {string} name
 * @param {unknown} table
 * @throws {Error} If it is not the same after a way through JSON.
 */
function asJson(name, table) {
  requireJson(name, table)
  return JSON.stringify(table)
}

/**
 * @param {string} path
 * @param {unknown} value
 */
function requireJson(path, value) {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) return
  const isPlain =
    Array.isArray(value) || (typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype)
  if (!isPlain) throw new Error(`${path} is no JSON: a derived table consists of it alone`)
  for (const [name, member] of Object.entries(value)) requireJson(`${path}.${name}`, member)
}
