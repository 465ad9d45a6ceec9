import { Button, Group, Menu, Modal, TextInput } from '@mantine/core'
import { IconBookmark } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { apiClient } from '../../api/client.ts'
import { showToast } from '../../layout/toasts.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { ProblemAlert } from '../layout/ProblemAlert.tsx'
import { useAsyncAction } from '../use-act.ts'
import type { DesignEditorAction, DesignEditorState } from './model/desk.ts'
import type { ApiDesign } from './model/shapes.ts'
import { SavedRows } from './SavedRows.tsx'
import { designTexts } from './texts.ts'

type SavedKind = 'design' | 'rows'

/** Keeps a design, or rows of it, for other messages. */
function SaveDialog({ design, kind, onClose }: { design: ApiDesign; kind: SavedKind; onClose(): void }) {
  const t = useTranslator(designTexts)
  const [name, setName] = useState('')
  const queryClient = useQueryClient()
  const { run, error, isBusy } = useAsyncAction(async () => {
    await apiClient.createDesign({ body: { name: name.trim(), type: kind, design } })
    await queryClient.invalidateQueries({ queryKey: ['designs', 'saved'] })
    await queryClient.invalidateQueries({ queryKey: ['designs'], exact: true })
    showToast(t('kept', { name: name.trim() }))
    onClose()
  })
  const dialogTitle = t(kind === 'rows' ? 'saveRow' : 'saveDesign')
  return (
    <Modal opened onClose={onClose} title={dialogTitle} closeButtonProps={{ 'aria-label': t('close') }}>
      {error != null && <ProblemAlert error={error} />}
      <TextInput
        data-autofocus
        label={t('name')}
        description={t(kind === 'rows' ? 'saveRowWhy' : 'saveDesignWhy')}
        maxLength={255}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || name.trim() === '') return
          event.preventDefault()
          void run()
        }}
      />
      <Group justify="flex-end" mt={16}>
        <Button disabled={name.trim() === ''} loading={isBusy} onClick={() => void run()}>
          {t('keep')}
        </Button>
      </Group>
    </Modal>
  )
}

interface Props {
  isChosen: boolean
  /** There are no rows. */
  isEmpty: boolean
  read(): DesignEditorState
  act(act: DesignEditorAction): void
}

/** Rows and designs that are kept for other messages: saves them, and inserts rows. */
export function SavedMenu({ isChosen, isEmpty, read: readDesk, act }: Props) {
  const t = useTranslator(designTexts)
  const [isInserting, setInserting] = useState(false)
  const [pendingSave, setSaving] = useState<{ kind: SavedKind; design: ApiDesign } | null>(null)
  const startSave = (kind: SavedKind): void => {
    const { chosen: chosenPath, history } = readDesk()
    const row = chosenPath && history.present.rows[chosenPath[0]!]
    if (kind === 'design') setSaving({ kind, design: history.present })
    else if (row) setSaving({ kind, design: { ...history.present, rows: [row] } })
  }
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="compact-sm" variant="default" leftSection={<IconBookmark size={14} aria-hidden />}>
            {t('library')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setInserting(true)}>{t('insertRows')}</Menu.Item>
          <Menu.Item disabled={!isChosen} onClick={() => startSave('rows')}>
            {t('saveRow')}
          </Menu.Item>
          <Menu.Item disabled={isEmpty} onClick={() => startSave('design')}>
            {t('saveDesign')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isInserting && (
        <SavedRows
          onClose={() => setInserting(false)}
          onInsert={(rows) => {
            act({ do: 'rows', rows })
            setInserting(false)
          }}
        />
      )}
      {pendingSave && <SaveDialog {...pendingSave} onClose={() => setSaving(null)} />}
    </>
  )
}
