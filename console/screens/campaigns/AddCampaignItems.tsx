import { Button, Checkbox, Group, Modal, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiClient } from '../../api/client.ts'
import type { ApiRequestBody } from '../../api/shapes.ts'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { useAsyncAction } from '../../components/use-act.ts'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './CampaignsPage.module.css'
import { campaignTexts } from './texts.ts'

const ITEM_CHANNELS = ['email', 'sms', 'rcs', 'notification', 'display', 'workflow'] as const
type ItemChannel = (typeof ITEM_CHANNELS)[number]
type CampaignItem = Extract<ApiRequestBody<'addCampaignItems'>, readonly unknown[]>[number]
interface CandidateItem {
  id: string | number
  name: string
}

/** So many are offered; the others are found by their names. */
const MAX_CANDIDATES = 30

const ACTION_TYPES: Record<'email' | 'sms', string> = {
  email: 'mailMessage,mailCampaign',
  sms: 'smsMessage,smsCampaign',
}

/** Filters a list that was read in full. */
function filterByName(candidates: readonly CandidateItem[], name: string): CandidateItem[] {
  return candidates
    .filter((candidate) => candidate.name.toLocaleLowerCase().includes(name.toLocaleLowerCase()))
    .slice(0, MAX_CANDIDATES)
}

/** The newest of a channel whose names hold what is sought. */
async function findCandidates(channel: ItemChannel, name: string, signal: AbortSignal): Promise<CandidateItem[]> {
  const query = { sort: '-id', limit: MAX_CANDIDATES, ...(name !== '' && { name }) } as const
  switch (channel) {
    case 'rcs':
      return apiClient.listRcsActions({ query, signal })
    case 'notification':
      return apiClient.listNotifications({ query, signal })
    case 'display':
      return filterByName(await apiClient.listDisplayCampaigns({ signal }), name)
    case 'workflow':
      return filterByName(await apiClient.listWorkflows({ signal }), name)
    default:
      return apiClient.listActions({ query: { ...query, type: ACTION_TYPES[channel] }, signal })
  }
}

const buildItemKey = ({ type, id }: { type: string; id: string | number }): string => `${type} ${id}`

interface Props {
  id: string
  /** Items already in the campaign. */
  present: readonly { type: string; id: string | number }[]
  onAdded(count: number): void
  onClose(): void
}

/** Chooses what joins a campaign, over all channels. */
export function AddCampaignItems({ id, present, onAdded, onClose }: Props) {
  const t = useTranslator(campaignTexts)
  const [channel, setChannel] = useState<ItemChannel>('email')
  const [searchText, setSought] = useState('')
  const [chosenItems, setChosen] = useState<CampaignItem[]>([])
  const candidatesQuery = useQuery({
    queryKey: ['campaigns', 'candidates', channel, searchText],
    queryFn: ({ signal }) => findCandidates(channel, searchText, signal),
  })
  const addItems = useAsyncAction(async () => {
    await apiClient.addCampaignItems({ path: { id }, body: chosenItems })
    onAdded(chosenItems.length)
    onClose()
  })
  const existingKeys = new Set(present.map(buildItemKey))
  const toggleItem = (item: CampaignItem): void =>
    setChosen((before) =>
      before.some((chosenItem) => buildItemKey(chosenItem) === buildItemKey(item))
        ? before.filter((chosenItem) => buildItemKey(chosenItem) !== buildItemKey(item))
        : [...before, item],
    )
  return (
    <Modal opened onClose={onClose} title={t('addItems')} size={560} closeButtonProps={{ 'aria-label': t('close') }}>
      <form onSubmit={addItems.submit} className={styles['part']}>
        <SegmentedControl
          size="xs"
          aria-label={t('channel')}
          data={ITEM_CHANNELS.map((value) => ({ value, label: t(value) }))}
          value={channel}
          onChange={(next) => setChannel(next as ItemChannel)}
        />
        <SearchField label={t('searchItems')} value={searchText} onChange={setSought} />
        {candidatesQuery.error && (
          <ProblemAlert error={candidatesQuery.error} onRetry={() => void candidatesQuery.refetch()} />
        )}
        {candidatesQuery.isPending && <LoadingSkeleton lines={[60, 50, 70]} />}
        {candidatesQuery.data?.length === 0 && (
          <p className={styles['none']}>{t(searchText === '' ? 'noCandidates' : 'noMatch')}</p>
        )}
        {candidatesQuery.data && candidatesQuery.data.length > 0 && (
          <ul className={styles['found']} aria-label={t('searchItems')}>
            {candidatesQuery.data.map(({ id: itemId, name }) => {
              const item: CampaignItem = { type: channel, id: itemId }
              const isInCampaign = existingKeys.has(buildItemKey(item))
              return (
                <li key={buildItemKey(item)}>
                  <Checkbox
                    label={<bdi>{name}</bdi>}
                    description={isInCampaign ? t('inIt') : String(itemId)}
                    disabled={isInCampaign}
                    checked={
                      isInCampaign ||
                      chosenItems.some((selectedItem) => buildItemKey(selectedItem) === buildItemKey(item))
                    }
                    onChange={() => toggleItem(item)}
                  />
                </li>
              )
            })}
          </ul>
        )}
        {addItems.error !== null && <ProblemAlert error={addItems.error} />}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={addItems.isBusy} disabled={chosenItems.length === 0}>
            {t('addCount', { count: chosenItems.length })}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
