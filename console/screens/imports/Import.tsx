import { Button, FileButton, Menu } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { api, data } from '../../api/client.ts'
import { useMay } from '../../api/me.ts'
import { Confirm, TYPED_ABOVE } from '../../components/Confirm.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { Split } from '../../components/layout/Panel.tsx'
import { Problem } from '../../components/layout/Problem.tsx'
import { Skeleton } from '../../components/layout/Skeleton.tsx'
import { useAct } from '../../components/use-act.ts'
import { tell } from '../../layout/toasts.tsx'
import { useText } from '../../text/catalogue.ts'
import { type Import as Definition, type Run, readRuns, startRun, uploadTo } from './calls.ts'
import { TYPES } from './Drop.tsx'
import styles from './Imports.module.css'
import { RunFigures } from './runs/RunFigures.tsx'
import { RunState } from './runs/RunState.tsx'
import { Aside } from './runs/Runs.tsx'
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
      const kinds = [true, false].map((dryRun) => readRuns(id, { dryRun, limit: SHOWN, signal }))
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
  run: Run | undefined
  onClose(): void
  onStarted(run: Run): void
}) {
  const t = useText(importTexts)
  const known = run?.dryRun && run.state === 1 && run.source.filename === of.source.filename ? run : undefined
  const apply = async (): Promise<void> => {
    onStarted(await startRun(of.id, false))
    tell(t('started'))
  }
  return (
    <Confirm
      title={t('appliesTitle')}
      action={t('applies')}
      isDangerous={false}
      {...(known && known.created + known.updated > TYPED_ABOVE && { name: of.name })}
      onConfirm={apply}
      onClose={onClose}
    >
      {known ? t('appliesWhy', { created: known.created, updated: known.updated }) : t('appliesUnknown')}
    </Confirm>
  )
}

function Delete({ of, onClose }: { of: Definition; onClose(): void }) {
  const t = useText(importTexts)
  const navigate = route.useNavigate()
  const queries = useQueryClient()
  const remove = async (): Promise<void> => {
    await api.DELETE('/imports/{id}', { params: { path: { id: String(of.id) } } })
    await queries.invalidateQueries({ queryKey: ['imports'], exact: true })
    await navigate({ to: '/imports' })
  }
  return (
    <Confirm title={t('delete')} action={t('delete')} onConfirm={remove} onClose={onClose}>
      {t('deleteWhy')}
    </Confirm>
  )
}

function Loaded({ of, runs }: { of: Definition; runs: readonly Run[] }) {
  const t = useText(importTexts)
  const { run: chosen } = route.useSearch()
  const navigate = route.useNavigate()
  const queries = useQueryClient()
  const may = useMay('write')
  const [asked, setAsked] = useState<'apply' | 'delete' | null>(null)
  const run = runs.find(({ id }) => id === chosen) ?? runs[0]
  const show = async ({ id }: Run): Promise<void> => {
    await queries.invalidateQueries({ queryKey: ['imports', of.id] })
    await navigate({ search: { run: id } })
  }
  const check = useAct(async () => show(await startRun(of.id, true)))
  const [file, setFile] = useState<File | null>(null)
  const upload = useAct(async () => {
    if (file) await uploadTo(of.id, file)
    await show(await startRun(of.id, true))
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
    <Page
      title={of.name}
      parent={{ label: t('title'), to: '/imports' }}
      badge={run && <RunState run={run} />}
      tabs={useImportTabs(of.id, 'runs')}
      note={run?.dryRun ? t('dryRunHint') : undefined}
      action={apply}
      menu={menu}
    >
      <Split
        aside={
          <Aside of={of} runs={runs} shown={run}>
            {may && of.source.type === 'file' && (
              <FileButton onChange={setFile} accept={TYPES}>
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
          </Aside>
        }
      >
        {[check.error, upload.error].map((error) => error !== null && <Problem key={String(error)} error={error} />)}
        {run ? <RunFigures key={run.id} run={run} /> : <p className={styles['quiet']}>{t('neverRan')}</p>}
      </Split>
      {asked === 'apply' && (
        <Apply of={of} run={run} onStarted={(started) => void show(started)} onClose={() => setAsked(null)} />
      )}
      {asked === 'delete' && <Delete of={of} onClose={() => setAsked(null)} />}
    </Page>
  )
}

/** One import: its last run or check as it goes on, what it refused, and all runs before. */
export function Import() {
  const t = useText(importTexts)
  const id = Number(route.useParams().id)
  const one = useQuery({
    queryKey: ['imports', id],
    queryFn: ({ signal }) => data(api.GET('/imports/{id}', { params: { path: { id: String(id) } }, signal })),
  })
  const runs = useRuns(id)
  const error = one.error ?? runs.error
  if (one.data && runs.data) return <Loaded of={one.data} runs={runs.data} />
  return (
    <Page title={t('title')}>
      {error ? (
        <Problem error={error} onRetry={() => void Promise.all([one.refetch(), runs.refetch()])} />
      ) : (
        <Skeleton />
      )}
    </Page>
  )
}
