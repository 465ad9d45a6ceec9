import { MultiSelect, TagsInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, data } from '../../../api/client.ts'
import { useSegments, useValueLists } from '../../../api/definitions.ts'
import { valueAt } from '../../../components/form/pointers.ts'
import { useText } from '../../../text/catalogue.ts'
import type { Compilable, Step } from '../compilable-kind.ts'
import { scriptTexts } from '../texts.ts'
import { BoundField } from './BoundField.tsx'
import { Lines, ReferenceField } from './choices.tsx'
import { useDesk, useFault } from './desk.ts'
import { ExpressionField } from './ExpressionField.tsx'
import { InlineRows } from './InlineRows.tsx'
import { EVENT_TYPES, literal } from './kinds.ts'
import styles from './Pipeline.module.css'

interface Props {
  at: string
}

function SegmentSource({ at }: Props) {
  const t = useText(scriptTexts)
  const segments = useSegments()
  const choices = segments.data?.map(({ id, name }) => ({ value: String(id), label: name })) ?? []
  return <ReferenceField at={`${at}/segment`} label={t('segment')} choices={choices} isNumber canBeArgument />
}

function ValueListSource({ at }: Props) {
  const t = useText(scriptTexts)
  const lists = useValueLists()
  const choices = lists.data?.map(({ id, name }) => ({ value: String(id), label: name })) ?? []
  return <ReferenceField at={`${at}/id`} label={t('valueList')} choices={choices} isNumber />
}

const TYPES = Object.entries(EVENT_TYPES).map(([group, names]) => ({
  group,
  items: names.map((name) => `${group}.${name}`),
}))

/** Ids of actions are texts, those of rich messages and notifications numbers. */
const idOf = (text: string): string | number => (/^\d{1,9}$/.test(text) ? Number(text) : text)

function EventSource({ at }: Props) {
  const t = useText(scriptTexts)
  const { form, isReadOnly } = useDesk()
  const types = (valueAt(form.value, `${at}/types`) ?? []) as string[]
  const ids = (valueAt(form.value, `${at}/ids`) ?? []) as (string | number)[]
  return (
    <>
      <MultiSelect
        size="xs"
        maw={560}
        searchable
        label={t('eventTypes')}
        readOnly={isReadOnly}
        error={useFault(`${at}/types`)}
        data={TYPES}
        value={[...types]}
        onChange={(next) => form.set(`${at}/types`, next)}
      />
      <div className={styles['pair']}>
        <BoundField at={`${at}/start`} label={t('start')} />
        <BoundField at={`${at}/end`} label={t('end')} />
      </div>
      <TagsInput
        size="xs"
        maw={560}
        label={t('ofMessages')}
        description={t('ofMessagesHelp')}
        readOnly={isReadOnly}
        error={useFault(`${at}/ids`, ...ids.map((_, place) => `${at}/ids/${place}`))}
        value={ids.map(String)}
        onChange={(next) => form.set(`${at}/ids`, next.length === 0 ? null : next.map(idOf))}
      />
    </>
  )
}

/** Every pipeline of the account but the one that is written. */
export function usePipelines(own: string) {
  const read = useQuery({
    queryKey: ['compilables'],
    queryFn: ({ signal }) => data(api.GET('/scripting/compilables', { signal })),
  })
  return ((read.data ?? []) as unknown as readonly Compilable[]).filter(
    ({ id, value }) => value.type === 'pipeline' && id !== own,
  )
}

function PipelineSource({ at }: Props) {
  const t = useText(scriptTexts)
  const { form, argumentPaths } = useDesk()
  const pipelines = usePipelines(form.value.id)
  const { id } = valueAt(form.value, at) as { id?: unknown }
  const used = pipelines.find((one) => one.id === id)
  const names = [...argumentPaths, 'now']
  const choose = (next: string): void => {
    const parameters = pipelines.find((one) => one.id === next)?.value.parameters ?? []
    const required = parameters.filter((one) => one.required && one.name)
    form.set(at, {
      ...{ type: 'compilable', id: next },
      arguments: Object.fromEntries(required.map(({ name }) => [name, literal('')])),
    })
  }
  return (
    <>
      <ReferenceField
        at={`${at}/id`}
        label={t('pipeline')}
        choices={pipelines.map((one) => ({ value: one.id, label: one.name }))}
        onChosen={choose}
      />
      {used && used.value.parameters.length > 0 && (
        <Lines label={t('parameters')}>
          {used.value.parameters.map(({ name }) => (
            <ExpressionField key={name} at={`${at}/arguments/${name}`} label={name ?? ''} names={names} />
          ))}
        </Lines>
      )}
    </>
  )
}

/** The members of a source. */
export function SourceFields({ at }: Props) {
  const t = useText(scriptTexts)
  const { form } = useDesk()
  const { type } = valueAt(form.value, at) as Step
  if (type === 'segment') return <SegmentSource at={at} />
  if (type === 'events') return <EventSource at={at} />
  if (type === 'valueList') return <ValueListSource at={at} />
  if (type === 'inline') return <InlineRows at={`${at}/rows`} />
  if (type === 'compilable') return <PipelineSource at={at} />
  return <small>{t('targetsHelp')}</small>
}
