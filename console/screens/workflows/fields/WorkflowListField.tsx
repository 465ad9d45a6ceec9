import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { readPointerValue } from '../../../components/form/pointers.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import type { NodeSetting } from '../model/settings.ts'
import { isSettingRelevant } from '../model/starts.ts'
import styles from '../WorkflowsPage.module.css'
import { NodeSettingField } from './NodeSettingField.tsx'
import type { NodeFieldProps } from './node-form.ts'
import { workflowFieldTexts } from './texts.ts'
import { type WorkflowFieldTranslator, workflowEventLabel } from './words.ts'

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
export function WorkflowListField({
  setting,
  ...props
}: NodeFieldProps & { setting: Extract<NodeSetting, { as: 'list' }> }) {
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
