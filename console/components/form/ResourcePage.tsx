import { Button, Menu } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { Navigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { showToast } from '../../layout/toasts.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { ConfirmDialog } from '../ConfirmDialog.tsx'
import { TwoColumnLayout } from '../layout/PagePanel.tsx'
import { type PageTab, ScreenPage } from '../layout/ScreenPage.tsx'
import { componentTexts } from '../texts.ts'
import { FormLayout } from './FormLayout.tsx'
import { type FormState, type StoredDocument, useDocumentForm } from './use-form.ts'

interface Props<T> {
  /** What drafts are kept by. */
  name: string
  title: string
  parent: { label: string; to: string }
  note?: ReactNode
  badge?: ReactNode
  stored: StoredDocument<T>
  /** It is made by the first save. */
  isNew?: boolean
  isReadOnly: boolean
  /** The one main action beside saving. */
  action?: ReactNode
  /** Items of the menu, before its deletion. */
  menu?: ReactNode
  tabs?: readonly PageTab[]
  save(value: T, etag: string | null): Promise<StoredDocument<T>>
  load(): Promise<StoredDocument<T>>
  onSaved(stored: StoredDocument<T>): void
  /** What of it may be kept in this browser: all of it, unless it holds secrets. */
  kept?: (value: T) => T
  /** Told of each change, such as for what stands beside the form. */
  onValue?(value: T): void
  /** What deleting does and when it is refused; absent where it cannot be deleted. */
  removal?: { title: string; action: string; why: string; done: string; remove(): Promise<void> }
  pointers: readonly string[]
  nameOf?(pointer: string): string
  aside?: ReactNode
  children(form: FormState<T>): ReactNode
}

/** The form alone is drawn anew at each change of the document, not the page around it. */
function Fields<T>(props: Props<T>) {
  const { aside, isNew = false, nameOf, onValue } = props
  const t = useTranslator(componentTexts)
  const form = useDocumentForm<T>({
    name: props.name,
    stored: props.stored,
    save: props.save,
    load: props.load,
    ...(props.kept && { kept: props.kept }),
    onSaved: (stored) => {
      showToast(t('saved'))
      props.onSaved(stored)
    },
  })
  const { value } = form
  useEffect(() => onValue?.(value), [onValue, value])
  const fields = (
    <FormLayout form={form} pointers={props.pointers} {...(nameOf && { nameOf })}>
      {props.children(form)}
      {isNew && form.changes.length === 0 && (
        <div>
          <Button type="submit">{t('save')}</Button>
        </div>
      )}
    </FormLayout>
  )
  return aside ? <TwoColumnLayout aside={aside}>{fields}</TwoColumnLayout> : fields
}

/** The page of one document: its form, what stands beside it, and its deletion in the menu. */
export function ResourcePage<T>(props: Props<T>) {
  const { removal, isNew = false, isReadOnly, note, badge } = props
  const [isDeleting, setDeleting] = useState(false)
  // Who may not write has nothing to make here.
  if (isNew && isReadOnly) return <Navigate to={props.parent.to} replace />
  const remove = removal && !isReadOnly && (
    <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setDeleting(true)}>
      {removal.action}
    </Menu.Item>
  )
  return (
    <ScreenPage
      title={props.title}
      parent={props.parent}
      note={note}
      badge={badge}
      action={props.action}
      menu={
        (props.menu || remove) && (
          <>
            {props.menu}
            {remove}
          </>
        )
      }
      {...(props.tabs && { tabs: props.tabs })}
    >
      <Fields {...props} />
      {removal && isDeleting && (
        <ConfirmDialog
          title={removal.title}
          action={removal.action}
          onConfirm={async () => {
            await removal.remove()
            showToast(removal.done)
          }}
          onClose={() => setDeleting(false)}
        >
          <p>{removal.why}</p>
        </ConfirmDialog>
      )}
    </ScreenPage>
  )
}
