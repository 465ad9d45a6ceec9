import { ActionIcon, Button, Select } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { readPointerValue } from '../../../components/form/pointers.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import { WORKFLOW_EVENT_SETTINGS } from '../model/events.ts'
import type { NodeSetting, NodeSettingOf } from '../model/settings.ts'
import { isSettingRelevant } from '../model/starts.ts'
import styles from '../WorkflowsPage.module.css'
import { ContactValuesField, NamedExpressionsField, NodeOutputsField } from './MapFields.tsx'
import {
  NodeChoiceField,
  NodeChoicesField,
  NodeCodeField,
  NodeCriteriaField,
  NodeNumberField,
  NodeSwitchField,
  NodeTextField,
  NodeTextsField,
} from './NodeValueFields.tsx'
import { type NodeFieldProps, useNodeFieldFault, type WorkflowFormBinding } from './node-form.ts'
import { ObjectMultiPickField, ObjectPickField } from './ObjectPickField.tsx'
import {
  ClockTimeField,
  NodeInstantField,
  NodePeriodField,
  TimeZoneField,
  WaitSinceField,
  WaitTimeoutField,
} from './TimeFields.tsx'
import { workflowFieldTexts } from './texts.ts'
import { WorkflowExpressionField } from './WorkflowExpressionField.tsx'
import { WorkflowJsonField } from './WorkflowJsonField.tsx'
import { type WorkflowFieldTranslator, workflowEventLabel } from './words.ts'

/** Choice of one member among several, and its settings. */
function OneOfField({
  setting,
  base,
  ...props
}: {
  setting: NodeSettingOf<'oneOf'>
  base: string
  form: WorkflowFormBinding
  isReadOnly: boolean
}) {
  const t = useTranslator(workflowFieldTexts)
  const { form, isReadOnly } = props
  const parentValue = (readPointerValue(form.value, base) ?? {}) as Record<string, unknown>
  const { options } = setting
  const presentOption =
    options.find(({ key }) => parentValue[key] !== undefined && parentValue[key] !== null) ??
    options.find(({ key }) => key in parentValue)
  const chosenOption = presentOption ?? options[0]
  const chooseOption = (key: string | null): void => {
    const nextOption = options.find((option) => option.key === key)
    const optionKeys = new Set(options.map((option) => option.key))
    const retainedMembers = Object.entries(parentValue).filter(([name]) => !optionKeys.has(name))
    if (nextOption) form.set(base, { ...Object.fromEntries(retainedMembers), [nextOption.key]: nextOption.blank })
  }
  return (
    <>
      {options.length > 1 && (
        <Select
          label={t(setting.label)}
          allowDeselect={false}
          readOnly={isReadOnly}
          data={options.map(({ key }) => ({ value: key, label: t(`set-${key}` as 'set-period') }))}
          value={chosenOption?.key ?? null}
          onChange={chooseOption}
        />
      )}
      {chosenOption?.settings.map((nestedSetting) => (
        <NodeSettingField key={nestedSetting.at} setting={nestedSetting} base={base} {...props} />
      ))}
    </>
  )
}

/** Settings that are folded away while none of them is set. */
function GroupField({ setting, base, form, isReadOnly }: Omit<Props, 'setting'> & { setting: NodeSettingOf<'group'> }) {
  const t = useTranslator(workflowFieldTexts)
  const [isOpen] = useState(() =>
    setting.settings.some(({ at }) => {
      const value = readPointerValue(form.value, `${base}${at}`)
      return value !== undefined && value !== null
    }),
  )
  return (
    <details className={styles['item']} open={isOpen}>
      <summary>{t(setting.label)}</summary>
      <div className={styles['fields']}>
        {setting.settings.map((nestedSetting) => (
          <NodeSettingField
            key={nestedSetting.at + nestedSetting.as}
            setting={nestedSetting}
            base={base}
            form={form}
            isReadOnly={isReadOnly}
          />
        ))}
      </div>
    </details>
  )
}

type ListItem = Readonly<Record<string, unknown>>

/** Label of an item in a list: its name, its event, or its number. */
function formatItemLabel(t: WorkflowFieldTranslator, item: ListItem, label: string, place: number): string {
  const { name, key, id, event, metric, minute, hour } = item
  const type = ((event ?? metric) as { type?: string } | undefined)?.type
  if (typeof name === 'string' && name !== '') return name
  if (typeof key === 'string' && key !== '') return key
  if (type !== undefined) return workflowEventLabel(t, type)
  if (typeof hour === 'string') return `${hour}:${String(minute ?? '*').padStart(2, '0')}`
  return typeof id === 'string' && id.length < 24 ? id : `${label} ${place + 1}`
}

const toItems = (value: unknown): ListItem[] =>
  Array.isArray(value) ? value.map((item) => (item !== null && typeof item === 'object' ? (item as ListItem) : {})) : []

/** An id that no other item has, where a new one needs its own. */
function assignFreeId(fresh: ListItem, items: readonly ListItem[]): ListItem {
  const usedIds = new Set(items.map(({ id }) => id))
  const { id } = fresh
  if (typeof id !== 'string' || !usedIds.has(id)) return structuredClone(fresh)
  for (let suffixNumber = 2; ; suffixNumber++)
    if (!usedIds.has(`${id}-${suffixNumber}`)) return { ...structuredClone(fresh), id: `${id}-${suffixNumber}` }
}

