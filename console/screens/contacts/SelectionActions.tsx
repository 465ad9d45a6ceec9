import { Button, Menu } from '@mantine/core'
import { type ComponentType, useState } from 'react'
import { useMay } from '../../api/me.ts'
import type { Rows } from '../../components/table/rows.ts'
import type { Selecting } from '../../components/table/selection.ts'
import { useText } from '../../text/catalogue.ts'
import type { Contact } from './contact-columns.tsx'
import { AddDialog } from './selection/AddDialog.tsx'
import { ChangeDialog } from './selection/ChangeDialog.tsx'
import { DeleteDialog } from './selection/DeleteDialog.tsx'
import { ExportDialog } from './selection/ExportDialog.tsx'
import { StopDialog } from './selection/StopDialog.tsx'
import { contactTexts } from './texts.ts'
import type { Looked } from './use-contact-rows.ts'

export interface OfSelection {
  selection: Selecting
  rows: Rows<Contact> & { reload(): void }
  looked: Looked
}

/** A dialog about a selection. */
export interface SelectionDialog extends OfSelection {
  onClose(): void
}

const dialogs: Record<string, ComponentType<SelectionDialog>> = {
  add: AddDialog,
  change: ChangeDialog,
  stop: StopDialog,
  export: ExportDialog,
  delete: DeleteDialog,
  erase: (props) => <DeleteDialog {...props} isErasing />,
}

/** What can be done with the chosen contacts: each says first what it will do, and to how many. */
export function SelectionActions(props: OfSelection) {
  const t = useText(contactTexts)
  const mayWrite = useMay('write')
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
