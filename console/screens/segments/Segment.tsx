import { Button, Menu } from '@mantine/core'
import { IconCopy, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import { api, data, versioned } from '../../api/client.ts'
import { isEstimated, type Segment as SegmentDocument, untilCounted } from '../../api/definitions.ts'
import { useMay } from '../../api/me.ts'
import { Badge } from '../../components/Badge.tsx'
import { Confirm } from '../../components/Confirm.tsx'
import { FormFrame } from '../../components/form/FormFrame.tsx'
import { type Stored, useForm } from '../../components/form/use-form.ts'
import { Page } from '../../components/layout/Page.tsx'
import { Panel } from '../../components/layout/Panel.tsx'
import { Problem } from '../../components/layout/Problem.tsx'
import { Skeleton } from '../../components/layout/Skeleton.tsx'
import { Time } from '../../components/Time.tsx'
import { WhereUsed } from '../../components/where-used/WhereUsed.tsx'
import { tell } from '../../layout/toasts.tsx'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { Count } from './Count.tsx'
import { Definition, type Draft, draftOf, isShown } from './Definition.tsx'
import { segmentTexts } from './texts.ts'

const Growth = lazy(async () => ({ default: (await import('./Growth.tsx')).Growth }))
const Members = lazy(async () => ({ default: (await import('./Members.tsx')).Members }))

const route = getRouteApi('/segments/$id')

function EditSegment({ stored }: { stored: Stored<SegmentDocument> }) {
  const t = useText(segmentTexts)
  const queries = useQueryClient()
  const mayWrite = useMay('write')
  const { id } = stored.data
  const path = { params: { path: { id: String(id) } } }
  const drafted = ({ data: segment, etag }: Stored<SegmentDocument>): Stored<Draft> => ({
    data: draftOf(segment),
    etag,
  })
  const form = useForm<Draft>({
    name: `segment.${id}`,
    stored: useMemo(() => ({ data: draftOf(stored.data), etag: stored.etag }), [stored]),
    save: async (draft, etag) => {
      const headers = etag === null ? {} : { 'if-match': etag }
      const next = await versioned(api.PUT('/segments/{id}', { ...path, headers, body: draft }))
      queries.setQueryData(['segment', String(id)], next)
      return drafted(next)
    },
    load: async () => drafted(await versioned(api.GET('/segments/{id}', path))),
    onSaved: () => {
      tell(t('saved'))
      void queries.invalidateQueries({ queryKey: ['segments'] })
    },
  })
  return (
    <FormFrame form={form} pointers={form.error === null ? [] : pointersOf(form.error)}>
      <Definition
        form={form}
        id={id}
        isReadOnly={!mayWrite}
        aside={
          <Panel title={t('used')}>
            <WhereUsed
              path={`/segments/${id}/links`}
              load={(signal) => data(api.GET('/segments/{id}/links', { ...path, signal }))}
            />
          </Panel>
        }
      />
    </FormFrame>
  )
}

/** Of a refusal, the pointers that fields and lines of criteria show. */
function pointersOf(error: unknown): string[] {
  const errors = (error as { errors?: readonly { pointer: string }[] }).errors ?? []
  return errors.map(({ pointer }) => pointer).filter(isShown)
}

function DeleteDialog({ segment, onClose }: { segment: SegmentDocument; onClose(): void }) {
  const t = useText(segmentTexts)
  const format = useFormat()
  const navigate = route.useNavigate()
  const queries = useQueryClient()
  const remove = async (): Promise<void> => {
    await data(api.DELETE('/segments/{id}', { params: { path: { id: String(segment.id) } } }))
    tell(t('deleted', { name: segment.name }))
    await queries.invalidateQueries({ queryKey: ['segments'] })
    await navigate({ to: '/segments' })
  }
  return (
    <Confirm title={t('deleteTitle', { name: segment.name })} action={t('delete')} onConfirm={remove} onClose={onClose}>
      <p>
        {t('deleteWhy', {
          count: `${isEstimated(segment) ? `${t('about')} ` : ''}${format.number(segment.targetsCount)}`,
        })}
      </p>
    </Confirm>
  )
}

function SegmentMenu({ segment, onDelete }: { segment: SegmentDocument; onDelete(): void }) {
  const t = useText(segmentTexts)
  const navigate = route.useNavigate()
  const { type, criteria } = segment
  const copy = (): void =>
    void navigate({ to: '/segments/new', search: { type, ...(criteria && { criteria }) } as never })
  return (
    <>
      {type === 'dynamic' && (
        <Menu.Item leftSection={<IconCopy size={16} aria-hidden />} onClick={copy}>
          {t('duplicate')}
        </Menu.Item>
      )}
      <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={onDelete}>
        {t('delete')}
      </Menu.Item>
    </>
  )
}

function Shown({ stored }: { stored: Stored<SegmentDocument> }) {
  const t = useText(segmentTexts)
  const { tab } = route.useSearch()
  const mayWrite = useMay('write')
  const [isDeleting, setDeleting] = useState(false)
  const { data: segment } = stored
  const to = `/segments/${segment.id}`
  return (
    <Page
      title={segment.name}
      parent={{ label: t('title'), to: '/segments' }}
      badge={<Badge tone={segment.type === 'dynamic' ? 'busy' : 'neutral'}>{t(segment.type)}</Badge>}
      note={
        <>
          {t('since')} <Time at={segment.creation} as="date" />
          {segment.type === 'dynamic' && (
            <>
              {' · '}
              {t('contacts')}: <Count segment={segment} />
            </>
          )}
        </>
      }
      {...(mayWrite && { menu: <SegmentMenu segment={segment} onDelete={() => setDeleting(true)} /> })}
      action={
        <Button
          variant="default"
          renderRoot={(props) => <Link to="/contacts" search={{ segment: segment.id }} {...props} />}
        >
          {t('inTable')}
        </Button>
      }
      tabs={[
        { label: t('definition'), to, search: {}, isOpen: tab === undefined },
        {
          label: t('contacts'),
          to,
          search: { tab: 'contacts' },
          isOpen: tab === 'contacts',
          ...(segment.type === 'static' && { count: segment.targetsCount }),
        },
        { label: t('growth'), to, search: { tab: 'growth' }, isOpen: tab === 'growth' },
      ]}
    >
      <Suspense fallback={<Skeleton />}>
        {tab === undefined && <EditSegment stored={stored} />}
        {tab === 'contacts' && <Members segment={segment} />}
        {tab === 'growth' && <Growth id={segment.id} />}
      </Suspense>
      {isDeleting && <DeleteDialog segment={segment} onClose={() => setDeleting(false)} />}
    </Page>
  )
}

/** A segment: what it is, who is in it, how it grew, where it is used. */
export function Segment() {
  const t = useText(segmentTexts)
  const { id } = route.useParams()
  const segment = useQuery({
    queryKey: ['segment', id],
    queryFn: ({ signal }) => versioned(api.GET('/segments/{id}', { params: { path: { id } }, signal })),
    refetchOnWindowFocus: false,
    refetchInterval: ({ state }) => untilCounted(state.data && [state.data.data]),
  })
  if (segment.data) return <Shown key={id} stored={segment.data} />
  return (
    <Page title={t('segment')} parent={{ label: t('title'), to: '/segments' }}>
      {segment.error ? <Problem error={segment.error} onRetry={() => void segment.refetch()} /> : <Skeleton />}
    </Page>
  )
}
