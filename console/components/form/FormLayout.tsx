import { Button } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { useShortcut } from '../../layout/dialogs/keys.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { FormattedTime } from '../FormattedTime.tsx'
import { ProblemAlert } from '../layout/ProblemAlert.tsx'
import { componentTexts } from '../texts.ts'
import { CollisionDialog } from './CollisionDialog.tsx'
import styles from './Form.module.css'
import type { FormState } from './use-form.ts'

interface Props<T> {
  form: FormState<T>
  /** Pointers that fields of this form show the faults of. */
  pointers: readonly string[]
  /** Label of a member in the list of changes. */
  nameOf?(pointer: string): string
  /** Dangerous parts, apart at the end. */
  danger?: ReactNode
  children: ReactNode
}

/** Around the fields of a form: the draft that was left, what could not be saved, and the one place to save. */
export function FormLayout<T>({ form, pointers, nameOf = (pointer) => pointer, danger, children }: Props<T>) {
  const t = useTranslator(componentTexts)
  const submit = (event: FormEvent): void => {
    // Events of React also come from dialogs that stand elsewhere in the page: what they send is not this document.
    if (event.target !== event.currentTarget) return
    event.preventDefault()
    void form.save()
  }
  const isDirty = form.changes.length > 0
  useShortcut('mod+s', t('save'), () => void form.save(), isDirty)
  return (
    <form className={styles['form']} onSubmit={submit} noValidate>
      {form.draft && (
        <div className={styles['draft']} role="status">
          <UnsavedFormNotice at={form.draft.at} />
          <Button size="compact-sm" variant="default" onClick={form.takeDraft}>
            {t('draftRestore')}
          </Button>
          <Button size="compact-sm" variant="subtle" color="gray" onClick={form.dropDraft}>
            {t('discard')}
          </Button>
        </div>
      )}
      {form.error !== null && (
        <ProblemAlert
          error={form.error}
          title={t('notSaved')}
          shownElsewhere={(pointer) => pointers.includes(pointer)}
        />
      )}
      {children}
      {isDirty && (
        <div className={styles['save']}>
          <span role="status" title={form.changes.map(nameOf).join(', ')}>
            {t('unsaved', { count: form.changes.length })}
          </span>
          <Button variant="subtle" color="gray" onClick={form.discard}>
            {t('discard')}
          </Button>
          <Button type="submit" loading={form.isSaving}>
            {t('save')}
          </Button>
        </div>
      )}
      {danger && <section className={styles['danger']}>{danger}</section>}
      {form.collision && <CollisionDialog form={form} collision={form.collision} nameOf={nameOf} />}
    </form>
  )
}

function UnsavedFormNotice({ at }: { at: number }) {
  const t = useTranslator(componentTexts)
  const [textBefore, textAfter] = t('draftFound', { when: '\u0000' }).split('\u0000')
  return (
    <span>
      {textBefore}
      <FormattedTime at={at} />
      {textAfter}
    </span>
  )
}
