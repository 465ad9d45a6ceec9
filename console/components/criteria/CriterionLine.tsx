import { ActionIcon, MultiSelect, Select } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Fragment, useEffect, useRef } from 'react'
import { apiClient } from '../../api/client.ts'
import { useContactFields, useSegments, useValueLists } from '../../api/definitions.ts'
import type { RequestFault } from '../../api/refusal.ts'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './CriteriaBuilder.module.css'
import { describeCriteriaLeaf, isCriterionUnfinished } from './describe-leaf.ts'
import { EventCriterionField } from './EventCriterionField.tsx'
import {
  type CriteriaField,
  type CriteriaLeaf,
  type CriterionOperatorName,
  createCriteriaLeaf,
  findFieldOperators,
  findLeafSubject,
  setLeafOperator,
} from './model.ts'
import { criteriaTexts } from './texts.ts'
import { useCriteriaWords } from './use-criteria-words.ts'
import { OperatorValueField } from './values.tsx'

interface Props {
  leaf: CriteriaLeaf
  onChange(leaf: CriteriaLeaf): void
}

const SUBJECT_TYPES = [
  'event',
  'segment',
  'redList',
  'bounce',
  'subscription',
  'creationDate',
  'lastUpdateDate',
] as const
const RED_LISTS = { any: 'anyList', mail: 'mailList', sms: 'smsList' } as const
const BOUNCE_FLAGS = [
  'hard',
  'soft',
  'hardDomain',
  'hardUser',
  'hardOther',
  'hardRules',
  'reportAsSpam',
  'validated',
] as const

function ComparisonFields({ leaf, onChange, field }: Props & { field: CriteriaField | undefined }) {
  const t = useTranslator(criteriaTexts)
  const valueLists = useValueLists()
  const operators = findFieldOperators(field)
  const operator = leaf['operator'] as CriterionOperatorName
  const labels = valueLists.data?.find(({ id }) => id === field?.valueListId)?.values.map(({ value }) => value) ?? []
  return (
    <>
      <Select
        size="xs"
        w={150}
        aria-label={t('operator')}
        allowDeselect={false}
        data={Object.keys(operators).map((operatorName) => ({
          value: operatorName,
          label: t(operatorName as CriterionOperatorName),
        }))}
        value={operator}
        onChange={(next) => onChange(setLeafOperator(leaf, next!, field))}
      />
      <OperatorValueField
        kind={operators[operator] ?? 'none'}
        field={field}
        labels={labels}
        value={leaf['value']}
        onChange={(value) => onChange({ ...leaf, value })}
      />
    </>
  )
}

function SegmentLeaf({ leaf, onChange }: Props) {
  const t = useTranslator(criteriaTexts)
  const segments = useSegments()
  return (
    <>
      <Select
        size="xs"
        w={110}
        aria-label={t('operator')}
        allowDeselect={false}
        data={[
          { value: 'in', label: t('isIn') },
          { value: 'notIn', label: t('isNotIn') },
        ]}
        value={(leaf['operator'] as string | undefined) ?? 'in'}
        onChange={(operator) => onChange({ ...leaf, operator })}
      />
      <Select
        size="xs"
        w={240}
        searchable
        limit={200}
        aria-label={t('segment')}
        placeholder={t('chooseSegment')}
        allowDeselect={false}
        data={segments.data?.map(({ id, name }) => ({ value: String(id), label: name })) ?? []}
        value={leaf['segment'] ? String(leaf['segment']) : null}
        onChange={(segment) => onChange({ ...leaf, segment: Number(segment) })}
      />
    </>
  )
}

function RedListLeaf({ leaf, onChange }: Props) {
  const t = useTranslator(criteriaTexts)
  return (
    <Select
      size="xs"
      w={200}
      aria-label={t('list')}
      allowDeselect={false}
      data={Object.entries(RED_LISTS).map(([value, key]) => ({ value, label: t(key) }))}
      value={(leaf['channel'] as string | undefined) ?? 'any'}
      onChange={(channel) => onChange({ ...leaf, channel })}
    />
  )
}

