import { type ReactNode, useEffect } from 'react'
import { holdLooks } from './standings.ts'
import { ContractsContext, useFoundContracts } from './use-contracts.ts'

/** Tells what is below it which contracts stand where. */
export function ContractsProvider({ children }: { children: ReactNode }) {
  useEffect(() => {
    window.addEventListener('scroll', holdLooks, { passive: true })
    return () => window.removeEventListener('scroll', holdLooks)
  }, [])
  return <ContractsContext value={useFoundContracts()}>{children}</ContractsContext>
}
