import { Button, Checkbox, Group, Modal, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiClient, readAnswer } from '../../api/client.ts'
import type { ApiRequestBody } from '../../api/shapes.ts'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { useAsyncAction } from '../../components/use-act.ts'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './CampaignsPage.module.css'
import { campaignTexts } from './texts.ts'

const CHANNELS = ['email', 'sms', 'rcs', 'notification', 'display', 'workflow'] as const
type Channel = (typeof CHANNELS)[number]
type Item = Extract<ApiRequestBody<'/campaigns/{id}/items', 'post'>, readonly unknown[]>[number]
interface Found {
  id: string | number
  name: string
}

/** So many are offered; the others are found by their names. */
const SHOWN = 30

const TYPES: Record<'email' | 'sms', string> = { email: 'mailMessage,mailCampaign', sms: 'smsMessage,smsCampaign' }

/** Of a list that is read whole. */
function named(all: readonly Found[], name: string): Found[] {
  return all.filter((one) => one.name.toLocaleLowerCase().includes(name.toLocaleLowerCase())).slice(0, SHOWN)
}

/** The newest of a channel whose names hold what is sought. */
async function find(channel: Channel, name: string, signal: AbortSignal): Promise<Found[]> {
  const query = { sort: '-id', limit: SHOWN, ...(name !== '' && { name }) } as const
  switch (channel) {
    case 'rcs':
      return readAnswer(apiClient.GET('/channel/rcs/actions', { params: { query }, signal }))
    case 'notification':
      return readAnswer(apiClient.GET('/notifications', { params: { query }, signal }))
    case 'display':
      return named(await readAnswer(apiClient.GET('/display/campaign', { signal })), name)
    case 'workflow':
      return named(await readAnswer(apiClient.GET('/scripting/workflows', { signal })), name)
    default:
      return readAnswer(apiClient.GET('/actions', { params: { query: { ...query, type: TYPES[channel] } }, signal }))
  }
}

const keyOf = ({ type, id }: { type: string; id: string | number }): string => `${type} ${id}`

interface Props {
  id: string
  /** What it holds already. */
  present: readonly { type: string; id: string | number }[]
  onAdded(count: number): void
  onClose(): void
}

/** Chooses what joins a campaign, over all channels. */
export function AddCampaignItems({ id, present, onAdded, onClose }: Props) {
  const t = useTranslator(campaignTexts)
  const [channel, setChannel] = useState<Channel>('email')
  const [sought, setSought] = useState('')
  const [chosen, setChosen] = useState<Item[]>([])
  const found = useQuery({
    queryKey: ['campaigns', 'candidates', channel, sought],
    queryFn: ({ signal }) => find(channel, sought, signal),
  })
  const add = useAsyncAction(async () => {
    await readAnswer(apiClient.POST('/campaigns/{id}/items', { params: { path: { id } }, body: chosen }))
    onAdded(chosen.length)
    onClose()
  })
  const held = new Set(present.map(keyOf))
  const toggle = (item: Item): void =>
    setChosen((before) =>
      before.some((one) => keyOf(one) === keyOf(item))
        ? before.filter((one) => keyOf(one) !== keyOf(item))
        : [...before, item],
    )
  return (
    <Modal opened onClose={onClose} title={t('addItems')} size={560} closeButtonProps={{ 'aria-label': t('close') }}>
      <form onSubmit={add.submit} className={styles['part']}>
        <SegmentedControl
          size="xs"
          aria-label={t('channel')}
          data={CHANNELS.map((value) => ({ value, label: t(value) }))}
          value={channel}
          onChange={(next) => setChannel(next as Channel)}
        />
        <SearchField label={t('searchItems')} value={sought} onChange={setSought} />
        {found.error && <ProblemAlert error={found.error} onRetry={() => void found.refetch()} />}
        {found.isPending && <LoadingSkeleton lines={[60, 50, 70]} />}
        {found.data?.length === 0 && <p className={styles['none']}>{t(sought === '' ? 'noCandidates' : 'noMatch')}</p>}
        {found.data && found.data.length > 0 && (
          <ul className={styles['found']} aria-label={t('searchItems')}>
            {found.data.map(({ id: itemId, name }) => {
              const item: Item = { type: channel, id: itemId }
              const isHeld = held.has(keyOf(item))
              return (
                <li key={keyOf(item)}>
                  <Checkbox
                    label={<bdi>{name}</bdi>}
                    description={isHeld ? t('inIt') : String(itemId)}
                    disabled={isHeld}
                    checked={isHeld || chosen.some((one) => keyOf(one) === keyOf(item))}
                    onChange={() => toggle(item)}
                  />
                </li>
              )
            })}
          </ul>
        )}
        {add.error !== null && <ProblemAlert error={add.error} />}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={add.isBusy} disabled={chosen.length === 0}>
            {t('addCount', { count: chosen.length })}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
