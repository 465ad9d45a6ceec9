import { Tooltip } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslator } from '../../text/catalogue.ts'
import { componentTexts } from '../texts.ts'
import styles from './StatFigure.module.css'

interface Props {
  label: string
  /** Exact definition of the figure, shown on hover: every figure has one. */
  definition: string
  /** A `Num`, or words. */
  children: ReactNode
  /** Compared with what, or whether it is final. */
  note?: ReactNode
  /** Link to the contacts or objects behind the number. */
  to?: string
}

/** A figure that explains itself. */
export function StatFigure({ label, definition, children, note, to }: Props) {
  const t = useTranslator(componentTexts)
  const value = to ? <Link to={to}>{children}</Link> : children
  return (
    <div className={styles['stat']}>
      <Tooltip label={definition}>
        <span
          className={styles['label']}
          tabIndex={0}
          role="note"
          aria-label={`${label}. ${t('definition')}: ${definition}`}
        >
          {label}
        </span>
      </Tooltip>
      <div className={styles['value']}>{value}</div>
      {note && <small>{note}</small>}
    </div>
  )
}

/** Row of figures. */
export function StatFigures({ children }: { children: ReactNode }) {
  return <div className={styles['stats']}>{children}</div>
}
