import { Checkbox, MultiSelect, NumberInput, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { apiClient, readAnswer } from '../../api/client.ts'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './CriteriaBuilder.module.css'
import type en from './en.ts'
import type { CriteriaLeaf } from './model.ts'
import { criteriaTexts } from './texts.ts'
import { TimeSpanField } from './values.tsx'

type Key = keyof typeof en

/** Events that criteria ask for, by kind or type. */
const EVENTS: Readonly<Record<string, Key>> = {
  activation: 'eventSent',
  'hits/open': 'eventOpen',
  'hits/redirection': 'eventClick',
  hit: 'eventHit',
  'hits/unsubscribe': 'eventUnsubscribe',
  'hits/form': 'eventForm',
  'hits/mirror': 'eventMirror',
  'hits/dismiss': 'eventDismiss',
  bounce: 'eventBounce',
  complaint: 'eventComplaint',
  delivery: 'eventDelivery',
  reply: 'eventReply',
  'responses/stop': 'eventStop',
  interaction: 'eventInteraction',
  'interactions/read': 'eventRead',
  impression: 'eventImpression',
  optout: 'eventOptout',
  cancellation: 'eventCancellation',
  execution: 'eventExecution',
}
const COUNTS = {
  greaterOrEqual: 'greaterOrEqualTimes',
  greater: 'greaterTimes',
  lessOrEqual: 'lessOrEqualTimes',
  less: 'lessTimes',
  equals: 'equalsTimes',
  notEquals: 'notEqualsTimes',
  between: 'betweenTimes',
} as const
const CHANNELS = ['email', 'sms', 'rcs', 'notification', 'display'] as const

interface Props {
  leaf: CriteriaLeaf
  onChange(leaf: CriteriaLeaf): void
}

interface Count {
  operator: string
  value: number | readonly number[]
}

/** A leaf with a member, or without it. */
function withMember(leaf: CriteriaLeaf, name: string, value: unknown): CriteriaLeaf {
  const { [name]: _, ...rest } = leaf
  return (value === undefined ? rest : { ...rest, [name]: value }) as CriteriaLeaf
}

/** Messages of every channel by name; ids of mails and SMS are texts, others numbers. */
function useMessages() {
  return useQuery({
    queryKey: ['messages', 'names'],
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const [actions, rcs, notifications] = await Promise.all([
        readAnswer(apiClient.GET('/actions', { signal })),
        readAnswer(apiClient.GET('/channel/rcs/actions', { signal })),
        readAnswer(apiClient.GET('/notifications', { signal })),
      ])
      return [...actions, ...rcs, ...notifications] as { id: string | number; name: string }[]
    },
  })
}

function MessagesOf({ leaf, onChange }: Props) {
  const t = useTranslator(criteriaTexts)
  const messages = useMessages()
  const chosen = (leaf['actions'] as (string | number)[] | undefined) ?? []
  const read = (key: string): string | number => messages.data?.find(({ id }) => String(id) === key)?.id ?? key
  return (
    <MultiSelect
      size="xs"
      miw={200}
      maw={420}
      searchable
      clearable
      limit={100}
      aria-label={t('ofMessages')}
      placeholder={chosen.length === 0 ? t('anyMessage') : ''}
      data={messages.data?.map(({ id, name }) => ({ value: String(id), label: name })) ?? []}
      value={chosen.map(String)}
      onChange={(next) => onChange(withMember(leaf, 'actions', next.length === 0 ? undefined : next.map(read)))}
    />
  )
}

function CountOf({ leaf, onChange }: Props) {
  const t = useTranslator(criteriaTexts)
  const count = (leaf['count'] as Count | undefined) ?? { operator: 'greaterOrEqual', value: 1 }
  const [first = 1, second = first] = [count.value].flat() as number[]
  const set = (operator: string, from: number, to: number): void =>
    onChange(withMember(leaf, 'count', { operator, value: operator === 'between' ? [from, to] : from }))
  const number = (label: string, value: number, change: (value: number) => void) => (
    <NumberInput
      size="xs"
      w={70}
      min={0}
      hideControls
      aria-label={label}
      value={value}
      onChange={(next) => change(Number(next))}
    />
  )
  return (
    <>
      <Select
        size="xs"
        w={120}
        aria-label={t('count')}
        allowDeselect={false}
        data={Object.entries(COUNTS).map(([value, key]) => ({ value, label: t(key) }))}
        value={count.operator}
        onChange={(operator) => set(operator!, first, second)}
      />
      {number(t('howMany'), first, (next) => set(count.operator, next, second))}
      {count.operator === 'between' && (
        <>
          <span className={styles['word']}>{t('and')}</span>
          {number(t('to'), second, (next) => set(count.operator, first, next))}
        </>
      )}
      <span className={styles['word']}>{t('times')}</span>
    </>
  )
}

/** What a contact got or did: which event, how often, when, and of which messages. */
export function EventCriterionField({ leaf, onChange }: Props) {
  const t = useTranslator(criteriaTexts)
  const event = leaf['link'] === undefined ? String(leaf['event']) : `hits/${leaf['link']}`
  return (
    <>
      <Select
        size="xs"
        w={200}
        searchable
        aria-label={t('event')}
        allowDeselect={false}
        data={Object.entries(EVENTS).map(([value, key]) => ({ value, label: t(key) }))}
        value={event}
        onChange={(next) => onChange(withMember(withMember(leaf, 'link', undefined), 'event', next))}
      />
      <CountOf leaf={leaf} onChange={onChange} />
      <TimeSpanField
        canBeOpen
        value={leaf['period']}
        onChange={(period) => onChange(withMember(leaf, 'period', period))}
      />
      <MessagesOf leaf={leaf} onChange={onChange} />
      <Select
        size="xs"
        w={150}
        clearable
        aria-label={t('channel')}
        placeholder={t('anyChannel')}
        data={CHANNELS.map((one) => ({ value: one, label: t(one) }))}
        value={(leaf['channel'] as string | undefined) ?? null}
        onChange={(channel) => onChange(withMember(leaf, 'channel', channel ?? undefined))}
      />
      <Checkbox
        size="xs"
        label={t('robots')}
        checked={leaf['robots'] === true}
        onChange={({ currentTarget }) => onChange(withMember(leaf, 'robots', currentTarget.checked ? true : undefined))}
      />
    </>
  )
}