function BounceLeaf({ leaf, onChange, fields }: Props & { fields: readonly CriteriaField[] }) {
  const t = useTranslator(criteriaTexts)
  const addresses = fields.filter(({ type }) => type === 'email' || type === 'phone')
  const { field: _field, is: _is, ...otherMembers } = leaf
  const changeBounce = (field: unknown, is: unknown): void =>
    onChange({
      ...otherMembers,
      ...(field !== undefined && { field }),
      ...(is !== undefined && { is }),
    } as CriteriaLeaf)
  return (
    <>
      <Select
        size="xs"
        w={160}
        clearable
        aria-label={t('address')}
        placeholder={t('anyAddress')}
        data={addresses.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={leaf['field'] === undefined ? null : String(leaf['field'])}
        onChange={(field) => changeBounce(field === null ? undefined : Number(field), leaf['is'])}
      />
      <MultiSelect
        size="xs"
        miw={200}
        maw={420}
        clearable
        aria-label={t('flags')}
        placeholder={leaf['is'] === undefined ? t('anyFlag') : ''}
        data={BOUNCE_FLAGS.map((flagName) => ({ value: flagName, label: t(flagName) }))}
        value={((leaf['is'] as unknown[] | undefined) ?? []).map(String)}
        onChange={(is) => changeBounce(leaf['field'], is.length === 0 ? undefined : is)}
      />
    </>
  )
}

function SubscriptionLeaf({ leaf, onChange }: Props) {
  const t = useTranslator(criteriaTexts)
  const applications = useQuery({
    queryKey: ['applications'],
    queryFn: ({ signal }) => apiClient.listApplications({ signal }),
  })
  return (
    <Select
      size="xs"
      w={240}
      clearable
      aria-label={t('application')}
      placeholder={t('anyApplication')}
      data={applications.data?.map(({ id, name }) => ({ value: String(id), label: String(name) })) ?? []}
      value={(leaf['application'] as string | undefined) ?? null}
      onChange={(application) => onChange({ type: leaf.type, ...(application !== null && { application }) })}
    />
  )
}

function LeafFields({ leaf, onChange, fields }: Props & { fields: readonly CriteriaField[] }) {
  const leafProps = { leaf, onChange }
  if (leaf.type === 'field')
    return <ComparisonFields {...leafProps} field={fields.find(({ id }) => id === leaf['field'])} />
  if (leaf.type === 'event') return <EventCriterionField {...leafProps} />
  if (leaf.type === 'segment') return <SegmentLeaf {...leafProps} />
  if (leaf.type === 'redList') return <RedListLeaf {...leafProps} />
  if (leaf.type === 'bounce') return <BounceLeaf {...leafProps} fields={fields} />
  if (leaf.type === 'subscription') return <SubscriptionLeaf {...leafProps} />
  return <ComparisonFields {...leafProps} field={undefined} />
}

/** Subjects of a leaf: fields allowed in criteria, and other data of contacts. */
export function useCriteriaSubjects(fields: readonly CriteriaField[]) {
  const t = useTranslator(criteriaTexts)
  return [
    {
      group: t('fields'),
      items: fields
        .filter(({ isCriterion }) => isCriterion)
        .map(({ id, name }) => ({ value: `field ${id}`, label: name })),
    },
    { group: t('others'), items: SUBJECT_TYPES.map((type) => ({ value: type, label: t(type) })) },
  ]
}

interface CriterionLineProps extends Props {
  onRemove(): void
  faults: readonly RequestFault[]
  isOpen: boolean
  onOpen(isOpen: boolean): void
}

/** Puts the cursor into the value of a criterion that opens without one. */
function useValueFocus(leaf: CriteriaLeaf, isOpen: boolean) {
  const t = useTranslator(criteriaTexts)
  const fieldsRef = useRef<HTMLDivElement>(null)
  const subject = findLeafSubject(leaf)
  const wantsFocus = isOpen && isCriterionUnfinished(leaf)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once when it opens or is about something else, not at each key.
  useEffect(() => {
    if (!wantsFocus) return
    const labels = [t('value'), t('values')].map((label) => `input[aria-label="${label}"]`)
    fieldsRef.current?.querySelector<HTMLInputElement>(labels.join(', '))?.focus()
  }, [subject, isOpen])
  return fieldsRef
}

/** A criterion as a sentence of chips, which opens its fields. */
function CriterionSentence({ leaf, onOpen }: { leaf: CriteriaLeaf; onOpen(): void }) {
  const words = useCriteriaWords()
  const parts = describeCriteriaLeaf(leaf, words)
  return (
    <button type="button" className={styles['sentence']} onClick={onOpen}>
      {parts.map((part, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of a sentence have no other name than their place.
        <Fragment key={place}>
          {place > 0 && ' '}
          <bdi data-part={place === 0 ? 'subject' : 'rest'}>{part}</bdi>
        </Fragment>
      ))}
    </button>
  )
}

/** One criterion as a line: a sentence, or while it is changed what it is about, how it is compared, and with what. */
export function CriterionLine({ leaf, onChange, onRemove, faults, isOpen, onOpen }: CriterionLineProps) {
  const t = useTranslator(criteriaTexts)
  const fields = useContactFields().data ?? []
  const subjects = useCriteriaSubjects(fields)
  const fieldsRef = useValueFocus(leaf, isOpen)
  const shownFaults = faults.length > 0 && (
    <small className={styles['faults']}>{faults.map(({ detail }) => detail).join('; ')}</small>
  )
  return (
    <li className={styles['leaf']} data-faulty={faults.length > 0 || undefined}>
      {isOpen ? (
        <div className={styles['members']} ref={fieldsRef}>
          <Select
            size="xs"
            w={190}
            searchable
            aria-label={t('subject')}
            allowDeselect={false}
            data={subjects}
            value={findLeafSubject(leaf)}
            onChange={(subject) => subject !== null && onChange(createCriteriaLeaf(subject, fields))}
          />
          <LeafFields leaf={leaf} onChange={onChange} fields={fields} />
          {shownFaults}
        </div>
      ) : (
        <div className={styles['members']}>
          <CriterionSentence leaf={leaf} onOpen={() => onOpen(true)} />
          {shownFaults}
        </div>
      )}
      {isOpen && (
        <ActionIcon aria-label={t('done')} onClick={() => onOpen(false)}>
          <IconCheck size={15} />
        </ActionIcon>
      )}
      <ActionIcon aria-label={t('remove')} onClick={onRemove}>
        <IconX size={15} />
      </ActionIcon>
    </li>
  )
}
