import { Tooltip } from '@mantine/core'
import styles from './StateBadge.module.css'

/** What a state means to a person: a shape goes with each colour. */
export type BadgeTone = 'neutral' | 'busy' | 'good' | 'warning' | 'bad'

interface Props {
  tone: BadgeTone
  children: string
  /** What the word means, one hover away. */
  hint?: string
}

/** A state as its word. */
export function StateBadge({ tone, children, hint }: Props) {
  const badge = (
    <span className={styles['badge']} data-tone={tone} {...(hint && { tabIndex: 0 })}>
      <span className={styles['shape']} aria-hidden />
      {children}
    </span>
  )
  return hint ? <Tooltip label={hint}>{badge}</Tooltip> : badge
}
