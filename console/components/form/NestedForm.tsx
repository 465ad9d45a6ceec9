import type { KeyboardEvent, ReactNode } from 'react'
import styles from './Form.module.css'

/** Kinds of inputs in which Enter does something else. */
const NATIVE_ENTER_TYPES = /^(button|submit|reset|file|color)$/

interface Props {
  /** Accessible name of the form. */
  label: string
  /** Asked for by Enter in a field; the button of the form asks by itself. */
  onSubmit(): void
  isDisabled?: boolean
  className?: string | undefined
  children: ReactNode
}

/**
 * Fields that are submitted separately within the form of a page. HTML allows no form within a form: the inner one would submit the outer
 * one, or reload the page. Enter in a field works here as in a form, and the outer form does not receive the event.
 */
export function NestedForm({ label, onSubmit, isDisabled = false, className, children }: Props) {
  const submitOnEnter = (event: KeyboardEvent<HTMLDivElement>): void => {
    const { target, key, defaultPrevented, nativeEvent } = event
    if (key !== 'Enter' || defaultPrevented || nativeEvent.isComposing) return
    if (!(target instanceof HTMLInputElement) || NATIVE_ENTER_TYPES.test(target.type)) return
    event.preventDefault()
    if (!isDisabled) onSubmit()
  }
  return (
    <div role="form" aria-label={label} className={className ?? styles['inner']} onKeyDown={submitOnEnter}>
      {children}
    </div>
  )
}
