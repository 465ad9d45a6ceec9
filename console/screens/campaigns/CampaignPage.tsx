import { Button, Menu } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { apiClient, readAnswer } from '../../api/client.ts'
import { useHasRight } from '../../api/me.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { FormattedNumber } from '../../components/FormattedNumber.tsx'
import { DocumentLoader } from '../../components/form/DocumentLoader.tsx'
import { useStoredDocument } from '../../components/form/use-resource.ts'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import { StatFigure, StatFigures } from '../../components/layout/StatFigure.tsx'
import { ObjectUseList } from '../../components/where-used/WhereUsed.tsx'
import { showToast } from '../../layout/toasts.tsx'
import { type Translator, useTranslator } from '../../text/catalogue.ts'
import { AddCampaignItems } from './AddCampaignItems.tsx'
import { CampaignItems } from './CampaignItems.tsx'
import styles from './CampaignsPage.module.css'
import { campaignResource } from './EditCampaignPage.tsx'
import type en from './en.ts'
import type { ApiCampaignItemResult } from './item-state.tsx'
import { type ListedApiCampaign as CampaignDocument, CampaignPeriod, CampaignPhaseBadge } from './phase.tsx'
import { campaignTexts } from './texts.ts'

const route = getRouteApi('/campaigns/$id')
const POLL_MS = 10_000

function useResults(id: string) {
  return useQuery({
    queryKey: ['campaigns', 'results', id],
    queryFn: ({ signal }) => readAnswer(apiClient.GET('/campaigns/{id}/results', { params: { path: { id } }, signal })),
    refetchInterval: POLL_MS,
  })
}

type Results = NonNullable<ReturnType<typeof useResults>['data']>

function Totals({ totals, t }: { totals: Results['totals']; t: Translator<typeof en> }) {
  const { sent, opens, clicks, unsubscribes, bounces, impressions } = totals
  return (
    <StatFigures>
      <StatFigure label={t('sent')} definition={t('sentWhy')}>
        <FormattedNumber value={sent} />
      </StatFigure>
      {impressions > 0 && (
        <StatFigure label={t('impressions')} definition={t('impressionsWhy')}>
          <FormattedNumber value={impressions} />
        </StatFigure>
      )}
      <StatFigure label={t('opens')} definition={t('opensWhy')} note={t('byMachines', { count: opens.machine })}>
        <FormattedNumber value={opens.human} />
      </StatFigure>
      <StatFigure label={t('clicks')} definition={t('clicksWhy')} note={t('byMachines', { count: clicks.machine })}>
        <FormattedNumber value={clicks.human} />
      </StatFigure>
      <StatFigure label={t('unsubscribes')} definition={t('unsubscribesWhy')}>
        <FormattedNumber value={unsubscribes} />
      </StatFigure>
      <StatFigure label={t('bounces')} definition={t('bouncesWhy')}>
        <FormattedNumber value={bounces} />
      </StatFigure>
    </StatFigures>
  )
}

/** Takes an item out at once, and offers to put it back where it was. */
function useRemoval({ id, items }: CampaignDocument, read: () => Promise<void>) {
  const t = useTranslator(campaignTexts)
  const [error, setError] = useState<unknown>(null)
  const trying = (work: () => Promise<void>): Promise<void> => work().catch(setError)
  const remove = ({ type, id: item, name }: ApiCampaignItemResult): Promise<void> =>
    trying(async () => {
      const path = { id, type, item: String(item) }
      await readAnswer(apiClient.DELETE('/campaigns/{id}/items/{type}/{item}', { params: { path } }))
      await read()
      const putBack = async (): Promise<void> => {
        await readAnswer(apiClient.PUT('/campaigns/{id}', { params: { path: { id } }, body: { items: [...items] } }))
        await read()
      }
      showToast(t('itemRemoved', { name }), () => void trying(putBack))
    })
  return { error, remove }
}

