import { ActionIcon, Select } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { apiClient, readAnswer } from '../../../api/client.ts'
import { useSegments } from '../../../api/definitions.ts'
import { useHasRight } from '../../../api/me.ts'
import { LoadingSkeleton } from '../../../components/layout/LoadingSkeleton.tsx'
import { PagePanel } from '../../../components/layout/PagePanel.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { showToast } from '../../../layout/toasts.tsx'
import { objectPaths } from '../../../paths.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import styles from './ContactMemberships.module.css'
import { contactPageTexts } from './texts.ts'

/** Puts a contact into a static segment, and out of it. */
function useMoves(id: string) {
  const t = useTranslator(contactPageTexts)
  const queries = useQueryClient()
  const read = () => queries.invalidateQueries({ queryKey: ['contact', id, 'segments'] })
  const path = (segmentId: number) => ({ params: { path: { targetId: id, segmentId: String(segmentId) } } })
  const enter = async (segment: number): Promise<void> => {
    await readAnswer(apiClient.POST('/targets/{targetId}/segments/{segmentId}', path(segment)))
    await read()
  }
  const leave = async (segment: number, name: string): Promise<void> => {
    await readAnswer(apiClient.DELETE('/targets/{targetId}/segments/{segmentId}', path(segment)))
    await read()
    showToast(t('left', { name }), () => void enter(segment))
  }
  return { enter, leave }
}

function AddSegment({ known, onAdd }: { known: readonly number[]; onAdd(segment: number): void }) {
  const t = useTranslator(contactPageTexts)
  const segments = useSegments()
  const others = segments.data?.filter(({ type, id }) => type === 'static' && !known.includes(id)) ?? []
  if (others.length === 0) return null
  return (
    <Select
      size="xs"
      searchable
      aria-label={t('addSegment')}
      placeholder={t('addSegment')}
      data={others.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={null}
      onChange={(chosen) => chosen !== null && onAdd(Number(chosen))}
    />
  )
}

/** The segments that a contact is in: static ones are entered and left here, dynamic ones by what they ask for. */
export function ContactMemberships({ id }: { id: string }) {
  const t = useTranslator(contactPageTexts)
  const mayWrite = useHasRight('write')
  const segments = useQuery({
    queryKey: ['contact', id, 'segments'],
    queryFn: ({ signal }) => readAnswer(apiClient.GET('/targets/{id}/segments', { params: { path: { id } }, signal })),
  })
  const { enter, leave } = useMoves(id)
  return (
    <PagePanel title={t('segments')}>
      {segments.error && <ProblemAlert error={segments.error} onRetry={() => void segments.refetch()} />}
      {segments.isPending && <LoadingSkeleton lines={[60, 40]} />}
      {segments.data?.length === 0 && <small>{t('noSegments')}</small>}
      {segments.data && segments.data.length > 0 && (
        <ul className={styles['segments']}>
          {segments.data.map(({ id: segment, name, type }) => (
            <li key={segment}>
              <Link to={objectPaths.segment(segment)}>{name}</Link>
              {type === 'dynamic' ? (
                <small>{t('byCriteria')}</small>
              ) : (
                mayWrite && (
                  <ActionIcon size={24} aria-label={t('leave', { name })} onClick={() => void leave(segment, name)}>
                    <IconX size={14} />
                  </ActionIcon>
                )
              )}
            </li>
          ))}
        </ul>
      )}
      {mayWrite && segments.data && (
        <AddSegment known={segments.data.map(({ id: segment }) => segment)} onAdd={(segment) => void enter(segment)} />
      )}
    </PagePanel>
  )
}
