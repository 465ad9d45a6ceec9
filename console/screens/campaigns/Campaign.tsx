import { Button, Menu } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, data } from '../../api/client.ts'
import { useMay } from '../../api/me.ts'
import { Confirm } from '../../components/Confirm.tsx'
import { Loaded } from '../../components/form/Loaded.tsx'
import { useStored } from '../../components/form/use-resource.ts'
import { Empty } from '../../components/layout/Empty.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { Problem } from '../../components/layout/Problem.tsx'
import { Skeleton } from '../../components/layout/Skeleton.tsx'
import { Stat, Stats } from '../../components/layout/Stat.tsx'
import { Num } from '../../components/Num.tsx'
import { UseList } from '../../components/where-used/WhereUsed.tsx'
import { tell } from '../../layout/toasts.tsx'
import { type Text, useText } from '../../text/catalogue.ts'
import { AddItems } from './AddItems.tsx'
import styles from './Campaigns.module.css'
import { campaignKind } from './EditCampaign.tsx'
import type en from './en.ts'
import { Items } from './Items.tsx'
import type { ItemResult } from './item-state.tsx'
import { type Campaign as CampaignDocument, Period, PhaseBadge } from './phase.tsx'
import { campaignTexts } from './texts.ts'

const route = getRouteApi('/campaigns/$id')
const POLL_MS = 10_000

function useResults(id: string) {
  return useQuery({
    queryKey: ['campaigns', 'results', id],
    queryFn: ({ signal }) => data(api.GET('/campaigns/{id}/results', { params: { path: { id } }, signal })),
    refetchInterval: POLL_MS,
  })
}

type Results = NonNullable<ReturnType<typeof useResults>['data']>

function Totals({ totals, t }: { totals: Results['totals']; t: Text<typeof en> }) {
  const { sent, opens, clicks, unsubscribes, bounces, impressions } = totals
  return (
    <Stats>
      <Stat label={t('sent')} definition={t('sentWhy')}>
        <Num value={sent} />
      </Stat>
      {impressions > 0 && (
        <Stat label={t('impressions')} definition={t('impressionsWhy')}>
          <Num value={impressions} />
        </Stat>
      )}
      <Stat label={t('opens')} definition={t('opensWhy')} note={t('byMachines', { count: opens.machine })}>
        <Num value={opens.human} />
      </Stat>
      <Stat label={t('clicks')} definition={t('clicksWhy')} note={t('byMachines', { count: clicks.machine })}>
        <Num value={clicks.human} />
      </Stat>
      <Stat label={t('unsubscribes')} definition={t('unsubscribesWhy')}>
        <Num value={unsubscribes} />
      </Stat>
      <Stat label={t('bounces')} definition={t('bouncesWhy')}>
        <Num value={bounces} />
      </Stat>
    </Stats>
  )
}

/** Takes an item out at once, and offers to put it back where it was. */
function useRemoval({ id, items }: CampaignDocument, read: () => Promise<void>) {
  const t = useText(campaignTexts)
  const [error, setError] = useState<unknown>(null)
  const trying = (work: () => Promise<void>): Promise<void> => work().catch(setError)
  const remove = ({ type, id: item, name }: ItemResult): Promise<void> =>
    trying(async () => {
      const path = { id, type, item: String(item) }
      await data(api.DELETE('/campaigns/{id}/items/{type}/{item}', { params: { path } }))
      await read()
      const putBack = async (): Promise<void> => {
        await data(api.PUT('/campaigns/{id}', { params: { path: { id } }, body: { items: [...items] } }))
        await read()
      }
      tell(t('itemRemoved', { name }), () => void trying(putBack))
    })
  return { error, remove }
}

function DeleteDialog({ campaign, results, onClose }: DialogProps) {
  const t = useText(campaignTexts)
  const navigate = route.useNavigate()
  const queries = useQueryClient()
  const { id, name } = campaign
  const remove = async (): Promise<void> => {
    await campaignKind.remove(id)
    await navigate({ to: '/campaigns' })
    tell(t('deleted', { name }))
    await queries.invalidateQueries({ queryKey: ['campaigns'] })
  }
  const items = results?.items ?? []
  const uses = items.map(({ type, kind, id: item, name: words }) => ({ type: kind ?? type, id: item, name: words }))
  return (
    <Confirm title={t('deleteTitle', { name })} action={t('delete')} onConfirm={remove} onClose={onClose}>
      <p>{t('deleteWhy', { count: items.length })}</p>
      {uses.length > 0 && <UseList uses={uses.slice(0, 8)} />}
      {uses.length > 8 && <small>{t('andMore', { count: uses.length - 8 })}</small>}
    </Confirm>
  )
}

interface DialogProps {
  campaign: CampaignDocument
  results: Results | undefined
  onClose(): void
}

type Dialog = 'add' | 'delete' | null

function Shown({ campaign }: { campaign: CampaignDocument }) {
  const t = useText(campaignTexts)
  const queries = useQueryClient()
  const mayWrite = useMay('write')
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
    <Page
      title={name}
      parent={{ label: t('campaigns'), to: '/campaigns' }}
      badge={<PhaseBadge campaign={campaign} />}
      note={<Period campaign={campaign} t={t} />}
      action={items.length > 0 && add}
      menu={menu}
    >
      <div className={styles['part']}>
        {description && <p className={styles['description']}>{description}</p>}
        {error !== null && <Problem error={error} />}
        {results.error && <Problem error={results.error} onRetry={() => void results.refetch()} />}
        {results.isPending && <Skeleton lines={[40, 100, 100, 100]} />}
        {results.data?.items.length === 0 && (
          <Empty title={t('emptyItems')} action={add}>
            {t('emptyItemsWhy')}
          </Empty>
        )}
        {results.data && results.data.items.length > 0 && (
          <>
            <Totals totals={results.data.totals} t={t} />
            <Items items={results.data.items} remove={mayWrite ? (item) => void remove(item) : undefined} />
          </>
        )}
      </div>
      {dialog === 'add' && (
        <AddItems
          id={id}
          present={items}
          onAdded={(count) => {
            void read()
            tell(t('itemsAdded', { count }))
          }}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'delete' && (
        <DeleteDialog campaign={campaign} results={results.data} onClose={() => setDialog(null)} />
      )}
    </Page>
  )
}

/** A campaign: what it groups over all channels, with states and results. */
export function Campaign() {
  const t = useText(campaignTexts)
  const { id } = route.useParams()
  return (
    <Loaded
      read={useStored(campaignKind, id)}
      title={t('campaign')}
      parent={{ label: t('campaigns'), to: '/campaigns' }}
    >
      {({ data: campaign }) => <Shown key={id} campaign={campaign} />}
    </Loaded>
  )
}
