import { ActionIcon, Select } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { apiClient } from '../../../api/client.ts'
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
function useSegmentMoves(id: string) {
  const t = useTranslator(contactPageTexts)
  const queryClient = useQueryClient()
  const reloadSegments = () => queryClient.invalidateQueries({ queryKey: ['contact', id, 'segments'] })
  const path = (segmentId: number) => ({ path: { targetId: id, segmentId: String(segmentId) } })
  const addToSegment = async (segment: number): Promise<void> => {
    await apiClient.addTargetToSegment(path(segment))
    await reloadSegments()
  }
  const removeFromSegment = async (segment: number, name: string): Promise<void> => {
    await apiClient.removeTargetFromSegment(path(segment))
    await reloadSegments()
    showToast(t('left', { name }), () => void addToSegment(segment))
  }
  return { enter: addToSegment, leave: removeFromSegment }
}

function AddSegmentSelect({
  known: currentSegments,
  onAdd,
}: {
  known: readonly number[]
  onAdd(segment: number): void
}) {
  const t = useTranslator(contactPageTexts)
  const segments = useSegments()
  const otherSegments =
    segments.data?.filter(({ type, id }) => type === 'static' && !currentSegments.includes(id)) ?? []
  if (otherSegments.length === 0) return null
  return (
    <Select
      size="xs"
      searchable
      aria-label={t('addSegment')}
      placeholder={t('addSegment')}
      data={otherSegments.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={null}
      onChange={(chosenSegment) => chosenSegment !== null && onAdd(Number(chosenSegment))}
    />
  )
}

/** The segments that a contact is in: static ones are entered and left here, dynamic ones by what they ask for. */
export function ContactMemberships({ id }: { id: string }) {
  const t = useTranslator(contactPageTexts)
  const canWrite = useHasRight('write')
  const segments = useQuery({
    queryKey: ['contact', id, 'segments'],
    queryFn: ({ signal }) => apiClient.listTargetSegments({ path: { id }, signal }),
  })
  const { enter: addToSegment, leave: removeFromSegment } = useSegmentMoves(id)
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
                canWrite && (
                  <ActionIcon
                    size={24}
                    aria-label={t('leave', { name })}
                    onClick={() => void removeFromSegment(segment, name)}
                  >
                    <IconX size={14} />
                  </ActionIcon>
                )
              )}
            </li>
          ))}
        </ul>
      )}
      {canWrite && segments.data && (
        <AddSegmentSelect
          known={segments.data.map(({ id: segment }) => segment)}
          onAdd={(segment) => void addToSegment(segment)}
        />
      )}
    </PagePanel>
  )
}
