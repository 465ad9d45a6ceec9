import { Button, FileButton, Menu } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { apiClient, readAnswer } from '../../api/client.ts'
import { useHasRight } from '../../api/me.ts'
import { ConfirmDialog, TYPED_CONFIRM_THRESHOLD } from '../../components/ConfirmDialog.tsx'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { TwoColumnLayout } from '../../components/layout/PagePanel.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import { useAsyncAction } from '../../components/use-act.ts'
import { showToast } from '../../layout/toasts.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import {
  type ApiImportRun,
  type ListedApiImport as Definition,
  readImportRunList,
  requestImportRun,
  uploadImportFile,
} from './calls.ts'
import { IMPORT_FILE_TYPES } from './ImportFileDrop.tsx'
import styles from './ImportsPage.module.css'
import { ImportRunFigures } from './runs/ImportRunFigures.tsx'
import { ImportRunStateBadge } from './runs/ImportRunStateBadge.tsx'
import { ImportSidePanel } from './runs/Runs.tsx'
import { importTexts } from './texts.ts'
import { useImportTabs } from './use-tabs.ts'

const route = getRouteApi('/imports/$id')
const LIVE_MS = 1000
const SHOWN = 50

/** All runs and checks of an import, newest first; read again as long as one is under way. */
function useRuns(id: number) {
  return useQuery({
    queryKey: ['imports', id, 'runs'],
    queryFn: async ({ signal }) => {
      const kinds = [true, false].map((dryRun) => readImportRunList(id, { dryRun, limit: SHOWN, signal }))
      return (await Promise.all(kinds)).flat().toSorted((a, b) => b.id - a.id)
    },
    refetchInterval: ({ state }) => (state.data?.some((run) => run.state === 0) ? LIVE_MS : false),
  })
}

/** Asks before a file is applied, with the figures of the check where it was made of this very file. */
function Apply({
  of,
  run,
  onClose,
  onStarted,
}: {
  of: Definition
  run: ApiImportRun | undefined
  onClose(): void
  onStarted(run: ApiImportRun): void
}) {
  const t = useTranslator(importTexts)
  const known = run?.dryRun && run.state === 1 && run.source.filename === of.source.filename ? run : undefined
  const apply = async (): Promise<void> => {
    onStarted(await requestImportRun(of.id, false))
    showToast(t('started'))
  }
  return (
    <ConfirmDialog
      title={t('appliesTitle')}
      action={t('applies')}
      isDangerous={false}
      {...(known && known.created + known.updated > TYPED_CONFIRM_THRESHOLD && { name: of.name })}
      onConfirm={apply}
      onClose={onClose}
    >
      {known ? t('appliesWhy', { created: known.created, updated: known.updated }) : t('appliesUnknown')}
    </ConfirmDialog>
  )
}

function Delete({ of, onClose }: { of: Definition; onClose(): void }) {
  const t = useTranslator(importTexts)
  const navigate = route.useNavigate()
  const queries = useQueryClient()
  const remove = async (): Promise<void> => {
    await apiClient.DELETE('/imports/{id}', { params: { path: { id: String(of.id) } } })
    await queries.invalidateQueries({ queryKey: ['imports'], exact: true })
    await navigate({ to: '/imports' })
  }
  return (
    <ConfirmDialog title={t('delete')} action={t('delete')} onConfirm={remove} onClose={onClose}>
      {t('deleteWhy')}
    </ConfirmDialog>
  )
}

function Loaded({ of, runs }: { of: Definition; runs: readonly ApiImportRun[] }) {
  const t = useTranslator(importTexts)
  const { run: chosen } = route.useSearch()
  const navigate = route.useNavigate()
  const queries = useQueryClient()
  const may = useHasRight('write')
  const [asked, setAsked] = useState<'apply' | 'delete' | null>(null)
  const run = runs.find(({ id }) => id === chosen) ?? runs[0]
  const show = async ({ id }: ApiImportRun): Promise<void> => {
    await queries.invalidateQueries({ queryKey: ['imports', of.id] })
    await navigate({ search: { run: id } })
  }
  const check = useAsyncAction(async () => show(await requestImportRun(of.id, true)))
  const [file, setFile] = useState<File | null>(null)
  const upload = useAsyncAction(async () => {
    if (file) await uploadImportFile(of.id, file)
    await show(await requestImportRun(of.id, true))
  })
  const isBusy = runs.some(({ state }) => state === 0)
  const hasFile = of.source.filename !== null
  const apply = may && hasFile && (
    <Button disabled={isBusy} onClick={() => setAsked('apply')}>
      {t('applies')}
    </Button>
  )
  const menu = may && (
    <>
      <Menu.Item disabled={isBusy || !hasFile} onClick={() => void check.run()}>
        {t('check')}
      </Menu.Item>
      <Menu.Item color="red" onClick={() => setAsked('delete')}>
        {t('delete')}
      </Menu.Item>
    </>
  )
  return (
    <ScreenPage
      title={of.name}
      parent={{ label: t('title'), to: '/imports' }}
      badge={run && <ImportRunStateBadge run={run} />}
      tabs={useImportTabs(of.id, 'runs')}
      note={run?.dryRun ? t('dryRunHint') : undefined}
      action={apply}
      menu={menu}
    >
      <TwoColumnLayout
        aside={
          <ImportSidePanel of={of} runs={runs} shown={run}>
            {may && of.source.type === 'file' && (
              <FileButton onChange={setFile} accept={IMPORT_FILE_TYPES}>
                {(props) => (
                  <Button {...props} size="compact-sm" variant="default" disabled={isBusy}>
                    {t('dropOther')}
                  </Button>
                )}
              </FileButton>
            )}
            {file && (
              <Button size="compact-sm" loading={upload.isBusy} onClick={() => void upload.run()}>
                {t('check')}: {file.name}
              </Button>
            )}
          </ImportSidePanel>
        }
      >
        {[check.error, upload.error].map(
          (error) => error !== null && <ProblemAlert key={String(error)} error={error} />,
        )}
        {run ? <ImportRunFigures key={run.id} run={run} /> : <p className={styles['quiet']}>{t('neverRan')}</p>}
      </TwoColumnLayout>
      {asked === 'apply' && (
        <Apply of={of} run={run} onStarted={(started) => void show(started)} onClose={() => setAsked(null)} />
      )}
      {asked === 'delete' && <Delete of={of} onClose={() => setAsked(null)} />}
    </ScreenPage>
  )
}

/** One import: its last run or check as it goes on, what it refused, and all runs before. */
export function ImportPage() {
  const t = useTranslator(importTexts)
  const id = Number(route.useParams().id)
  const one = useQuery({
    queryKey: ['imports', id],
    queryFn: ({ signal }) =>
      readAnswer(apiClient.GET('/imports/{id}', { params: { path: { id: String(id) } }, signal })),
  })
  const runs = useRuns(id)
  const error = one.error ?? runs.error
  if (one.data && runs.data) return <Loaded of={one.data} runs={runs.data} />
  return (
    <ScreenPage title={t('title')}>
      {error ? (
        <ProblemAlert error={error} onRetry={() => void Promise.all([one.refetch(), runs.refetch()])} />
      ) : (
        <LoadingSkeleton />
      )}
    </ScreenPage>
  )
}
