import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { apiClient } from '../../api/client.ts'
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
const BATCH_SIZE = 1000

/** Takes chosen members out of a static segment; they stay contacts, and can be put back. */
function useMemberRemoval(segment: ApiSegment, selection: RowSelectionState, reload: () => void) {
  const t = useTranslator(segmentTexts)
  const queryClient = useQueryClient()
  const path = { path: { id: String(segment.id) } }
  const finishChange = async (): Promise<void> => {
    selection.clear()
    reload()
    await queryClient.invalidateQueries({ queryKey: ['segment', String(segment.id)] })
  }
  const restoreMembers = async (ids: readonly string[]): Promise<void> => {
    for (let batchStart = 0; batchStart < ids.length; batchStart += 50)
      await apiClient.addSegmentTargets({ ...path, body: ids.slice(batchStart, batchStart + 50) })
    await finishChange()
  }
  return async (): Promise<void> => {
    const memberIds = [...selection.keys]
    if (selection.isAll) await apiClient.removeSegmentTargets({ ...path, body: null })
    else
      for (let batchStart = 0; batchStart < memberIds.length; batchStart += BATCH_SIZE)
        await apiClient.removeSegmentTargets({ ...path, body: memberIds.slice(batchStart, batchStart + BATCH_SIZE) })
    await finishChange()
    showToast(
      t('taken', { count: memberIds.length }),
      selection.isAll ? undefined : () => void restoreMembers(memberIds),
    )
  }
}

/** Members of a segment; those of a static segment can be added and removed. */
export function SegmentMembers({ segment }: { segment: ApiSegment }) {
  const [t, contactT] = [useTranslator(segmentTexts), useTranslator(contactTexts)]
  const format = useLocaleFormat()
  const fields = useContactFields().data ?? []
  const { sort: sortText } = route.useSearch()
  const navigate = route.useNavigate()
  const mayChange = useHasRight('write') && segment.type === 'static'
  const [isAdding, setAdding] = useState(false)
  const tableSort = parseTableSort(sortText, { by: 'creationDate', descending: true })
  const rows = useContactRows({ segment: segment.id }, tableSort)
  const selection = useRowSelection()
  const memberRemoval = useMemberRemoval(segment, selection, rows.reload)
  const columns = useMemo(() => buildContactColumns(fields, contactT, format), [fields, contactT, format])
  const addButton = (
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
        sort={tableSort}
        onSort={(next) =>
          void navigate({ search: (before) => ({ ...before, sort: formatTableSort(next) }), replace: true })
        }
        {...(mayChange && { selection })}
        actions={
          !(selection.isAll && selection.keys.size > 0) && (
            <Button size="compact-sm" variant="default" onClick={() => void memberRemoval()}>
              {t('takeOut')}
            </Button>
          )
        }
        tools={mayChange && addButton}
        empty={
          <EmptyState title={t('noMembers')} {...(mayChange && { action: addButton })}>
            {t(segment.type === 'static' ? 'noMembersStatic' : 'noMembersDynamic')}
          </EmptyState>
        }
      />
      {isAdding && <AddSegmentContacts segment={segment} onDone={rows.reload} onClose={() => setAdding(false)} />}
    </>
  )
}