/** Items of several settings each: small ones in lines, big ones to unfold. */
function WorkflowListField({ setting, ...props }: NodeFieldProps & { setting: NodeSettingOf<'list'> }) {
  const t = useTranslator(workflowFieldTexts)
  const { form, at, label, isReadOnly } = props
  const items = toItems(readPointerValue(form.value, at))
  const renderFields = (item: ListItem, place: number) =>
    setting.items
      .filter((itemSetting) => isSettingRelevant(itemSetting, item))
      .map((itemSetting) => (
        <NodeSettingField
          key={itemSetting.at + itemSetting.as}
          setting={itemSetting}
          base={`${at}/${place}`}
          form={form}
          isReadOnly={isReadOnly}
        />
      ))
  const renderRemoveButton = (item: ListItem, place: number) =>
    !isReadOnly && (
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('removeOf', { name: formatItemLabel(t, item, label, place) })}
        onClick={() => form.set(at, items.toSpliced(place, 1))}
      >
        <IconX size={15} />
      </ActionIcon>
    )
  return (
    <fieldset className={styles['group']}>
      <legend>{label}</legend>
      {items.map((item, place) =>
        setting.isBig ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: an item is its place: all that is in it can be edited.
          <details key={place} className={styles['item']} open={items.length === 1}>
            <summary>
              <bdi>{formatItemLabel(t, item, label, place)}</bdi>
            </summary>
            <div className={styles['fields']}>
              {renderFields(item, place)}
              {!isReadOnly && (
                <div>
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    color="gray"
                    onClick={() => form.set(at, items.toSpliced(place, 1))}
                  >
                    {t('removeOf', { name: formatItemLabel(t, item, label, place) })}
                  </Button>
                </div>
              )}
            </div>
          </details>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: an item is its place: all that is in it can be edited.
          <div key={place} className={styles['line']}>
            {renderFields(item, place)}
            {renderRemoveButton(item, place)}
          </div>
        ),
      )}
      {!isReadOnly && (
        <div>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => form.set(at, [...items, assignFreeId(setting.fresh, items)])}
          >
            {t('addTo', { list: label })}
          </Button>
        </div>
      )}
    </fieldset>
  )
}

/** Event selection: the type, among the allowed ones, the members to filter by, and a condition if allowed. */
export function WorkflowEventField({
  form,
  at,
  label,
  isReadOnly,
  types = Object.keys(WORKFLOW_EVENT_SETTINGS),
  hasCondition = true,
}: NodeFieldProps & { types?: readonly string[]; hasCondition?: boolean }) {
  const t = useTranslator(workflowFieldTexts)
  const storedEvent = (readPointerValue(form.value, at) ?? {}) as { type?: string; filter?: unknown }
  const { type } = storedEvent
  const fault = useNodeFieldFault({ form, at })
  return (
    <fieldset className={styles['group']}>
      <legend>{label}</legend>
      <Select
        searchable
        aria-label={label}
        allowDeselect={false}
        readOnly={isReadOnly}
        error={fault}
        data={types.map((value) => ({ value, label: workflowEventLabel(t, value) }))}
        value={type ?? null}
        onChange={(next) =>
          next !== null &&
          form.set(at, { type: next, ...(storedEvent.filter != null && { filter: storedEvent.filter }) })
        }
      />
      {(WORKFLOW_EVENT_SETTINGS[type ?? ''] ?? []).map((setting) => (
        <NodeSettingField key={setting.at} setting={setting} base={at} form={form} isReadOnly={isReadOnly} />
      ))}
      {hasCondition && (
        <WorkflowExpressionField
          form={form}
          isReadOnly={isReadOnly}
          at={`${at}/filter`}
          label={t('set-filter')}
          least="script"
        />
      )}
    </fieldset>
  )
}

/** Fields that need nothing but where they stand. */
const FIELD_COMPONENTS = {
  text: NodeTextField,
  json: WorkflowJsonField,
  code: NodeCodeField,
  period: NodePeriodField,
  timeout: WaitTimeoutField,
  since: WaitSinceField,
  zone: TimeZoneField,
  event: WorkflowEventField,
  criteria: NodeCriteriaField,
  switch: NodeSwitchField,
  time: ClockTimeField,
  moment: NodeInstantField,
  texts: NodeTextsField,
  values: NamedExpressionsField,
  fields: ContactValuesField,
  ways: NodeOutputsField,
} as const

interface Props {
  setting: NodeSetting
  /** Pointer to the parent of the setting. */
  base: string
  form: WorkflowFormBinding
  isReadOnly: boolean
}

/** One setting, written as its kind is. */
export function NodeSettingField({ setting, base, form, isReadOnly }: Props) {
  const t = useTranslator(workflowFieldTexts)
  const fieldProps = { form, isReadOnly, at: `${base}${setting.at}`, label: t(setting.label) }
  switch (setting.as) {
    case 'expression':
      return <WorkflowExpressionField {...fieldProps} least="literal" />
    case 'shaped':
      return <WorkflowExpressionField {...fieldProps} least="literal" shape={setting.shape} />
    case 'group':
      return <GroupField setting={setting} base={base} form={form} isReadOnly={isReadOnly} />
    case 'condition':
      return <WorkflowExpressionField {...fieldProps} least="script" />
    case 'scalar':
      return <NodeTextField {...fieldProps} isScalar />
    case 'number':
      return <NodeNumberField {...fieldProps} unit={setting.unit} />
    case 'choice':
      return <NodeChoiceField {...fieldProps} setting={setting} />
    case 'choices':
      return <NodeChoicesField {...fieldProps} setting={setting} />
    case 'pick':
      return <ObjectPickField {...fieldProps} of={setting.of} />
    case 'picks':
      return <ObjectMultiPickField {...fieldProps} of={setting.of} />
    case 'list':
      return <WorkflowListField {...fieldProps} setting={setting} />
    case 'oneOf':
      return <OneOfField setting={setting} base={base} form={form} isReadOnly={isReadOnly} />
    default: {
      const FieldComponent = FIELD_COMPONENTS[setting.as]
      return <FieldComponent {...fieldProps} />
    }
  }
}
