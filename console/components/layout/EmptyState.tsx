import type { ReactNode } from 'react'
import styles from './EmptyState.module.css'

interface Props {
  /** Title: the content that will appear here. */
  title: string
  /** Why it is worth it. */
  children?: ReactNode
  /** The one next step. */
  action?: ReactNode
}

/** In place of a list that has nothing yet: words, never a picture of an empty box. */
export function EmptyState({ title, children, action }: Props) {
  return (
    <section className={styles['empty']}>
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {action && <div>{action}</div>}
    </section>
  )
}
