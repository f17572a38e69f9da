/** Reports one by one: what loads them by their names cannot be bundled. */
declare module 'istanbul-reports/lib/*/index.js' {
  import type { ReportBase } from 'istanbul-lib-report'

  const Report: new (options: Readonly<Record<string, unknown>>) => ReportBase
  export default Report
}
