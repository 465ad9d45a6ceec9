import { Button, Select, Switch } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { type ApiSegment, isSegmentEndless, NO_SEGMENT_EXPIRATION, useSegments } from '../../api/definitions.ts'
import { ApiRefusal } from '../../api/refusal.ts'
import { CriteriaBuilder } from '../../components/criteria/CriteriaBuilder.tsx'
import { CriteriaPreview, useCriteriaPreview } from '../../components/criteria/CriteriaPreview.tsx'
import { toCriteriaGroup } from '../../components/criteria/model.ts'
import { DateField } from '../../components/form/DateField.tsx'
import { FieldGroup, LongTextField, SwitchField, TextField } from '../../components/form/fields.tsx'
import type { FormState } from '../../components/form/use-form.ts'
import { PagePanel, TwoColumnLayout } from '../../components/layout/PagePanel.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { segmentTexts } from './texts.ts'

/** Editable members of a segment. */
export type SegmentForm = Pick<ApiSegment, 'type' | 'name' | 'description' | 'isTest' | 'parentId' | 'criteria'> & {
  expiration: string | null
}

export const toSegmentForm = ({
  type,
  name,
  description,
  expiration,
  isTest,
  parentId,
  criteria,
}: ApiSegment): SegmentForm => ({
  type,
  name,
  description,
  expiration,
  isTest,
  parentId,
  criteria,
})

/** Pointers that fields of the form show the faults of; those of criteria stand at their lines. */
export const SEGMENT_POINTERS = ['/name', '/description', '/expiration', '/isTest', '/parentId']
export const isSegmentPointerShown = (pointer: string): boolean =>
  SEGMENT_POINTERS.includes(pointer) || pointer.startsWith('/criteria')

/** Midnight UTC of this day in a year. */
function buildExpirationInAYear(): string {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear() + 1, now.getUTCMonth(), now.getUTCDate())).toISOString()
}

interface Props {
  form: FormState<SegmentForm>
  /** The segment itself, which cannot be its own parent. */
  id?: number
  isReadOnly: boolean
  /** The name that is saved if none is written. */
  proposedName?: string
}

interface SegmentFormParts {
  aside?: ReactNode
  /** Starting points, shown before there are criteria. */
  templates?: ReactNode
}

function ParentField({ form, id, isReadOnly }: Props) {
  const t = useTranslator(segmentTexts)
  const segments = useSegments()
  return (
    <Select
      maw={560}
      searchable
      clearable
      label={t('parent')}
      description={t('parentHelp')}
      readOnly={isReadOnly}
      error={form.faultAt('/parentId')}
      data={
        segments.data
          ?.filter((segment) => segment.id !== id)
          .map((segment) => ({ value: String(segment.id), label: segment.name })) ?? []
      }
      value={form.value.parentId === null ? null : String(form.value.parentId)}
      onChange={(chosenSegment) => form.set('/parentId', chosenSegment === null ? null : Number(chosenSegment))}
    />
  )
}

/** Criteria, with the selected contacts next to them. */
function CriteriaFields({ form, aside, templates, ...props }: Props & SegmentFormParts) {
  const t = useTranslator(segmentTexts)
  const { criteria, parentId } = form.value
  const preview = useCriteriaPreview(criteria, parentId)
  const ofPreview = preview.error instanceof ApiRefusal ? preview.error.errors : []
  const saveFaults = form.error instanceof ApiRefusal ? form.error.errors : []
  return (
    <TwoColumnLayout
      aside={
        <>
          <PagePanel title={t('now')}>
            <CriteriaPreview preview={preview} />
          </PagePanel>
          {aside}
        </>
      }
    >
      {templates}
      <PagePanel title={t('who')}>
        {criteria === null && <p>{t('nobody')}</p>}
        <fieldset disabled={props.isReadOnly} style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
          <CriteriaBuilder
            group={toCriteriaGroup(criteria)}
            faults={preview.isOld ? saveFaults : [...ofPreview, ...saveFaults]}
            onChange={(group) => form.set('/criteria', group)}
          />
        </fieldset>
      </PagePanel>
      <SegmentSettings form={form} {...props} />
    </TwoColumnLayout>
  )
}

/** Never, or after a date that a person chooses. */
function ExpirationField({ form, isReadOnly }: Omit<Props, 'id'>) {
  const t = useTranslator(segmentTexts)
  const { expiration } = form.value
  const hasDate = !isSegmentEndless(expiration)
  return (
    <>
      <Switch
        label={t('expires')}
        description={t('expirationHelp')}
        disabled={isReadOnly}
        checked={hasDate}
        onChange={({ currentTarget }) =>
          form.set('/expiration', currentTarget.checked ? buildExpirationInAYear() : NO_SEGMENT_EXPIRATION)
        }
      />
      {hasDate && <DateField form={form} isReadOnly={isReadOnly} at="/expiration" label={t('expiration')} />}
    </>
  )
}

function SegmentSettings({ form, proposedName, ...props }: Props) {
  const t = useTranslator(segmentTexts)
  const [isOpen, setOpen] = useState(false)
  const hasSettings =
    form.value.description ||
    form.value.isTest ||
    form.value.parentId !== null ||
    !isSegmentEndless(form.value.expiration)
  const fieldProps = { form, isReadOnly: props.isReadOnly }
  return (
    <FieldGroup>
      <TextField {...fieldProps} at="/name" label={t('name')} {...(proposedName && { placeholder: proposedName })} />
      {isOpen || hasSettings ? (
        <>
          <LongTextField {...fieldProps} at="/description" label={t('description')} />
          <ExpirationField {...fieldProps} />
          <SwitchField {...fieldProps} at="/isTest" label={t('isTest')} help={t('isTestHelp')} />
          {form.value.type === 'dynamic' && <ParentField form={form} {...props} />}
        </>
      ) : (
        <div>
          <Button variant="subtle" size="compact-sm" px={0} onClick={() => setOpen(true)}>
            {t('more')}
          </Button>
        </div>
      )}
    </FieldGroup>
  )
}

/** Fields of a segment: for dynamic segments, the criteria with the currently selected contacts; for all, the name and the expiry. */
export function SegmentFormFields(props: Props & SegmentFormParts) {
  const { form, aside, templates: _, ...settingsProps } = props
  if (form.value.type === 'dynamic') return <CriteriaFields {...props} />
  return (
    <TwoColumnLayout aside={aside}>
      <SegmentSettings form={form} {...settingsProps} />
    </TwoColumnLayout>
  )
}
