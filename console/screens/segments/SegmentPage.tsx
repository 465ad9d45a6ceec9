import { Button, Menu } from '@mantine/core'
import { IconCopy, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import { apiClient, readVersionedAnswer } from '../../api/client.ts'
import { type ApiSegment, isSegmentEstimated, segmentRefetchMs } from '../../api/definitions.ts'
import { useHasRight } from '../../api/me.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { FormLayout } from '../../components/form/FormLayout.tsx'
import { type StoredDocument, useDocumentForm } from '../../components/form/use-form.ts'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { PagePanel } from '../../components/layout/PagePanel.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import { WhereUsed } from '../../components/where-used/WhereUsed.tsx'
import { showToast } from '../../layout/toasts.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { useLocaleFormat } from '../../text/format.ts'
import { SegmentCount } from './SegmentCount.tsx'
import { isSegmentPointerShown, type SegmentForm, SegmentFormFields, toSegmentForm } from './SegmentFormFields.tsx'
import { segmentTexts } from './texts.ts'

const LazySegmentGrowth = lazy(async () => ({ default: (await import('./SegmentGrowth.tsx')).SegmentGrowth }))
const LazySegmentMembers = lazy(async () => ({ default: (await import('./SegmentMembers.tsx')).SegmentMembers }))

const route = getRouteApi('/segments/$id')

function SegmentEditor({ stored: storedSegment }: { stored: StoredDocument<ApiSegment> }) {
  const t = useTranslator(segmentTexts)
  const queryClient = useQueryClient()
  const canWrite = useHasRight('write')
  const { id } = storedSegment.data
  const path = { path: { id: String(id) } }
  const toFormDocument = ({ data: segment, etag }: StoredDocument<ApiSegment>): StoredDocument<SegmentForm> => ({
    data: toSegmentForm(segment),
    etag,
  })
  const form = useDocumentForm<SegmentForm>({
    name: `segment.${id}`,
    stored: useMemo(() => ({ data: toSegmentForm(storedSegment.data), etag: storedSegment.etag }), [storedSegment]),
    save: async (draft, etag) => {
      const headers = etag === null ? {} : { 'if-match': etag }
      const savedSegment = await readVersionedAnswer(apiClient.updateSegment, { ...path, headers, body: draft })
      queryClient.setQueryData(['segment', String(id)], savedSegment)
      return toFormDocument(savedSegment)
    },
    load: async () => toFormDocument(await readVersionedAnswer(apiClient.getSegment, path)),
    onSaved: () => {
      showToast(t('saved'))
      void queryClient.invalidateQueries({ queryKey: ['segments'] })
    },
  })
  return (
    <FormLayout form={form} pointers={form.error === null ? [] : listFaultPointers(form.error)}>
      <SegmentFormFields
        form={form}
        id={id}
        isReadOnly={!canWrite}
        aside={
          <PagePanel title={t('used')}>
            <WhereUsed
              path={`/segments/${id}/links`}
              load={(signal) => apiClient.listSegmentLinks({ ...path, signal })}
            />
          </PagePanel>
        }
      />
    </FormLayout>
  )
}

/** Returns the pointers of a refusal that fields and criteria lines show. */
function listFaultPointers(error: unknown): string[] {
  const errorList = (error as { errors?: readonly { pointer: string }[] }).errors ?? []
  return errorList.map(({ pointer }) => pointer).filter(isSegmentPointerShown)
}

function DeleteDialog({ segment, onClose }: { segment: ApiSegment; onClose(): void }) {
  const t = useTranslator(segmentTexts)
  const format = useLocaleFormat()
  const navigate = route.useNavigate()
  const queryClient = useQueryClient()
  const deleteSegment = async (): Promise<void> => {
    await apiClient.deleteSegment({ path: { id: String(segment.id) } })
    showToast(t('deleted', { name: segment.name }))
    await queryClient.invalidateQueries({ queryKey: ['segments'] })
    await navigate({ to: '/segments' })
  }
  return (
    <ConfirmDialog
      title={t('deleteTitle', { name: segment.name })}
      action={t('delete')}
      onConfirm={deleteSegment}
      onClose={onClose}
    >
      <p>
        {t('deleteWhy', {
          count: `${isSegmentEstimated(segment) ? `${t('about')} ` : ''}${format.number(segment.targetsCount)}`,
        })}
      </p>
    </ConfirmDialog>
  )
}

function SegmentMenu({ segment, onDelete }: { segment: ApiSegment; onDelete(): void }) {
  const t = useTranslator(segmentTexts)
  const navigate = route.useNavigate()
  const { type, criteria } = segment
  const copySegment = (): void =>
    void navigate({ to: '/segments/new', search: { type, ...(criteria && { criteria }) } as never })
  return (
    <>
      {type === 'dynamic' && (
        <Menu.Item leftSection={<IconCopy size={16} aria-hidden />} onClick={copySegment}>
          {t('duplicate')}
        </Menu.Item>
      )}
      <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={onDelete}>
        {t('delete')}
      </Menu.Item>
    </>
  )
}

function LoadedSegment({ stored: storedSegment }: { stored: StoredDocument<ApiSegment> }) {
  const t = useTranslator(segmentTexts)
  const { tab } = route.useSearch()
  const canWrite = useHasRight('write')
  const [isDeleting, setDeleting] = useState(false)
  const { data: segment } = storedSegment
  const segmentPath = `/segments/${segment.id}`
  return (
    <ScreenPage
      title={segment.name}
      parent={{ label: t('title'), to: '/segments' }}
      badge={<StateBadge tone="neutral">{t(segment.type)}</StateBadge>}
      note={
        <>
          {t('since')} <FormattedTime at={segment.creation} as="date" />
          {segment.type === 'dynamic' && (
            <>
              {' · '}
              {t('contacts')}: <SegmentCount segment={segment} />
            </>
          )}
        </>
      }
      {...(canWrite && { menu: <SegmentMenu segment={segment} onDelete={() => setDeleting(true)} /> })}
      action={
        <Button
          variant="default"
          renderRoot={(props) => <Link to="/contacts" search={{ segment: segment.id }} {...props} />}
        >
          {t('inTable')}
        </Button>
      }
      tabs={[
        { label: t('definition'), to: segmentPath, search: {}, isOpen: tab === undefined },
        {
          label: t('contacts'),
          to: segmentPath,
          search: { tab: 'contacts' },
          isOpen: tab === 'contacts',
          ...(segment.type === 'static' && { count: segment.targetsCount }),
        },
        { label: t('growth'), to: segmentPath, search: { tab: 'growth' }, isOpen: tab === 'growth' },
      ]}
    >
      <Suspense fallback={<LoadingSkeleton />}>
        {tab === undefined && <SegmentEditor stored={storedSegment} />}
        {tab === 'contacts' && <LazySegmentMembers segment={segment} />}
        {tab === 'growth' && <LazySegmentGrowth id={segment.id} />}
      </Suspense>
      {isDeleting && <DeleteDialog segment={segment} onClose={() => setDeleting(false)} />}
    </ScreenPage>
  )
}

/** A segment: what it is, who is in it, how it grew, where it is used. */
export function SegmentPage() {
  const t = useTranslator(segmentTexts)
  const { id } = route.useParams()
  const segmentQuery = useQuery({
    queryKey: ['segment', id],
    queryFn: ({ signal }) => readVersionedAnswer(apiClient.getSegment, { path: { id }, signal }),
    refetchOnWindowFocus: false,
    refetchInterval: ({ state }) => segmentRefetchMs(state.data && [state.data.data]),
  })
  if (segmentQuery.data) return <LoadedSegment key={id} stored={segmentQuery.data} />
  return (
    <ScreenPage title={t('segment')} parent={{ label: t('title'), to: '/segments' }}>
      {segmentQuery.error ? (
        <ProblemAlert error={segmentQuery.error} onRetry={() => void segmentQuery.refetch()} />
      ) : (
        <LoadingSkeleton />
      )}
    </ScreenPage>
  )
}
