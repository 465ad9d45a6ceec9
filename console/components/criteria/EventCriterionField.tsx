import { Checkbox, MultiSelect, NumberInput, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { apiClient } from '../../api/client.ts'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './CriteriaBuilder.module.css'
import { EVENT_COUNT_LABELS, EVENT_LABELS } from './event-labels.ts'
import type { CriteriaLeaf } from './model.ts'
import { criteriaTexts } from './texts.ts'
import { TimeSpanField } from './values.tsx'

const CHANNELS = ['email', 'sms', 'rcs', 'notification', 'display'] as const

interface Props {
  leaf: CriteriaLeaf
  onChange(leaf: CriteriaLeaf): void
}

interface EventCount {
  operator: string
  value: number | readonly number[]
}

/** A leaf with a member, or without it. */
function setMember(leaf: CriteriaLeaf, name: string, value: unknown): CriteriaLeaf {
  const { [name]: _, ...otherMembers } = leaf
  return (value === undefined ? otherMembers : { ...otherMembers, [name]: value }) as CriteriaLeaf
}

/** Messages of every channel by name; ids of mails and SMS are texts, others numbers. */
function useAllMessages() {
  return useQuery({
    queryKey: ['messages', 'names'],
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const [actionList, rcs, notifications] = await Promise.all([
        apiClient.listActions({ signal }),
        apiClient.listRcsActions({ signal }),
        apiClient.listNotifications({ signal }),
      ])
      return [...actionList, ...rcs, ...notifications] as { id: string | number; name: string }[]
    },
  })
}

function MessageSelect({ leaf, onChange }: Props) {
  const t = useTranslator(criteriaTexts)
  const messagesQuery = useAllMessages()
  const chosenMessages = (leaf['actions'] as (string | number)[] | undefined) ?? []
  const parseMessageId = (key: string): string | number =>
    messagesQuery.data?.find(({ id }) => String(id) === key)?.id ?? key
  return (
    <MultiSelect
      size="xs"
      miw={200}
      maw={420}
      searchable
      clearable
      limit={100}
      aria-label={t('ofMessages')}
      placeholder={chosenMessages.length === 0 ? t('anyMessage') : ''}
      data={messagesQuery.data?.map(({ id, name }) => ({ value: String(id), label: name })) ?? []}
      value={chosenMessages.map(String)}
      onChange={(next) =>
        onChange(setMember(leaf, 'actions', next.length === 0 ? undefined : next.map(parseMessageId)))
      }
    />
  )
}

function CountFields({ leaf, onChange }: Props) {
  const t = useTranslator(criteriaTexts)
  const count = (leaf['count'] as EventCount | undefined) ?? { operator: 'greaterOrEqual', value: 1 }
  const [fromCount = 1, second = fromCount] = [count.value].flat() as number[]
  const changeCount = (operator: string, from: number, to: number): void =>
    onChange(setMember(leaf, 'count', { operator, value: operator === 'between' ? [from, to] : from }))
  const renderNumberInput = (label: string, value: number, change: (value: number) => void) => (
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
        data={Object.entries(EVENT_COUNT_LABELS).map(([value, key]) => ({ value, label: t(key) }))}
        value={count.operator}
        onChange={(operator) => changeCount(operator!, fromCount, second)}
      />
      {renderNumberInput(t('howMany'), fromCount, (next) => changeCount(count.operator, next, second))}
      {count.operator === 'between' && (
        <>
          <span className={styles['word']}>{t('and')}</span>
          {renderNumberInput(t('to'), second, (next) => changeCount(count.operator, fromCount, next))}
        </>
      )}
      <span className={styles['word']}>{t('times', { count: count.operator === 'between' ? second : fromCount })}</span>
    </>
  )
}

/** Activity of a contact: the event, its frequency, its period, and its messages. */
export function EventCriterionField({ leaf, onChange }: Props) {
  const t = useTranslator(criteriaTexts)
  const eventKey = leaf['link'] === undefined ? String(leaf['event']) : `hits/${leaf['link']}`
  return (
    <>
      <Select
        size="xs"
        w={200}
        searchable
        aria-label={t('event')}
        allowDeselect={false}
        data={Object.entries(EVENT_LABELS).map(([value, key]) => ({ value, label: t(key) }))}
        value={eventKey}
        onChange={(next) => onChange(setMember(setMember(leaf, 'link', undefined), 'event', next))}
      />
      <CountFields leaf={leaf} onChange={onChange} />
      <TimeSpanField
        canBeOpen
        value={leaf['period']}
        onChange={(period) => onChange(setMember(leaf, 'period', period))}
      />
      <MessageSelect leaf={leaf} onChange={onChange} />
      <Select
        size="xs"
        w={150}
        clearable
        aria-label={t('channel')}
        placeholder={t('anyChannel')}
        data={CHANNELS.map((channelName) => ({ value: channelName, label: t(channelName) }))}
        value={(leaf['channel'] as string | undefined) ?? null}
        onChange={(channel) => onChange(setMember(leaf, 'channel', channel ?? undefined))}
      />
      <Checkbox
        size="xs"
        label={t('robots')}
        checked={leaf['robots'] === true}
        onChange={({ currentTarget }) => onChange(setMember(leaf, 'robots', currentTarget.checked ? true : undefined))}
      />
    </>
  )
}
