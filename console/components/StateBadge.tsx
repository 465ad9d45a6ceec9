import { Tooltip } from '@mantine/core'
import styles from './StateBadge.module.css'

/**
 * Meaning of a state for the user, each with its own colour and shape: `neutral` a draft, `scheduled` waits for its time, `busy` moves, `done` is
 * over, `good` is in order, `warning` needs a person, `bad` failed.
 */
export type BadgeTone = 'neutral' | 'scheduled' | 'busy' | 'done' | 'good' | 'warning' | 'bad'

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
      <span className={styles['word']}>{children}</span>
    </span>
  )
  return hint ? <Tooltip label={hint}>{badgeElement}</Tooltip> : badgeElement
}
