import { Tooltip } from '@mantine/core'
import { useId } from 'react'
import styles from './DefinedTerm.module.css'

/** A word that explains itself, one hover or one Tab away. */
export function DefinedTerm({ definition, children }: { definition: string; children: string }) {
  const id = useId()
  return (
    <>
      <Tooltip label={definition}>
        <span className={styles['word']} tabIndex={0} aria-describedby={id}>
          {children}
        </span>
      </Tooltip>
      <span id={id} hidden>
        {definition}
      </span>
    </>
  )
}
