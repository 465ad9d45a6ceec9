import { MultiSelect, TagsInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { apiClient } from '../../../api/client.ts'
import { useSegments, useValueLists } from '../../../api/definitions.ts'
import { readPointerValue } from '../../../components/form/pointers.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import type { CompilableForm, PipelineStepForm } from '../compilable-kind.ts'
import { scriptTexts } from '../texts.ts'
import { PipelineFieldGroup, ReferenceField } from './choices.tsx'
import { usePipelineEditor, usePipelineFault } from './desk.ts'
import { InlineRows } from './InlineRows.tsx'
import { literalExpression, SOURCE_EVENT_TYPES } from './kinds.ts'
import { PeriodBoundField } from './PeriodBoundField.tsx'
import styles from './Pipeline.module.css'
import { PipelineExpressionField } from './PipelineExpressionField.tsx'

interface Props {
  at: string
}

function SegmentSource({ at }: Props) {
  const t = useTranslator(scriptTexts)
  const segments = useSegments()
  const segmentChoices = segments.data?.map(({ id, name }) => ({ value: String(id), label: name })) ?? []
  return <ReferenceField at={`${at}/segment`} label={t('segment')} choices={segmentChoices} isNumber canBeArgument />
}

function ValueListSource({ at }: Props) {
  const t = useTranslator(scriptTexts)
  const valueLists = useValueLists()
  const listChoices = valueLists.data?.map(({ id, name }) => ({ value: String(id), label: name })) ?? []
  return <ReferenceField at={`${at}/id`} label={t('valueList')} choices={listChoices} isNumber />
}

const EVENT_TYPE_GROUPS = Object.entries(SOURCE_EVENT_TYPES).map(([group, names]) => ({
  group,
  items: names.map((name) => `${group}.${name}`),
}))

/** Ids of actions are texts, those of rich messages and notifications numbers. */
const parseObjectId = (text: string): string | number => (/^\d{1,9}$/.test(text) ? Number(text) : text)

function EventSource({ at }: Props) {
  const t = useTranslator(scriptTexts)
  const { form, isReadOnly } = usePipelineEditor()
  const eventTypes = (readPointerValue(form.value, `${at}/types`) ?? []) as string[]
  const objectIds = (readPointerValue(form.value, `${at}/ids`) ?? []) as (string | number)[]
  return (
    <>
      <MultiSelect
        size="xs"
        maw={560}
        searchable
        label={t('eventTypes')}
        readOnly={isReadOnly}
        error={usePipelineFault(`${at}/types`)}
        data={EVENT_TYPE_GROUPS}
        value={[...eventTypes]}
        onChange={(next) => form.set(`${at}/types`, next)}
      />
      <div className={styles['pair']}>
        <PeriodBoundField at={`${at}/start`} label={t('start')} />
        <PeriodBoundField at={`${at}/end`} label={t('end')} />
      </div>
      <TagsInput
        size="xs"
        maw={560}
        label={t('ofMessages')}
        description={t('ofMessagesHelp')}
        readOnly={isReadOnly}
        error={usePipelineFault(`${at}/ids`, ...objectIds.map((_, place) => `${at}/ids/${place}`))}
        value={objectIds.map(String)}
        onChange={(next) => form.set(`${at}/ids`, next.length === 0 ? null : next.map(parseObjectId))}
      />
    </>
  )
}

/** Every pipeline of the account but the one that is written. */
export function usePipelines(currentId: string) {
  const compilablesQuery = useQuery({
    queryKey: ['compilables'],
    queryFn: ({ signal }) => apiClient.listCompilables({ signal }),
  })
  return ((compilablesQuery.data ?? []) as unknown as readonly CompilableForm[]).filter(
    ({ id, value }) => value.type === 'pipeline' && id !== currentId,
  )
}

function PipelineSource({ at }: Props) {
  const t = useTranslator(scriptTexts)
  const { form, argumentPaths } = usePipelineEditor()
  const pipelines = usePipelines(form.value.id)
  const { id } = readPointerValue(form.value, at) as { id?: unknown }
  const usedPipeline = pipelines.find((candidate) => candidate.id === id)
  const argumentNames = [...argumentPaths, 'now']
  const choosePipeline = (next: string): void => {
    const parameters = pipelines.find((candidate) => candidate.id === next)?.value.parameters ?? []
    const requiredParameters = parameters.filter((candidate) => candidate.required && candidate.name)
    form.set(at, {
      type: 'compilable',
      id: next,
      arguments: Object.fromEntries(requiredParameters.map(({ name }) => [name, literalExpression('')])),
    })
  }
  return (
    <>
      <ReferenceField
        at={`${at}/id`}
        label={t('pipeline')}
        choices={pipelines.map((candidate) => ({ value: candidate.id, label: candidate.name }))}
        onChosen={choosePipeline}
      />
      {usedPipeline && usedPipeline.value.parameters.length > 0 && (
        <PipelineFieldGroup label={t('parameters')}>
          {usedPipeline.value.parameters.map(({ name }) => (
            <PipelineExpressionField
              key={name}
              at={`${at}/arguments/${name}`}
              label={name ?? ''}
              names={argumentNames}
            />
          ))}
        </PipelineFieldGroup>
      )}
    </>
  )
}

/** The members of a source. */
export function PipelineSourceFields({ at }: Props) {
  const t = useTranslator(scriptTexts)
  const { form } = usePipelineEditor()
  const { type } = readPointerValue(form.value, at) as PipelineStepForm
  if (type === 'segment') return <SegmentSource at={at} />
  if (type === 'events') return <EventSource at={at} />
  if (type === 'valueList') return <ValueListSource at={at} />
  if (type === 'inline') return <InlineRows at={`${at}/rows`} />
  if (type === 'compilable') return <PipelineSource at={at} />
  return <small>{t('targetsHelp')}</small>
}