function DeleteDialog({ campaign, results, onClose }: DialogProps) {
  const t = useTranslator(campaignTexts)
  const navigate = route.useNavigate()
  const queries = useQueryClient()
  const { id, name } = campaign
  const remove = async (): Promise<void> => {
    await campaignResource.remove(id)
    await navigate({ to: '/campaigns' })
    showToast(t('deleted', { name }))
    await queries.invalidateQueries({ queryKey: ['campaigns'] })
  }
  const items = results?.items ?? []
  const uses = items.map(({ type, kind, id: item, name: words }) => ({ type: kind ?? type, id: item, name: words }))
  return (
    <ConfirmDialog title={t('deleteTitle', { name })} action={t('delete')} onConfirm={remove} onClose={onClose}>
      <p>{t('deleteWhy', { count: items.length })}</p>
      {uses.length > 0 && <ObjectUseList uses={uses.slice(0, 8)} />}
      {uses.length > 8 && <small>{t('andMore', { count: uses.length - 8 })}</small>}
    </ConfirmDialog>
  )
}

interface DialogProps {
  campaign: CampaignDocument
  results: Results | undefined
  onClose(): void
}

type Dialog = 'add' | 'delete' | null

function Shown({ campaign }: { campaign: CampaignDocument }) {
  const t = useTranslator(campaignTexts)
  const queries = useQueryClient()
  const mayWrite = useHasRight('write')
  const [dialog, setDialog] = useState<Dialog>(null)
  const { id, name, description, items } = campaign
  const results = useResults(id)
  const read = async (): Promise<void> => {
    await Promise.all([['campaign', id], ['campaigns']].map((queryKey) => queries.invalidateQueries({ queryKey })))
  }
  const { error, remove } = useRemoval(campaign, read)
  const add = mayWrite && <Button onClick={() => setDialog('add')}>{t('addItems')}</Button>
  const menu = mayWrite && (
    <>
      <Menu.Item
        leftSection={<IconPencil size={16} aria-hidden />}
        renderRoot={(props) => <Link to="/campaigns/$id/edit" params={{ id }} {...props} />}
      >
        {t('edit')}
      </Menu.Item>
      <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setDialog('delete')}>
        {t('delete')}
      </Menu.Item>
    </>
  )
  return (
    <ScreenPage
      title={name}
      parent={{ label: t('campaigns'), to: '/campaigns' }}
      badge={<CampaignPhaseBadge campaign={campaign} />}
      note={<CampaignPeriod campaign={campaign} t={t} />}
      action={items.length > 0 && add}
      menu={menu}
    >
      <div className={styles['part']}>
        {description && <p className={styles['description']}>{description}</p>}
        {error !== null && <ProblemAlert error={error} />}
        {results.error && <ProblemAlert error={results.error} onRetry={() => void results.refetch()} />}
        {results.isPending && <LoadingSkeleton lines={[40, 100, 100, 100]} />}
        {results.data?.items.length === 0 && (
          <EmptyState title={t('emptyItems')} action={add}>
            {t('emptyItemsWhy')}
          </EmptyState>
        )}
        {results.data && results.data.items.length > 0 && (
          <>
            <Totals totals={results.data.totals} t={t} />
            <CampaignItems items={results.data.items} remove={mayWrite ? (item) => void remove(item) : undefined} />
          </>
        )}
      </div>
      {dialog === 'add' && (
        <AddCampaignItems
          id={id}
          present={items}
          onAdded={(count) => {
            void read()
            showToast(t('itemsAdded', { count }))
          }}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'delete' && (
        <DeleteDialog campaign={campaign} results={results.data} onClose={() => setDialog(null)} />
      )}
    </ScreenPage>
  )
}

/** A campaign: what it groups over all channels, with states and results. */
export function CampaignPage() {
  const t = useTranslator(campaignTexts)
  const { id } = route.useParams()
  return (
    <DocumentLoader
      read={useStoredDocument(campaignResource, id)}
      title={t('campaign')}
      parent={{ label: t('campaigns'), to: '/campaigns' }}
    >
      {({ data: campaign }) => <Shown key={id} campaign={campaign} />}
    </DocumentLoader>
  )
}
