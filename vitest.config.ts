import { defineConfig } from 'vitest/config'

/** Real libraries against real sockets and other people's nodes. */
const CLIENTS = 'src/server/clients/**/*.test.ts'

export default defineConfig({
  test: {
    environment: 'node',
    testTimeout: 20_000,
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['src/**/*.test.{ts,tsx}'], exclude: ['node_modules/**', CLIENTS] },
      },
      {
        extends: true,
        test: {
          name: 'clients',
          include: [CLIENTS],
          benchmark: { include: [] },
          testTimeout: 60_000,
          expect: { poll: { timeout: 10_000 } },
        },
      },
    ],
  },
})
