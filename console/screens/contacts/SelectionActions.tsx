import { Button, Menu } from '@mantine/core'
import { type ComponentType, useState } from 'react'
import { useHasRight } from '../../api/me.ts'
import type { TableRows } from '../../components/table/rows.ts'
import type { RowSelectionState } from '../../components/table/selection.ts'
import { useTranslator } from '../../text/catalogue.ts'
import type { ListedApiContact } from './contact-columns.tsx'
import { AddToSegmentDialog } from './selection/AddToSegmentDialog.tsx'
import { ChangeFieldDialog } from './selection/ChangeFieldDialog.tsx'
import { DeleteContactsDialog } from './selection/DeleteContactsDialog.tsx'
import { ExportContactsDialog } from './selection/ExportContactsDialog.tsx'
import { RedListContactsDialog } from './selection/RedListContactsDialog.tsx'
import { contactTexts } from './texts.ts'
import type { ContactRowsQuery } from './use-contact-rows.ts'

export interface ContactSelectionProps {
  selection: RowSelectionState
  rows: TableRows<ListedApiContact> & { reload(): void }
  looked: ContactRowsQuery
}

/** A dialog about a selection. */
export interface SelectionDialogProps extends ContactSelectionProps {
  onClose(): void
}

const dialogs: Record<string, ComponentType<SelectionDialogProps>> = {
  add: AddToSegmentDialog,
  change: ChangeFieldDialog,
  stop: RedListContactsDialog,
  export: ExportContactsDialog,
  delete: DeleteContactsDialog,
  erase: (props) => <DeleteContactsDialog {...props} isErasing />,
}

/** What can be done with the chosen contacts: each says first what it will do, and to how many. */
export function SelectionActions(props: ContactSelectionProps) {
  const t = useTranslator(contactTexts)
  const mayWrite = useHasRight('write')
  const [open, setOpen] = useState<string | null>(null)
  const Dialog = open === null ? undefined : dialogs[open]
  const main = (key: string, label: string) => (
    <Button size="compact-sm" variant="default" onClick={() => setOpen(key)}>
      {label}
    </Button>
  )
  return (
    <>
      {mayWrite && main('add', t('addSegment'))}
      {mayWrite && main('change', t('changeField'))}
      {main('export', t('export'))}
      {mayWrite && (
        <Menu width={220}>
          <Menu.Target>
            <Button size="compact-sm" variant="default">
              {t('others')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => setOpen('stop')}>{t('stop')}</Menu.Item>
            <Menu.Item color="red" onClick={() => setOpen('delete')}>
              {t('deleteNow')}
            </Menu.Item>
            <Menu.Item color="red" onClick={() => setOpen('erase')}>
              {t('eraseNow')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      {Dialog && <Dialog {...props} onClose={() => setOpen(null)} />}
    </>
  )
}
