import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './KeptHeight.module.css'

const css = classNames(styles)

/**
 * Keeps its largest height so far, so that the content below does not move when less is shown.
 *
 * @param version - When this changes, space below the visible part of the window is released.
 */
export function KeptHeight({ version, children }: { version: string; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  const shown = useRef(version)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return undefined
    let width = element.offsetWidth
    const keep = () => {
      // Lines break differently at another width, so the kept height does not apply.
      if (element.offsetWidth !== width) element.style.minHeight = ''
      width = element.offsetWidth
      element.style.minHeight = `${element.offsetHeight}px`
    }
    const observer = new ResizeObserver(keep)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  useLayoutEffect(() => {
    const element = box.current
    if (!element || shown.current === version) return
    shown.current = version
    const inSight = document.documentElement.clientHeight - element.getBoundingClientRect().top
    element.style.minHeight = `${Math.min(element.offsetHeight, Math.ceil(inSight))}px`
  }, [version])
  return (
    <div ref={box} className={css('kept')}>
      {children}
    </div>
  )
}
