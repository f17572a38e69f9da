import { createContext, useContext } from 'react'
import type { TestRecord } from '#report/test-record.ts'

/** The report that the page shows. */
export interface ShownReport {
  readonly record: TestRecord
  /** The chain that is shown, by its place in the record. */
  readonly place: number
  readonly show: (place: number) => void
}

export const ReportContext = createContext<ShownReport | undefined>(undefined)

/** @throws {Error} Outside the page of a report. */
export function useReport(): ShownReport {
  const report = useContext(ReportContext)
  if (!report) throw new Error('useReport needs a ReportContext')
  return report
}
