import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { apiClient, readAnswer } from '../../api/client.ts'
import { type ApiSegment, useContactFields } from '../../api/definitions.ts'
import { useHasRight } from '../../api/me.ts'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { DataTable } from '../../components/table/DataTable.tsx'
import { formatTableSort, parseTableSort } from '../../components/table/rows.ts'
import { type RowSelectionState, useRowSelection } from '../../components/table/selection.ts'
import { showToast } from '../../layout/toasts.tsx'
import { objectPaths } from '../../paths.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { useLocaleFormat } from '../../text/format.ts'
import { buildContactColumns, formatContactName } from '../contacts/contact-columns.tsx'
import { contactTexts } from '../contacts/texts.ts'
import { useContactRows } from '../contacts/use-contact-rows.ts'
import { AddSegmentContacts } from './AddSegmentContacts.tsx'
import { segmentTexts } from './texts.ts'

const route = getRouteApi('/segments/$id')
const BATCH = 1000

/** Takes chosen members out of a static segment; they stay contacts, and can be put back. */
function useLeaving(segment: ApiSegment, selection: RowSelectionState, reload: () => void) {
  const t = useTranslator(segmentTexts)
  const queries = useQueryClient()
  const path = { params: { path: { id: String(segment.id) } } }
  const done = async (): Promise<void> => {
    selection.clear()
    reload()
    await queries.invalidateQueries({ queryKey: ['segment', String(segment.id)] })
  }
  const putBack = async (ids: readonly string[]): Promise<void> => {
    for (let first = 0; first < ids.length; first += 50)
      await readAnswer(apiClient.PUT('/segments/{id}/targets', { ...path, body: ids.slice(first, first + 50) }))
    await done()
  }
  return async (): Promise<void> => {
    const ids = [...selection.keys]
    if (selection.isAll) await readAnswer(apiClient.DELETE('/segments/{id}/targets', { ...path, body: null }))
    else
      for (let first = 0; first < ids.length; first += BATCH)
        await readAnswer(apiClient.DELETE('/segments/{id}/targets', { ...path, body: ids.slice(first, first + BATCH) }))
    await done()
    showToast(t('taken', { count: ids.length }), selection.isAll ? undefined : () => void putBack(ids))
  }
}

/** Who is in a segment; of a static one contacts are added and taken out. */
export function SegmentMembers({ segment }: { segment: ApiSegment }) {
  const [t, list] = [useTranslator(segmentTexts), useTranslator(contactTexts)]
  const format = useLocaleFormat()
  const fields = useContactFields().data ?? []
  const { sort: written } = route.useSearch()
  const navigate = route.useNavigate()
  const mayChange = useHasRight('write') && segment.type === 'static'
  const [isAdding, setAdding] = useState(false)
  const sort = parseTableSort(written, { by: 'creationDate', descending: true })
  const rows = useContactRows({ segment: segment.id }, sort)
  const selection = useRowSelection()
  const leave = useLeaving(segment, selection, rows.reload)
  const columns = useMemo(() => buildContactColumns(fields, list, format), [fields, list, format])
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
        linkOf={({ id }) => objectPaths.contact(id)}
        nameOf={(contact) => formatContactName(contact, fields)}
        sort={sort}
        onSort={(next) =>
          void navigate({ search: (before) => ({ ...before, sort: formatTableSort(next) }), replace: true })
        }
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
          <EmptyState title={t('noMembers')} {...(mayChange && { action: add })}>
            {t(segment.type === 'static' ? 'noMembersStatic' : 'noMembersDynamic')}
          </EmptyState>
        }
      />
      {isAdding && <AddSegmentContacts segment={segment} onDone={rows.reload} onClose={() => setAdding(false)} />}
    </>
  )
}
