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
  /** Storage key of unsaved changes. */
  name: string
  title: string
  parent: { label: string; to: string }
  note?: ReactNode
  badge?: ReactNode
  stored: StoredDocument<T>
  /** It is made by the first save. */
  isNew?: boolean
  isReadOnly: boolean
  /** The primary action in addition to saving. */
  action?: ReactNode
  /** Items of the menu, before its deletion. */
  menu?: ReactNode
  tabs?: readonly PageTab[]
  save(value: T, etag: string | null): Promise<StoredDocument<T>>
  load(): Promise<StoredDocument<T>>
  onSaved(storedDocument: StoredDocument<T>): void
  /** Returns the part that this browser may store: everything unless it contains secrets. */
  kept?: (value: T) => T
  /** Called on each change, such as for content next to the form. */
  onValue?(value: T): void
  /** Effect of the deletion and the conditions that prevent it; absent if the document cannot be deleted. */
  removal?: { title: string; action: string; why: string; done: string; remove(): Promise<void> }
  pointers: readonly string[]
  nameOf?(pointer: string): string
  aside?: ReactNode
  children(form: FormState<T>): ReactNode
}

/** Only the form renders on each change of the document, not the page around it. */
function FormFields<T>(props: Props<T>) {
  const { aside, isNew = false, nameOf, onValue } = props
  const t = useTranslator(componentTexts)
  const form = useDocumentForm<T>({
    name: props.name,
    stored: props.stored,
    save: props.save,
    load: props.load,
    ...(props.kept && { kept: props.kept }),
    onSaved: (storedDocument) => {
      showToast(t('saved'))
      props.onSaved(storedDocument)
    },
  })
  const { value } = form
  useEffect(() => onValue?.(value), [onValue, value])
  const formLayout = (
    <FormLayout form={form} pointers={props.pointers} {...(nameOf && { nameOf })}>
      {props.children(form)}
      {isNew && form.changes.length === 0 && (
        <div>
          <Button type="submit">{t('save')}</Button>
        </div>
      )}
    </FormLayout>
  )
  return aside ? <TwoColumnLayout aside={aside}>{formLayout}</TwoColumnLayout> : formLayout
}

/** Page of one document: its form, the content next to it, and the deletion in its menu. */
export function ResourcePage<T>(props: Props<T>) {
  const { removal, isNew = false, isReadOnly, note, badge } = props
  const [isDeleting, setDeleting] = useState(false)
  // Who may not write has nothing to make here.
  if (isNew && isReadOnly) return <Navigate to={props.parent.to} replace />
  const removeItem = removal && !isReadOnly && (
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
        (props.menu || removeItem) && (
          <>
            {props.menu}
            {removeItem}
          </>
        )
      }
      {...(props.tabs && { tabs: props.tabs })}
    >
      <FormFields {...props} />
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
