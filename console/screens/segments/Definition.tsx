import { Button, Select } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { type Segment, useSegments } from '../../api/definitions.ts'
import { Refusal } from '../../api/refusal.ts'
import { Builder } from '../../components/criteria/Builder.tsx'
import { asGroup } from '../../components/criteria/model.ts'
import { Preview, usePreview } from '../../components/criteria/Preview.tsx'
import { DateField } from '../../components/form/DateField.tsx'
import { FieldGroup, LongTextField, SwitchField, TextField } from '../../components/form/fields.tsx'
import type { Form } from '../../components/form/use-form.ts'
import { Panel, Split } from '../../components/layout/Panel.tsx'
import { useText } from '../../text/catalogue.ts'
import { segmentTexts } from './texts.ts'

/** What is written of a segment. */
export type Draft = Pick<Segment, 'type' | 'name' | 'description' | 'isTest' | 'parentId' | 'criteria'> & {
  expiration: string | null
}

export const draftOf = ({ type, name, description, expiration, isTest, parentId, criteria }: Segment): Draft => ({
  type,
  name,
  description,
  expiration,
  isTest,
  parentId,
  criteria,
})

/** Pointers that fields of the form show the faults of; those of criteria stand at their lines. */
export const POINTERS = ['/name', '/description', '/expiration', '/isTest', '/parentId']
export const isShown = (pointer: string): boolean => POINTERS.includes(pointer) || pointer.startsWith('/criteria')

interface Props {
  form: Form<Draft>
  /** The segment itself, which cannot be its own parent. */
  id?: number
  isReadOnly: boolean
}

function Parent({ form, id, isReadOnly }: Props) {
  const t = useText(segmentTexts)
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
      onChange={(chosen) => form.set('/parentId', chosen === null ? null : Number(chosen))}
    />
  )
}

/** Criteria beside who they select now. */
function Criteria({ form, aside, ...props }: Props & { aside?: ReactNode }) {
  const t = useText(segmentTexts)
  const { criteria, parentId } = form.value
  const preview = usePreview(criteria, parentId)
  const ofPreview = preview.error instanceof Refusal ? preview.error.errors : []
  const ofSave = form.error instanceof Refusal ? form.error.errors : []
  return (
    <Split
      aside={
        <>
          <Panel title={t('now')}>
            <Preview preview={preview} />
          </Panel>
          {aside}
        </>
      }
    >
      <Panel title={t('who')}>
        {criteria === null && <p>{t('nobody')}</p>}
        <fieldset disabled={props.isReadOnly} style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
          <Builder
            group={asGroup(criteria)}
            faults={preview.isOld ? ofSave : [...ofPreview, ...ofSave]}
            onChange={(group) => form.set('/criteria', group)}
          />
        </fieldset>
      </Panel>
      <Settings form={form} {...props} />
    </Split>
  )
}

function Settings({ form, ...props }: Props) {
  const t = useText(segmentTexts)
  const [isOpen, setOpen] = useState(false)
  const more = form.value.description || form.value.isTest || form.value.parentId !== null
  const common = { form, isReadOnly: props.isReadOnly }
  return (
    <FieldGroup>
      <TextField {...common} at="/name" label={t('name')} />
      <DateField {...common} at="/expiration" label={t('expiration')} help={t('expirationHelp')} />
      {isOpen || more ? (
        <>
          <LongTextField {...common} at="/description" label={t('description')} />
          <SwitchField {...common} at="/isTest" label={t('isTest')} help={t('isTestHelp')} />
          {form.value.type === 'dynamic' && <Parent form={form} {...props} />}
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

/** What a segment is: of dynamic ones the criteria with who they select now, of all the name and how long it lasts. */
export function Definition(props: Props & { aside?: ReactNode }) {
  const { form, aside } = props
  if (form.value.type === 'dynamic') return <Criteria {...props} />
  return (
    <Split aside={aside}>
      <Settings {...props} />
    </Split>
  )
}
