import { Button, Menu } from '@mantine/core'
import { type ComponentType, useState } from 'react'
import { useHasRight } from '../../api/me.ts'
import { useTranslator } from '../../text/catalogue.ts'
import type { ContactSelectionProps, SelectionDialogProps } from './selected.ts'
import { AddToSegmentDialog } from './selection/AddToSegmentDialog.tsx'
import { ChangeFieldDialog } from './selection/ChangeFieldDialog.tsx'
import { DeleteContactsDialog } from './selection/DeleteContactsDialog.tsx'
import { ExportContactsDialog } from './selection/ExportContactsDialog.tsx'
import { RedListContactsDialog } from './selection/RedListContactsDialog.tsx'
import { contactTexts } from './texts.ts'

const SELECTION_DIALOGS: Record<string, ComponentType<SelectionDialogProps>> = {
  add: AddToSegmentDialog,
  change: ChangeFieldDialog,
  stop: RedListContactsDialog,
  export: ExportContactsDialog,
  delete: DeleteContactsDialog,
  erase: (props) => <DeleteContactsDialog {...props} isErasing />,
}

/** Actions on the selected contacts: each first states its effect and the number of contacts. */
export function SelectionActions(props: ContactSelectionProps) {
  const t = useTranslator(contactTexts)
  const canWrite = useHasRight('write')
  const [openDialog, setOpenDialog] = useState<string | null>(null)
  const OpenDialog = openDialog === null ? undefined : SELECTION_DIALOGS[openDialog]
  const renderMainAction = (key: string, label: string) => (
    <Button size="compact-sm" variant="default" onClick={() => setOpenDialog(key)}>
      {label}
    </Button>
  )
  return (
    <>
      {canWrite && renderMainAction('add', t('addSegment'))}
      {canWrite && renderMainAction('change', t('changeField'))}
      {renderMainAction('export', t('export'))}
      {canWrite && (
        <Menu width={220}>
          <Menu.Target>
            <Button size="compact-sm" variant="default">
              {t('others')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => setOpenDialog('stop')}>{t('stop')}</Menu.Item>
            <Menu.Item color="red" onClick={() => setOpenDialog('delete')}>
              {t('deleteNow')}
            </Menu.Item>
            <Menu.Item color="red" onClick={() => setOpenDialog('erase')}>
              {t('eraseNow')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      {OpenDialog && <OpenDialog {...props} onClose={() => setOpenDialog(null)} />}
    </>
  )
}
