import { ActionIcon, Select } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, data } from '../../../api/client.ts'
import { useSegments } from '../../../api/definitions.ts'
import { useMay } from '../../../api/me.ts'
import { Panel } from '../../../components/layout/Panel.tsx'
import { Problem } from '../../../components/layout/Problem.tsx'
import { Skeleton } from '../../../components/layout/Skeleton.tsx'
import { tell } from '../../../layout/toasts.tsx'
import { pathOf } from '../../../paths.ts'
import { useText } from '../../../text/catalogue.ts'
import styles from './Memberships.module.css'
import { contactPageTexts } from './texts.ts'

/** Puts a contact into a static segment, and out of it. */
function useMoves(id: string) {
  const t = useText(contactPageTexts)
  const queries = useQueryClient()
  const read = () => queries.invalidateQueries({ queryKey: ['contact', id, 'segments'] })
  const path = (segmentId: number) => ({ params: { path: { targetId: id, segmentId: String(segmentId) } } })
  const enter = async (segment: number): Promise<void> => {
    await data(api.POST('/targets/{targetId}/segments/{segmentId}', path(segment)))
    await read()
  }
  const leave = async (segment: number, name: string): Promise<void> => {
    await data(api.DELETE('/targets/{targetId}/segments/{segmentId}', path(segment)))
    await read()
    tell(t('left', { name }), () => void enter(segment))
  }
  return { enter, leave }
}

function AddSegment({ known, onAdd }: { known: readonly number[]; onAdd(segment: number): void }) {
  const t = useText(contactPageTexts)
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
export function Memberships({ id }: { id: string }) {
  const t = useText(contactPageTexts)
  const mayWrite = useMay('write')
  const segments = useQuery({
    queryKey: ['contact', id, 'segments'],
    queryFn: ({ signal }) => data(api.GET('/targets/{id}/segments', { params: { path: { id } }, signal })),
  })
  const { enter, leave } = useMoves(id)
  return (
    <Panel title={t('segments')}>
      {segments.error && <Problem error={segments.error} onRetry={() => void segments.refetch()} />}
      {segments.isPending && <Skeleton lines={[60, 40]} />}
      {segments.data?.length === 0 && <small>{t('noSegments')}</small>}
      {segments.data && segments.data.length > 0 && (
        <ul className={styles['segments']}>
          {segments.data.map(({ id: segment, name, type }) => (
            <li key={segment}>
              <Link to={pathOf.segment(segment)}>{name}</Link>
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
    </Panel>
  )
}
