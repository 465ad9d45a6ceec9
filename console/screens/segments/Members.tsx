import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { api, data } from '../../api/client.ts'
import { type Segment, useFields } from '../../api/definitions.ts'
import { useMay } from '../../api/me.ts'
import { Empty } from '../../components/layout/Empty.tsx'
import { DataTable } from '../../components/table/DataTable.tsx'
import { readSort, writeSort } from '../../components/table/rows.ts'
import { type Selecting, useSelection } from '../../components/table/selection.ts'
import { tell } from '../../layout/toasts.tsx'
import { pathOf } from '../../paths.ts'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { contactColumns, nameOf } from '../contacts/contact-columns.tsx'
import { contactTexts } from '../contacts/texts.ts'
import { useContactRows } from '../contacts/use-contact-rows.ts'
import { AddContacts } from './AddContacts.tsx'
import { segmentTexts } from './texts.ts'

const route = getRouteApi('/segments/$id')
const BATCH = 1000

/** Takes chosen members out of a static segment; they stay contacts, and can be put back. */
function useLeaving(segment: Segment, selection: Selecting, reload: () => void) {
  const t = useText(segmentTexts)
  const queries = useQueryClient()
  const path = { params: { path: { id: String(segment.id) } } }
  const done = async (): Promise<void> => {
    selection.clear()
    reload()
    await queries.invalidateQueries({ queryKey: ['segment', String(segment.id)] })
  }
  const putBack = async (ids: readonly string[]): Promise<void> => {
    for (let first = 0; first < ids.length; first += 50)
      await data(api.PUT('/segments/{id}/targets', { ...path, body: ids.slice(first, first + 50) }))
    await done()
  }
  return async (): Promise<void> => {
    const ids = [...selection.keys]
    if (selection.isAll) await data(api.DELETE('/segments/{id}/targets', { ...path, body: null }))
    else
      for (let first = 0; first < ids.length; first += BATCH)
        await data(api.DELETE('/segments/{id}/targets', { ...path, body: ids.slice(first, first + BATCH) }))
    await done()
    tell(t('taken', { count: ids.length }), selection.isAll ? undefined : () => void putBack(ids))
  }
}

/** Who is in a segment; of a static one contacts are added and taken out. */
export function Members({ segment }: { segment: Segment }) {
  const [t, list] = [useText(segmentTexts), useText(contactTexts)]
  const format = useFormat()
  const fields = useFields().data ?? []
  const { sort: written } = route.useSearch()
  const navigate = route.useNavigate()
  const mayChange = useMay('write') && segment.type === 'static'
  const [isAdding, setAdding] = useState(false)
  const sort = readSort(written, { by: 'creationDate', descending: true })
  const rows = useContactRows({ segment: segment.id }, sort)
  const selection = useSelection()
  const leave = useLeaving(segment, selection, rows.reload)
  const columns = useMemo(() => contactColumns(fields, list, format), [fields, list, format])
  const add = (
    <Button variant="default" onClick={() => setAdding(true)}>
      {t('addContacts')}
    </Button>
  )
  return (
    <>
      <DataTable
        name="contacts"
        label={t('contacts')}
        rows={rows}
        columns={columns}
        keyOf={({ id }) => id}
        linkOf={({ id }) => pathOf.contact(id)}
        nameOf={(contact) => nameOf(contact, fields)}
        sort={sort}
        onSort={(next) => void navigate({ search: (before) => ({ ...before, sort: writeSort(next) }), replace: true })}
        {...(mayChange && { selection })}
        actions={
          !(selection.isAll && selection.keys.size > 0) && (
            <Button size="compact-sm" variant="default" onClick={() => void leave()}>
              {t('takeOut')}
            </Button>
          )
        }
        tools={mayChange && add}
        empty={
          <Empty title={t('noMembers')} {...(mayChange && { action: add })}>
            {t(segment.type === 'static' ? 'noMembersStatic' : 'noMembersDynamic')}
          </Empty>
        }
      />
      {isAdding && <AddContacts segment={segment} onDone={rows.reload} onClose={() => setAdding(false)} />}
    </>
  )
}
