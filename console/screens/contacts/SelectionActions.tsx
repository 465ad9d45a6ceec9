import { Button, Menu, Select } from '@mantine/core'
import { useState } from 'react'
import { api, data } from '../../api/client.ts'
import { useSegments } from '../../api/definitions.ts'
import { useMay } from '../../api/me.ts'
import { tell } from '../../frame/toasts.tsx'
import { Confirm, TYPED_ABOVE } from '../../parts/Confirm.tsx'
import type { Rows } from '../../parts/table/rows.ts'
import type { Selecting } from '../../parts/table/selection.ts'
import { useText } from '../../text/catalogue.ts'
import type { Contact } from './contact-columns.tsx'
import { overSelected } from './selected.ts'
import { contactTexts } from './texts.ts'
import type { Looked } from './use-contact-rows.ts'

interface Props {
  selection: Selecting
  rows: Rows<Contact> & { reload(): void }
  looked: Looked
}

/** Members of a static segment that one request takes. */
const BATCH = 50

function AddDialog({ selection, rows, looked, onClose }: Props & { onClose(): void }) {
  const t = useText(contactTexts)
  const segments = useSegments()
  const [segment, setSegment] = useState<string | null>(null)
  const [done, setDone] = useState(0)
  const count = selection.count(rows.total)
  const name = segments.data?.find(({ id }) => String(id) === segment)?.name ?? ''
  const put = async (ids: string[]): Promise<void> => {
    const params = { path: { id: segment! } }
    for (let first = 0; first < ids.length; first += BATCH)
      await data(api.PUT('/segments/{id}/targets', { params, body: ids.slice(first, first + BATCH) }))
  }
  const add = async (): Promise<void> => {
    if (segment === null) throw new Error(t('chooseSegment'))
    const moved = await overSelected(selection, looked, put, setDone)
    selection.clear()
    tell(t('addedTo', { count: moved, name }))
  }
  return (
    <Confirm
      title={t('addToSegment', { count })}
      action={t('add')}
      isDangerous={false}
      onConfirm={add}
      onClose={onClose}
    >
      <Select
        data-autofocus
        searchable
        label={t('staticSegment')}
        placeholder={t('chooseSegment')}
        data={
          segments.data
            ?.filter(({ type }) => type === 'static')
            .map(({ id, name: label }) => ({ value: String(id), label })) ?? []
        }
        value={segment}
        onChange={setSegment}
      />
      {done > 0 && <small role="status">{t('doneOf', { done, count })}</small>}
    </Confirm>
  )
}

function DeleteDialog({ selection, rows, looked, onClose }: Props & { onClose(): void }) {
  const t = useText(contactTexts)
  const [done, setDone] = useState(0)
  const count = selection.count(rows.total)
  const remove = async (): Promise<void> => {
    const work = (ids: string[]) => data(api.DELETE('/targets', { body: { type: 'id', value: ids } }))
    const gone = await overSelected(selection, looked, work, setDone)
    selection.clear()
    rows.reload()
    tell(t('deletedMany', { count: gone }))
  }
  return (
    <Confirm
      title={t('deleteMany', { count })}
      action={t('deleteNow')}
      name={count > TYPED_ABOVE ? t('deleteWord') : undefined}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>{t('deleteManyWhy', { count })}</p>
      {done > 0 && <small role="status">{t('doneOf', { done, count })}</small>}
    </Confirm>
  )
}

/** What can be done with the chosen contacts: each says first what it will do, and to how many. */
export function SelectionActions(props: Props) {
  const t = useText(contactTexts)
  const mayWrite = useMay('write')
  const [dialog, setDialog] = useState<'add' | 'delete' | null>(null)
  if (!mayWrite) return null
  const close = (): void => setDialog(null)
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setDialog('add')}>
        {t('addSegment')}
      </Button>
      <Menu width={200}>
        <Menu.Target>
          <Button size="compact-sm" variant="default">
            {t('others')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item color="red" onClick={() => setDialog('delete')}>
            {t('deleteNow')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog === 'add' && <AddDialog {...props} onClose={close} />}
      {dialog === 'delete' && <DeleteDialog {...props} onClose={close} />}
    </>
  )
}
