import type { ReactNode } from 'react'
import styles from './PlainTable.module.css'

/** A short table that is read whole, of plain `thead` and `tbody`; what is wider than the page scrolls within. */
export function PlainTable({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles['scroll']} tabIndex={0} role="region" aria-label={label}>
      <table className={styles['sheet']} aria-label={label}>
        {children}
      </table>
    </div>
  )
}
