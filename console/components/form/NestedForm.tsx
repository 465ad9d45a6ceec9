import type { KeyboardEvent, ReactNode } from 'react'
import styles from './Form.module.css'

/** Kinds of inputs in which Enter does something else. */
const OWN_ENTER = /^(button|submit|reset|file|color)$/

interface Props {
  /** What it is for, to those who do not see it. */
  label: string
  /** Asked for by Enter in a field; the button of the form asks by itself. */
  onSubmit(): void
  isDisabled?: boolean
  className?: string | undefined
  children: ReactNode
}

/**
 * Fields that are sent by themselves within the form of a page. HTML knows no form in a form: the inner one would send the
 * outer one, or read the page anew. Enter in a field does here what it does in a form, and the outer one does not hear of it.
 */
export function NestedForm({ label, onSubmit, isDisabled = false, className, children }: Props) {
  const enter = (event: KeyboardEvent<HTMLDivElement>): void => {
    const { target, key, defaultPrevented, nativeEvent } = event
    if (key !== 'Enter' || defaultPrevented || nativeEvent.isComposing) return
    if (!(target instanceof HTMLInputElement) || OWN_ENTER.test(target.type)) return
    event.preventDefault()
    if (!isDisabled) onSubmit()
  }
  return (
    <div role="form" aria-label={label} className={className ?? styles['inner']} onKeyDown={enter}>
      {children}
    </div>
  )
}
