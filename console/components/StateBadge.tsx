import { Tooltip } from '@mantine/core'
import styles from './StateBadge.module.css'

/** Meaning of a state for the user: each colour has its own shape. */
export type BadgeTone = 'neutral' | 'busy' | 'good' | 'warning' | 'bad'

interface Props {
  tone: BadgeTone
  children: string
  /** Explanation of the state, shown on hover. */
  hint?: string
}

/** A state as its word. */
export function StateBadge({ tone, children, hint }: Props) {
  const badgeElement = (
    <span className={styles['badge']} data-tone={tone} {...(hint && { tabIndex: 0 })}>
      <span className={styles['shape']} aria-hidden />
      {children}
    </span>
  )
  return hint ? <Tooltip label={hint}>{badgeElement}</Tooltip> : badgeElement
}
