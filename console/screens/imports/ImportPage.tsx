import { Button, FileButton, Menu } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { apiClient } from '../../api/client.ts'
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
  type ListedApiImport,
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
const REFETCH_INTERVAL_MS = 1000
const MAX_RUNS = 50

/** All runs and checks of an import, newest first; read again as long as one is under way. */
function useImportRuns(id: number) {
  return useQuery({
    queryKey: ['imports', id, 'runs'],
    queryFn: async ({ signal }) => {
      const runLists = [true, false].map((dryRun) => readImportRunList(id, { dryRun, limit: MAX_RUNS, signal }))
      return (await Promise.all(runLists)).flat().toSorted((a, b) => b.id - a.id)
    },
    refetchInterval: ({ state }) => (state.data?.some((run) => run.state === 0) ? REFETCH_INTERVAL_MS : false),
  })
}

/** Asks before a file is applied, with the figures of the check where it was made of this very file. */
function ApplyDialog({
  of,
  run,
  onClose,
  onStarted,
}: {
  of: ListedApiImport
  run: ApiImportRun | undefined
  onClose(): void
  onStarted(run: ApiImportRun): void
}) {
  const t = useTranslator(importTexts)
  const checkedRun = run?.dryRun && run.state === 1 && run.source.filename === of.source.filename ? run : undefined
  const applyFile = async (): Promise<void> => {
    onStarted(await requestImportRun(of.id, false))
    showToast(t('started'))
  }
  return (
    <ConfirmDialog
      title={t('appliesTitle')}
      action={t('applies')}
      isDangerous={false}
      {...(checkedRun && checkedRun.created + checkedRun.updated > TYPED_CONFIRM_THRESHOLD && { name: of.name })}
      onConfirm={applyFile}
      onClose={onClose}
    >
      {checkedRun ? t('appliesWhy', { created: checkedRun.created, updated: checkedRun.updated }) : t('appliesUnknown')}
    </ConfirmDialog>
  )
}

function DeleteDialog({ of, onClose }: { of: ListedApiImport; onClose(): void }) {
  const t = useTranslator(importTexts)
  const navigate = route.useNavigate()
  const queryClient = useQueryClient()
  const deleteImport = async (): Promise<void> => {
    await apiClient.deleteImport({ path: { id: String(of.id) } })
    await queryClient.invalidateQueries({ queryKey: ['imports'], exact: true })
    await navigate({ to: '/imports' })
  }
  return (
    <ConfirmDialog title={t('delete')} action={t('delete')} onConfirm={deleteImport} onClose={onClose}>
      {t('deleteWhy')}
    </ConfirmDialog>
  )
}

function LoadedImport({ of, runs }: { of: ListedApiImport; runs: readonly ApiImportRun[] }) {
  const t = useTranslator(importTexts)
  const { run: chosenRunId } = route.useSearch()
  const navigate = route.useNavigate()
  const queryClient = useQueryClient()
  const canWrite = useHasRight('write')
  const [openDialog, setOpenDialog] = useState<'apply' | 'delete' | null>(null)
  const shownRun = runs.find(({ id }) => id === chosenRunId) ?? runs[0]
  const showRun = async ({ id }: ApiImportRun): Promise<void> => {
    await queryClient.invalidateQueries({ queryKey: ['imports', of.id] })
    await navigate({ search: { run: id } })
  }
  const checkFile = useAsyncAction(async () => showRun(await requestImportRun(of.id, true)))
  const [newFile, setNewFile] = useState<File | null>(null)
  const uploadFile = useAsyncAction(async () => {
    if (newFile) await uploadImportFile(of.id, newFile)
    await showRun(await requestImportRun(of.id, true))
  })
  const isRunning = runs.some(({ state }) => state === 0)
  const hasFile = of.source.filename !== null
  const isApplied = shownRun?.state === 1 && !shownRun.dryRun
  const applyButton = canWrite && hasFile && (
    <Button disabled={isRunning} variant={isApplied ? 'default' : 'filled'} onClick={() => setOpenDialog('apply')}>
      {t(isApplied ? 'appliesAgain' : 'applies')}
    </Button>
  )
  const menuItems = canWrite && (
    <>
      <Menu.Item disabled={isRunning || !hasFile} onClick={() => void checkFile.run()}>
        {t('check')}
      </Menu.Item>
      <Menu.Item color="red" onClick={() => setOpenDialog('delete')}>
        {t('delete')}
      </Menu.Item>
    </>
  )
  return (
    <ScreenPage
      title={of.name}
      parent={{ label: t('title'), to: '/imports' }}
      badge={shownRun && <ImportRunStateBadge run={shownRun} />}
      tabs={useImportTabs(of.id, 'runs')}
      note={shownRun?.dryRun ? t('dryRunHint') : undefined}
      action={applyButton}
      menu={menuItems}
    >
      <TwoColumnLayout
        aside={
          <ImportSidePanel of={of} runs={runs} shown={shownRun}>
            {canWrite && of.source.type === 'file' && (
              <FileButton onChange={setNewFile} accept={IMPORT_FILE_TYPES}>
                {(props) => (
                  <Button {...props} size="compact-sm" variant="default" disabled={isRunning}>
                    {t('dropOther')}
                  </Button>
                )}
              </FileButton>
            )}
            {newFile && (
              <Button size="compact-sm" loading={uploadFile.isBusy} onClick={() => void uploadFile.run()}>
                {t('check')}: {newFile.name}
              </Button>
            )}
          </ImportSidePanel>
        }
      >
        {[checkFile.error, uploadFile.error].map(
          (error) => error !== null && <ProblemAlert key={String(error)} error={error} />,
        )}
        {shownRun ? (
          <ImportRunFigures key={shownRun.id} of={of} run={shownRun} />
        ) : (
          <p className={styles['quiet']}>{t('neverRan')}</p>
        )}
      </TwoColumnLayout>
      {openDialog === 'apply' && (
        <ApplyDialog
          of={of}
          run={shownRun}
          onStarted={(started) => void showRun(started)}
          onClose={() => setOpenDialog(null)}
        />
      )}
      {openDialog === 'delete' && <DeleteDialog of={of} onClose={() => setOpenDialog(null)} />}
    </ScreenPage>
  )
}

/** One import: its last run or check as it goes on, what it refused, and all runs before. */
export function ImportPage() {
  const t = useTranslator(importTexts)
  const id = Number(route.useParams().id)
  const importQuery = useQuery({
    queryKey: ['imports', id],
    queryFn: ({ signal }) => apiClient.getImport({ path: { id: String(id) }, signal }),
  })
  const runsQuery = useImportRuns(id)
  const error = importQuery.error ?? runsQuery.error
  if (importQuery.data && runsQuery.data) return <LoadedImport of={importQuery.data} runs={runsQuery.data} />
  return (
    <ScreenPage title={t('title')}>
      {error ? (
        <ProblemAlert error={error} onRetry={() => void Promise.all([importQuery.refetch(), runsQuery.refetch()])} />
      ) : (
        <LoadingSkeleton />
      )}
    </ScreenPage>
  )
}
