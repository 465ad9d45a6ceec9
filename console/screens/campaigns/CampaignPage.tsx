import { Button, Menu } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { apiClient } from '../../api/client.ts'
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
import { CampaignPeriod, CampaignPhaseBadge, type ListedApiCampaign } from './phase.tsx'
import { campaignTexts } from './texts.ts'

const route = getRouteApi('/campaigns/$id')
const POLL_INTERVAL_MS = 10_000

function useCampaignResults(id: string) {
  return useQuery({
    queryKey: ['campaigns', 'results', id],
    queryFn: ({ signal }) => apiClient.getCampaignResults({ path: { id }, signal }),
    refetchInterval: POLL_INTERVAL_MS,
  })
}

type CampaignResults = NonNullable<ReturnType<typeof useCampaignResults>['data']>

function CampaignTotals({ totals, t }: { totals: CampaignResults['totals']; t: Translator<typeof en> }) {
  const { sent: sentCount, opens, clicks, unsubscribes, bounces, impressions } = totals
  return (
    <StatFigures>
      <StatFigure label={t('sent')} definition={t('sentWhy')}>
        <FormattedNumber value={sentCount} />
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
function useItemRemoval({ id, items }: ListedApiCampaign, reloadCampaign: () => Promise<void>) {
  const t = useTranslator(campaignTexts)
  const [error, setError] = useState<unknown>(null)
  const reportErrors = (work: () => Promise<void>): Promise<void> => work().catch(setError)
  const removeItem = ({ type, id: item, name }: ApiCampaignItemResult): Promise<void> =>
    reportErrors(async () => {
      const path = { id, type, item: String(item) }
      await apiClient.removeCampaignItem({ path })
      await reloadCampaign()
      const restoreItem = async (): Promise<void> => {
        await apiClient.updateCampaign({ path: { id }, body: { items: [...items] } })
        await reloadCampaign()
      }
      showToast(t('itemRemoved', { name }), () => void reportErrors(restoreItem))
    })
  return { error, remove: removeItem }
}

function DeleteDialog({ campaign, results, onClose }: DialogProps) {
  const t = useTranslator(campaignTexts)
  const navigate = route.useNavigate()
  const queryClient = useQueryClient()
  const { id, name } = campaign
  const deleteCampaign = async (): Promise<void> => {
    await campaignResource.remove(id)
    await navigate({ to: '/campaigns' })
    showToast(t('deleted', { name }))
    await queryClient.invalidateQueries({ queryKey: ['campaigns'] })
  }
  const items = results?.items ?? []
  const itemUses = items.map(({ type, kind, id: item, name: words }) => ({ type: kind ?? type, id: item, name: words }))
  return (
    <ConfirmDialog title={t('deleteTitle', { name })} action={t('delete')} onConfirm={deleteCampaign} onClose={onClose}>
      <p>{t('deleteWhy', { count: items.length })}</p>
      {itemUses.length > 0 && <ObjectUseList uses={itemUses.slice(0, 8)} />}
      {itemUses.length > 8 && <small>{t('andMore', { count: itemUses.length - 8 })}</small>}
    </ConfirmDialog>
  )
}

interface DialogProps {
  campaign: ListedApiCampaign
  results: CampaignResults | undefined
  onClose(): void
}

type CampaignDialog = 'add' | 'delete' | null

function LoadedCampaign({ campaign }: { campaign: ListedApiCampaign }) {
  const t = useTranslator(campaignTexts)
  const queryClient = useQueryClient()
  const canWrite = useHasRight('write')
  const [openDialog, setDialog] = useState<CampaignDialog>(null)
  const { id, name, description, items } = campaign
  const resultsQuery = useCampaignResults(id)
  const reloadCampaign = async (): Promise<void> => {
    await Promise.all([['campaign', id], ['campaigns']].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
  }
  const { error, remove } = useItemRemoval(campaign, reloadCampaign)
  const addButton = canWrite && <Button onClick={() => setDialog('add')}>{t('addItems')}</Button>
  const menuItems = canWrite && (
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
      action={items.length > 0 && addButton}
      menu={menuItems}
    >
      <div className={styles['part']}>
        {description && <p className={styles['description']}>{description}</p>}
        {error !== null && <ProblemAlert error={error} />}
        {resultsQuery.error && <ProblemAlert error={resultsQuery.error} onRetry={() => void resultsQuery.refetch()} />}
        {resultsQuery.isPending && <LoadingSkeleton lines={[40, 100, 100, 100]} />}
        {resultsQuery.data?.items.length === 0 && (
          <EmptyState title={t('emptyItems')} action={addButton}>
            {t('emptyItemsWhy')}
          </EmptyState>
        )}
        {resultsQuery.data && resultsQuery.data.items.length > 0 && (
          <>
            <CampaignTotals totals={resultsQuery.data.totals} t={t} />
            <CampaignItems
              items={resultsQuery.data.items}
              remove={canWrite ? (item) => void remove(item) : undefined}
            />
          </>
        )}
      </div>
      {openDialog === 'add' && (
        <AddCampaignItems
          id={id}
          present={items}
          onAdded={(count) => {
            void reloadCampaign()
            showToast(t('itemsAdded', { count }))
          }}
          onClose={() => setDialog(null)}
        />
      )}
      {openDialog === 'delete' && (
        <DeleteDialog campaign={campaign} results={resultsQuery.data} onClose={() => setDialog(null)} />
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
      {({ data: campaign }) => <LoadedCampaign key={id} campaign={campaign} />}
    </DocumentLoader>
  )
}
